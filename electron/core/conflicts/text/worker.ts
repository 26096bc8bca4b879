import { parentPort } from 'node:worker_threads'
import { type MergeCache, runJob, type TextJob } from './jobs.ts'
import { asWire, type FromWorker, type ToWorker } from './messages.ts'

/** The worker thread of large merges: one piece of work at a time, answered in the order in which they came. */
const cache: MergeCache = new Map()
parentPort?.on('message', ({ id, job }: ToWorker) => {
  const { key, sides, recorded } = job.input
  const answer = (message: FromWorker) => parentPort?.postMessage(message)
  if (sides === null && !cache.has(key)) {
    answer({ id, needsSides: true })
    return
  }
  try {
    const input = { key, sides: sides ?? NO_SIDES, recorded }
    answer({ id, answer: runJob({ ...job, input } as TextJob, cache) })
  } catch (error) {
    answer({ id, failure: asWire(error) })
  }
})

/** Never looked at: the merge is there already. */
const NO_SIDES = { base: null, ours: new Uint8Array(0), theirs: new Uint8Array(0) }
