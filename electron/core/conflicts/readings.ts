import { AppError } from '../../../shared/errors/index.ts'

/** Readings under way that their page can stop, by the name that it gave them. */
export interface Readings {
  /** Runs `work`; a stopped one answers at once, and its work ends as soon as it can. Errors: ERR_CANCELLED. */
  run<T>(name: string | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Whether there was one to stop. */
  stop(name: string): boolean
}

export function createReadings(): Readings {
  const under = new Map<string, AbortController>()
  return {
    async run(name, work) {
      const stop = new AbortController()
      const { signal } = stop
      if (name === undefined) return work(signal)
      under.set(name, stop)
      try {
        const stopped = new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(readingStopped()), { once: true })
        })
        return await Promise.race([work(signal), stopped])
      } finally {
        under.delete(name)
      }
    },
    stop(name) {
      const found = under.get(name)
      found?.abort()
      return found !== undefined
    },
  }
}

/** What is thrown to one who waits for a reading that was stopped. */
export const readingStopped = () => new AppError('ERR_CANCELLED', { what: 'Reading the sides' })
