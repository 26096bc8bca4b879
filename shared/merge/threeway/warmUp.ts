import { encodeText } from '../bytes/text.ts'
import { merge } from './merge.ts'
import { markedText } from './render.ts'
import { refine } from './tokens.ts'

const LINES = 1200
const ROUNDS = 40

/**
 * Merges small made-up texts until the engine's code is compiled, so that the first real merge is quick. Each step takes
 * a few milliseconds; the caller does them one by one when it has nothing else to do. The texts are of all kinds, since
 * code that was compiled for one kind is thrown away when it meets another.
 */
export function* warmUp(): Generator<void, void, void> {
  for (let round = 0; round < ROUNDS; round++) {
    const ending = round % 8 === 7 ? '\r\n' : '\n'
    const text = (lines: readonly string[]) => encodeText(lines.join(ending) + (round % 5 === 4 ? '' : ending))
    // Every other round the edits leave the start and the end alone.
    const at = (i: number) => round % 2 === 0 || (i > LINES / 4 && i < LINES / 2)
    const base = Array.from({ length: LINES }, (_, i) => lineOf((i * 2654435761 + round) >>> 0, round))
    const ours = base.flatMap((line, i) => (at(i) ? edited(line, i, 97, 'ours') : [line]))
    const theirs = base.flatMap((line, i) => (at(i) ? edited(line, i, 89, 'theirs') : [line]))
    if (round % 10 === 9) theirs.reverse()
    const merged = merge({ base: text(base), ours: text(ours), theirs: text(theirs) })
    markedText(merged)
    for (const style of ['merge', 'diff3', 'zdiff3'] as const) markedText(merged, { style })
    for (const conflict of merged.conflicts.slice(0, 5)) refine(merged, conflict)
    yield
  }
}

/** A line of a made-up source: some repeat, some are short, some are long. */
function lineOf(random: number, round: number): string {
  const kind = (random >>> 8) % 20
  if (kind < 4) return ''
  if (kind < 6) return '}'
  if (kind < 8) return '    return value'
  if (kind === 8) return `${random} ${'long '.repeat(60)}`
  return round % 3 === 0 ? `word ${random % 60}` : `    const name${random} = value(${random % 977})`
}

function edited(line: string, i: number, step: number, word: string): string[] {
  if (i % step === 3) return [`${line} ${word}`]
  if (i % step === 17) return []
  if (i % step === 31) return [line, `${word} ${i}`, '']
  // Both sides change these, differently or alike.
  if (i % 211 === 5) return [`${line} ${i % 2 === 0 ? word : 'both'}`]
  return [line]
}
