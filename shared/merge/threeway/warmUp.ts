import { encodeText } from '../bytes/text.ts'
import { merge } from './merge.ts'
import { markedText } from './render.ts'

/** Lines of the texts that are merged; chosen so that every part of the engine runs. */
const LINES = 600

/**
 * Merges small made-up texts until the engine's code is compiled, so that the first real merge is quick. Each step takes
 * a few milliseconds; the caller does them one by one when it has nothing else to do.
 */
export function* warmUp(): Generator<void, void, void> {
  for (let round = 0; round < 12; round++) {
    const base = Array.from({ length: LINES }, (_, i) => `line ${(i * 7919) % (round % 3 === 0 ? 40 : 5000)} of text`)
    const ours = base.map((line, i) => (i % 31 === 3 ? `${line} ours` : line))
    const theirs = base.flatMap((line, i) => (i % 29 === 5 ? [] : i % 37 === 3 ? [line, 'theirs'] : [line]))
    const text = (lines: readonly string[]) => encodeText(`${lines.join('\n')}\n`)
    const merged = merge({ base: text(base), ours: text(ours), theirs: text(theirs) })
    for (const style of ['merge', 'diff3', 'zdiff3'] as const) markedText(merged, { style })
    yield
  }
}
