/** How far up and down a group is tried, in lines. */
const REACH = 100

/**
 * Moves groups of changed lines that stand alone (nothing changed opposite them) to where they read best: a group
 * whose first line equals the line after it can be moved down by one, and the other way round, without changing what
 * the edits do. Best is a group that starts after an empty line or at the least indentation.
 *
 * `ids`, `changed` and `lines` are of one side, `opposite` are the flags of the other.
 */
export function slide(ids: Int32Array, changed: Uint8Array, opposite: Uint8Array, lines: readonly string[]): void {
  let j = 0
  for (let i = 0; i < ids.length; ) {
    if (!changed[i]) {
      while (opposite[j]) j++
      j++
      i++
      continue
    }
    let end = i
    while (end < ids.length && changed[end]) end++
    if (opposite[j]) {
      // A replacement: both sides belong together and stay.
      while (opposite[j]) j++
      i = end
      continue
    }
    const moved = best(ids, changed, i, end, lines, roomDown(opposite, j), roomUp(opposite, j))
    if (moved !== 0) {
      changed.fill(0, i, end)
      changed.fill(1, i + moved, end + moved)
    }
    // A group that moved down has passed equal lines of the other side.
    if (moved > 0) j += moved
    i = end + Math.max(0, moved)
  }
}

/** Equal lines of the other side that follow without a change: a group may not be moved into another edit. */
function roomDown(opposite: Uint8Array, j: number): number {
  let room = 0
  while (room < REACH && j + room < opposite.length && !opposite[j + room]) room++
  return j + room < opposite.length && opposite[j + room] ? room - 1 : room
}

function roomUp(opposite: Uint8Array, j: number): number {
  let room = 0
  while (room < REACH && j - room - 1 >= 0 && !opposite[j - room - 1]) room++
  return j - room - 1 >= 0 && opposite[j - room - 1] ? room - 1 : room
}

function best(
  ids: Int32Array,
  changed: Uint8Array,
  from: number,
  to: number,
  lines: readonly string[],
  down: number,
  up: number,
): number {
  let choice = 0
  let score = rate(lines, from, to)
  for (let by = 1; by <= up; by++) {
    const above = from - by
    // The line before must be unchanged and equal the group's last line; one unchanged line stays between groups.
    if (above < 0 || changed[above] || (above > 0 && changed[above - 1]) || ids[above] !== ids[to - by]) break
    const found = rate(lines, from - by, to - by)
    if (found > score) {
      score = found
      choice = -by
    }
  }
  for (let by = 1; by <= down; by++) {
    const below = to + by - 1
    if (below >= ids.length || changed[below] || changed[below + 1] || ids[below] !== ids[from + by - 1]) break
    const found = rate(lines, from + by, to + by)
    if (found >= score) {
      score = found
      choice = by
    }
  }
  return choice
}

const blank = (line: string | undefined) => line === undefined || line.trim() === ''

/** Higher reads better. */
function rate(lines: readonly string[], from: number, to: number): number {
  const first = lines[from] as string
  const indent = blank(first) ? 60 : Math.min(50, first.search(/\S/))
  return (blank(lines[from - 1]) ? 100 : 0) + (blank(lines[to - 1]) ? 40 : 0) - indent
}
