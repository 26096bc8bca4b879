import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { InvariantError } from '../../../../shared/base/index.ts'
import { AppError } from '../../../../shared/errors/index.ts'
import type { RepositoryContext } from '../../context.ts'
import type { IndexDb } from '../../store/indexDb.ts'
import { type AnswerOf, runTextJob, type TextAnswers, type TextJob } from './textJobs.ts'
import type { FromTextWorker, ToTextWorker } from './textWorker.ts'

/** The full text of one repository, wherever the work on it is done. */
export interface TextPlane {
  /** Errors: ERR_STORAGE_BUSY, ERR_DISK_FULL, ERR_CANCELLED once the repository is closed. */
  run<J extends TextJob>(job: J): Promise<AnswerOf<J>>
}

const planes = new WeakMap<RepositoryContext, TextPlane>()

/** `apart`: in a thread of its own, for a process that does other things meanwhile. The first caller decides. */
export function textPlaneOf(repo: RepositoryContext, apart: boolean): TextPlane {
  const known = planes.get(repo)
  if (known) return known
  const made = apart ? inWorker(repo.index) : here(repo.index)
  planes.set(repo, made)
  return made
}

const here = (index: IndexDb): TextPlane => ({
  run: async <J extends TextJob>(job: J) => (await runTextJob(index, job)) as AnswerOf<J>,
})

interface Waiting {
  readonly job: TextJob
  resolve(answer: TextAnswers[TextJob['do']]): void
  reject(error: unknown): void
}

/** The thread is started when it is first needed and ends with the repository. */
function inWorker(index: IndexDb): TextPlane {
  const waiting = new Map<number, Waiting>()
  let nextId = 1
  let worker: Worker | null = null
  let answered = false
  let usable = true
  let closed = false

  const end = (error: unknown) => {
    const lost = [...waiting.values()]
    waiting.clear()
    worker = null
    // One that never answered would not the next time either; late is better than not at all.
    if (!answered && !closed) usable = false
    for (const one of lost) {
      if (answered || closed) one.reject(error)
      else runTextJob(index, one.job).then(one.resolve, one.reject)
    }
  }
  const start = (): Worker => {
    const started = new Worker(workerFile(), { workerData: dirname(index.file) })
    started.on('message', (message: FromTextWorker) => {
      const one = waiting.get(message.id)
      answered = true
      if (!one) return
      waiting.delete(message.id)
      if (waiting.size === 0) started.unref()
      if ('answer' in message) one.resolve(message.answer)
      else if ('failure' in message) one.reject(new AppError(message.failure.code, message.failure.data as never))
      else one.reject(new InvariantError(message.bug))
    })
    started.on('error', end)
    return started
  }
  index.onClose(() => {
    const running = worker
    closed = true
    end(cancelled())
    void running?.terminate()
  })
  return {
    run: <J extends TextJob>(job: J) => {
      if (closed) return Promise.reject(cancelled())
      if (!usable) return here(index).run(job)
      worker ??= start()
      worker.ref()
      const id = nextId++
      const answer = new Promise<AnswerOf<J>>((resolve, reject) =>
        waiting.set(id, { job, resolve: resolve as Waiting['resolve'], reject }),
      )
      worker.postMessage({ id, job } satisfies ToTextWorker)
      return answer
    },
  }
}

const cancelled = () => new AppError('ERR_CANCELLED', { what: 'Reading the index' })

/** The worker's file: beside this one in the sources, beside the entry points once it is built. */
function workerFile(): string {
  const here = import.meta.dirname
  const source = join(here, 'textWorker.ts')
  if (existsSync(source)) return source
  return join(basename(here) === 'chunks' ? dirname(here) : here, 'lookupWorker.js')
}
