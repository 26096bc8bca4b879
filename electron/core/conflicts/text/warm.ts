import { decide, emptyDraft } from '../../../../shared/merge/draft/index.ts'
import { warmUp } from '../../../../shared/merge/index.ts'
import { checkDraft } from './check/checkDraft.ts'
import { textMerge } from './textMerge.ts'

/** Milliseconds after the start, between two steps, and after a moment in which the process was busy. */
const AFTER = 1500
const BETWEEN = 15
const LATER = 250
/** A timer that comes so many milliseconds late says that something else is to be done. */
const LATE = 10

/**
 * Warms the merge engine up while nothing else is to be done, step by step, so that the first merge is quick. Holds no
 * process up. Gives the way to stop.
 */
export function warmUpWhenIdle(steps: Iterator<void> = everything(), after: number = AFTER): () => void {
  let timer: NodeJS.Timeout
  const wait = (delay: number) => {
    const due = performance.now() + delay
    timer = setTimeout(() => {
      if (performance.now() - due > LATE) wait(LATER)
      else if (!steps.next().done) wait(BETWEEN)
    }, delay)
    timer.unref()
  }
  wait(after)
  return () => clearTimeout(timer)
}

function* everything(): Generator<void, void, void> {
  yield* warmUp()
  yield* warmTexts()
}

const ROUNDS = 32
const LINES = 240
const SETUP = { names: { ours: 'a', theirs: 'b' }, markerSize: 7, hash: 'sha1', choiceOpen: false } as const

/** Opens, decides and checks small made-up conflicts, so that all that lies around the engine is compiled too. */
function* warmTexts(): Generator<void, void, void> {
  for (let round = 0; round < ROUNDS; round++) {
    const ending = round % 6 === 5 ? '\r\n' : '\n'
    const file = (name: string) =>
      Buffer.from(
        Array.from(
          { length: LINES },
          (_, i) => `${i % 23 === 7 ? `${name} of` : 'this is'} line ${i} of ${round}${ending}`,
        ).join(''),
      )
    const text = textMerge({ base: file('base'), ours: file('ours'), theirs: file('theirs') })
    if (text === null) return
    yield
    let draft = emptyDraft(text.model)
    for (const [i] of text.model.conflicts.entries())
      draft = decide(draft, i, { take: i % 2 === 0 ? 'ours' : 'theirs', by: 'mine' })
    checkDraft(text, draft, SETUP)
    yield
  }
}
