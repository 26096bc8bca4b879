import { parentPort, workerData } from 'node:worker_threads'
import { AppError, type ErrorCode } from '../../../../shared/errors/index.ts'
import { createIndexDb } from '../../store/indexDb.ts'
import { asStorageError } from '../../store/safeDatabase.ts'
import { runTextJob, type TextAnswers, type TextJob } from './textJobs.ts'

export interface ToTextWorker {
  readonly id: number
  readonly job: TextJob
}

export type FromTextWorker =
  | { readonly id: number; readonly answer: TextAnswers[TextJob['do']] }
  | { readonly id: number; readonly failure: { readonly code: ErrorCode; readonly data: unknown } }
  | { readonly id: number; readonly bug: string }

/** The worker thread of the full text: one piece of work after another, so that none sees half of another's. */
const index = parentPort && createIndexDb(String(workerData))
let last: Promise<void> = Promise.resolve()

parentPort?.on('message', ({ id, job }: ToTextWorker) => {
  const answer = (message: FromTextWorker) => parentPort?.postMessage(message)
  last = last.then(async () => {
    if (!index) return
    try {
      answer({ id, answer: await runTextJob(index, job) })
    } catch (cause) {
      const error = asStorageError(cause)
      if (error instanceof AppError) answer({ id, failure: { code: error.code, data: error.data } })
      else answer({ id, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
})
