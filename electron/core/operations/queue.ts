/** Runs mutations of one repository strictly one after another. One that fails does not stop the next. */
export interface MutationQueue {
  run<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when everything queued so far has ended. */
  idle(): Promise<void>
}

/** Makes an empty queue. Other processes are kept apart by git's locks and SQLite's, not by this. */
export function createMutationQueue(): MutationQueue {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(work) {
      const next = last.then(work, work)
      last = next.catch(() => {})
      return next
    },
    idle: async () => {
      await last
    },
  }
}
