import { warmUp } from '../../../../shared/merge/index.ts'

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
export function warmUpWhenIdle(steps: Iterator<void> = warmUp(), after: number = AFTER): () => void {
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
