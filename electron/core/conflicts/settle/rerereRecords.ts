import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A marked text as rerere keeps it: of each conflict the lesser side comes first (rerere.c, `handle_conflict`). */
export function normalized(made: Buffer, size: number): Buffer {
  const lines = made.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? []
  const is = (line: string, mark: string) => line.trimEnd() === mark.repeat(size)
  const out: string[] = []
  let one: string[] | null = null
  let two: string[] | null = null
  for (const line of lines) {
    if (one === null && is(line, '<')) one = []
    else if (one !== null && two === null && is(line, '=')) two = []
    else if (one !== null && two !== null && is(line, '>')) {
      const sides = [one.join(''), two.join('')].sort()
      out.push(
        `${'<'.repeat(size)}\n`,
        sides[0] ?? '',
        `${'='.repeat(size)}\n`,
        sides[1] ?? '',
        `${'>'.repeat(size)}\n`,
      )
      one = null
      two = null
    } else (two ?? one ?? out).push(line)
  }
  return Buffer.from(out.join(''), 'latin1')
}

/** Every resolution that rerere has recorded: the conflict as it was, and what it became. */
export function recordsIn(cache: string): { readonly pre: Buffer; readonly post: Buffer }[] {
  const found: { pre: Buffer; post: Buffer }[] = []
  for (const id of namesIn(cache))
    for (const name of namesIn(join(cache, id))) {
      const variant = /^postimage(\.\d+)?$/.exec(name)
      if (!variant) continue
      try {
        const [pre, post] = [`preimage${variant[1] ?? ''}`, name].map((file) => readFileSync(join(cache, id, file)))
        if (pre && post) found.push({ pre, post })
      } catch {
        // One without the other tells nothing.
      }
    }
  return found
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
