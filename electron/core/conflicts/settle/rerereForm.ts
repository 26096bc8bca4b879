import { createHash, type Hash } from 'node:crypto'

/** A marked text as rerere sees it. */
export interface RerereForm {
  /** Names the conflicts, whatever stands around them: the folder of their recording in `rr-cache`. */
  readonly id: string
  /** Of each conflict the lesser side first, without labels and without the base. */
  readonly text: Buffer
}

/**
 * A marked text as rerere keeps it, and its id: a digest over both sides of every conflict, each followed by NUL, the
 * lesser first (git's Documentation/technical/rerere.txt). `size`: of the markers. Null where it has no conflict, or one
 * that does not end.
 */
export function rerereForm(made: Buffer, size: number, hash: 'sha1' | 'sha256' = 'sha1'): RerereForm | null {
  const lines = made.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? []
  const digest = createHash(hash)
  const out: string[] = []
  let conflicts = 0
  for (let at = 0; at < lines.length; ) {
    if (!isMark(lines[at] as string, '<', size)) {
      out.push(lines[at++] as string)
      continue
    }
    const found = conflictAt(lines, at + 1, size, digest)
    if (found === null) return null
    out.push(found.text)
    at = found.end
    conflicts++
  }
  return conflicts === 0 ? null : { id: digest.digest('hex'), text: Buffer.from(out.join(''), 'latin1') }
}

/** The marks of begin and end have a label behind a space, the other two may have one. */
function isMark(line: string, mark: string, size: number): boolean {
  if (!line.startsWith(mark.repeat(size))) return false
  const next = line[size] ?? ''
  return mark === '<' || mark === '>' ? next === ' ' : /\s/.test(next)
}

/** One conflict from the line after its first mark on. Conflicts inside of it belong to the side they stand in. */
function conflictAt(
  lines: readonly string[],
  from: number,
  size: number,
  digest: Hash | null,
): { readonly text: string; readonly end: number } | null {
  const sides: [string, string] = ['', '']
  let part: 'one' | 'base' | 'two' = 'one'
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] as string
    let told = line
    if (isMark(line, '<', size)) {
      const inner = conflictAt(lines, at + 1, size, null)
      if (inner === null) return null
      told = inner.text
      at = inner.end - 1
    } else if (isMark(line, '|', size)) {
      if (part !== 'one') return null
      part = 'base'
      continue
    } else if (isMark(line, '=', size)) {
      if (part === 'two') return null
      part = 'two'
      continue
    } else if (isMark(line, '>', size)) {
      if (part !== 'two') return null
      const [first, second] = sides.sort() as [string, string]
      digest?.update(first, 'latin1').update(NUL).update(second, 'latin1').update(NUL)
      const marked = (mark: string) => `${mark.repeat(size)}\n`
      return { text: `${marked('<')}${first}${marked('=')}${second}${marked('>')}`, end: at + 1 }
    }
    // A conflict inside the base's part counts for the second side.
    if (part === 'one') sides[0] += told
    else if (part === 'two' || told !== line) sides[1] += told
  }
  return null
}

const NUL = Buffer.from([0])
