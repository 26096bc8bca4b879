import type { Changes, Line, SideName } from './changes.ts'
import type { Warning } from './warning.ts'
import { countOf, headingOf } from './words.ts'

/** More names than this are not looked for. */
const MOST = 200

/** A heading or key that one side removed for good, and that only the other's new text still names. */
export function dangling(changes: Changes): Warning[] {
  return [...from(changes, 'ours', 'theirs'), ...from(changes, 'theirs', 'ours')]
}

function from(changes: Changes, remover: SideName, other: SideName): Warning[] {
  const named = new Map<string, Line>()
  for (const { removed } of changes[remover])
    for (const line of removed) {
      const name = headingOf(line.text) ?? keyOf(line.text)
      if (name !== null && name !== '' && named.size < MOST) named.set(name, line)
    }
  if (named.size === 0) return []
  const added = changes[other].flatMap((change) => change.added)
  const text = added.map((line) => line.text).join('\n')
  const warnings: Warning[] = []
  for (const [name, line] of named) {
    const inAdded = mentions(text, name)
    if (inAdded === 0 || mentions(changes.result, name) > inAdded) continue
    const user = added.find((candidate) => mentions(candidate.text, name) > 0) as Line
    // What defines it anew does not dangle.
    if (added.some((candidate) => (headingOf(candidate.text) ?? keyOf(candidate.text)) === name)) continue
    warnings.push({
      kind: 'dangling',
      subject: name,
      lines: [
        { side: 'base', ...line },
        { side: other, ...user },
      ],
    })
  }
  return warnings
}

/** A name on its own, or a link to the heading it is. */
function mentions(text: string, name: string): number {
  return countOf(text, name) + countOf(text, `#${slugOf(name)}`)
}

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\x80-\xff -]/g, '')
    .replaceAll(' ', '-')
}

/** The key of a line `key: value` or `key = value`. */
function keyOf(text: string): string | null {
  return /^\s*["']?([A-Za-z_][\w.-]{3,})["']?\s*[:=](?:\s|$)/.exec(text)?.[1] ?? null
}
