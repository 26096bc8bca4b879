/**
 * Long work as a generator: it yields between slices of a millisecond or so, and returns its result. Whoever drives
 * it decides when to let others run, so that no clock is needed in here.
 */
export type Sliced<T> = Generator<void, T, void>

/** Runs sliced work to its end at once. */
export function runWhole<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
