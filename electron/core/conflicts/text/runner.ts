import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { InvariantError } from '../../../../shared/base/index.ts'
import { AppError } from '../../../../shared/errors/index.ts'
import { readingStopped } from '../readings.ts'
import { type AnswerOf, type MergeCache, runJob, sizeOf, type TextAnswers, type TextJob } from './jobs.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import type { SideBytes } from './prepare.ts'

/** Does work on texts: at once where it is short, else in a worker thread. */
export interface TextRunner {
  /**
   * Work that nobody waits for any more once `signal` is aborted is ended, its worker with it.
   * Errors: ERR_TOOK_TOO_LONG past the deadline, ERR_CANCELLED when aborted, and when the runner is ended.
   */
  run<J extends TextJob>(job: J, signal?: AbortSignal): Promise<AnswerOf<J>>
  dispose(): Promise<void>
}

export interface RunnerSetup {
  readonly log: (line: string) => void
  /** Sides with more bytes all together go to a worker; a check, which compares more, at half of it. */
  readonly most?: number
  /** Milliseconds that one piece of work may take in a worker. */
  readonly deadline?: number
}

/** What is merged within 10 ms, but for texts that have next to nothing in common. */
const MOST_HERE = 400_000
const DEADLINE = 30_000
const WORKERS = 2
/** A worker with nothing to do is ended after so many milliseconds. */
const IDLE = 60_000

interface Work {
  readonly name: string
  readonly job: TextJob
  readonly answers: Waiting[]
}

interface Waiting {
  resolve(answer: TextAnswers[keyof TextAnswers]): void
  reject(error: unknown): void
}

interface Seat {
  readonly worker: Worker
  /** Keys of the merges that it should have. */
  readonly keys: Set<string>
  busy: { readonly id: number; readonly work: Work; readonly timer: NodeJS.Timeout } | null
  idle: NodeJS.Timeout | null
}

export function createTextRunner(setup: RunnerSetup): TextRunner {
  const { log, most = MOST_HERE, deadline = DEADLINE } = setup
  const cache: MergeCache = new Map()
  const seats: Seat[] = []
  const queue: Work[] = []
  let nextId = 1
  let usable = true

  const leave = (seat: Seat) => {
    const at = seats.indexOf(seat)
    if (at !== -1) seats.splice(at, 1)
    if (seat.idle !== null) clearTimeout(seat.idle)
    if (seat.busy !== null) clearTimeout(seat.busy.timer)
    seat.busy = null
  }
  const settle = (work: Work, end: (one: Waiting) => void) => {
    for (const one of work.answers) end(one)
  }
  /** Where no worker can be had, late is better than not at all. */
  const doHere = (work: Work) => {
    try {
      const answer = runJob(work.job, cache)
      settle(work, (one) => one.resolve(answer))
    } catch (error) {
      settle(work, (one) => one.reject(error))
    }
  }

  const send = (seat: Seat, id: number, job: TextJob, withSides: boolean) => {
    const { key, sides, recorded } = job.input
    const message: ToWorker = {
      id,
      job: {
        ...job,
        input: {
          key,
          recorded: withSides && recorded ? own(recorded) : null,
          sides: withSides ? ownSides(sides) : null,
        },
      },
    }
    seat.worker.postMessage(message)
  }

  const start = (seat: Seat, work: Work) => {
    const id = nextId++
    if (seat.idle !== null) clearTimeout(seat.idle)
    seat.idle = null
    const timer = setTimeout(() => {
      leave(seat)
      void seat.worker.terminate()
      settle(work, (one) =>
        one.reject(new AppError('ERR_TOOK_TOO_LONG', { what: 'Merging this file', seconds: deadline / 1000 })),
      )
      next()
    }, deadline)
    seat.busy = { id, work, timer }
    send(seat, id, work.job, work.job.do === 'repro' || !seat.keys.has(work.job.input.key))
    seat.keys.add(work.job.input.key)
  }

  const next = () => {
    while (queue.length > 0) {
      const free = seats.filter((seat) => seat.busy === null)
      if (free.length === 0 && seats.length >= WORKERS) return
      const at = queue.findIndex((work) => free.some((seat) => seat.keys.has(work.job.input.key)))
      const [work] = queue.splice(Math.max(0, at), 1) as [Work]
      const seat = free.find((one) => one.keys.has(work.job.input.key)) ?? free[0] ?? (usable ? open() : null)
      if (seat === null) doHere(work)
      else start(seat, work)
    }
  }

  const open = (): Seat => {
    const worker = new Worker(workerFile())
    worker.unref()
    const seat: Seat = { worker, keys: new Set(), busy: null, idle: null }
    seats.push(seat)
    let answered = false
    worker.on('message', (message: FromWorker) => {
      answered = true
      const { busy } = seat
      if (busy === null || busy.id !== message.id) return
      if ('needsSides' in message) {
        send(seat, busy.id, busy.work.job, true)
        return
      }
      clearTimeout(busy.timer)
      seat.busy = null
      seat.idle = setTimeout(() => {
        leave(seat)
        void worker.terminate()
      }, IDLE)
      seat.idle.unref()
      if ('answer' in message) settle(busy.work, (one) => one.resolve(message.answer))
      else settle(busy.work, (one) => one.reject(new InvariantError(message.failure)))
      next()
    })
    worker.on('error', (error) => {
      const { busy } = seat
      leave(seat)
      log(`a merge worker ended: ${error instanceof Error ? error.message : String(error)}`)
      // One that never answered would not the next time either.
      if (!answered) usable = false
      if (busy !== null) {
        if (answered) settle(busy.work, (one) => one.reject(error))
        else doHere(busy.work)
      }
      next()
    })
    return seat
  }

  /** Lets go of one who waits; work that nobody waits for is taken out of the queue, or ended. */
  const giveUp = (answer: Waiting) => {
    const all = [...queue, ...seats.flatMap((seat) => seat.busy?.work ?? [])]
    const work = all.find((one) => one.answers.includes(answer))
    if (work === undefined) return
    work.answers.splice(work.answers.indexOf(answer), 1)
    answer.reject(readingStopped())
    if (work.answers.length > 0) return
    const waits = queue.indexOf(work)
    if (waits !== -1) queue.splice(waits, 1)
    const seat = seats.find((one) => one.busy?.work === work)
    if (seat === undefined) return
    leave(seat)
    void seat.worker.terminate()
    next()
  }

  return {
    async run<J extends TextJob>(job: J, signal?: AbortSignal): Promise<AnswerOf<J>> {
      if (signal?.aborted) throw readingStopped()
      const size = sizeOf(job.input.sides) * (job.do === 'check' ? 2 : 1)
      if (size <= most || !usable) return runJob(job, cache)
      return new Promise<AnswerOf<J>>((resolve, reject) => {
        const answer: Waiting = { resolve: resolve as Waiting['resolve'], reject }
        signal?.addEventListener('abort', () => giveUp(answer), { once: true })
        const name = `${job.do} ${job.input.key}`
        // A check that still waits when the next one of the same file comes is about a draft of a moment ago.
        const waiting = job.do === 'check' ? queue.findIndex((work) => work.name === name) : -1
        const before = waiting === -1 ? [] : (queue[waiting] as Work).answers
        const work: Work = { name, job, answers: [...before, answer] }
        if (waiting === -1) queue.push(work)
        else queue[waiting] = work
        next()
      })
    },
    async dispose() {
      const ended = new AppError('ERR_CANCELLED', { what: 'Merging' })
      for (const work of queue.splice(0)) settle(work, (one) => one.reject(ended))
      const all = [...seats]
      for (const seat of all) {
        if (seat.busy !== null) settle(seat.busy.work, (one) => one.reject(ended))
        leave(seat)
      }
      await Promise.all(all.map((seat) => seat.worker.terminate()))
    },
  }
}

/** Bytes with a buffer of their own: a message takes the whole buffer along. */
const own = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes)
const ownSides = ({ base, ours, theirs }: SideBytes): SideBytes => ({
  base: base === null ? null : own(base),
  ours: own(ours),
  theirs: own(theirs),
})

/** The worker's file: beside this one in the sources, beside the entry points once it is built. */
function workerFile(): string {
  const here = import.meta.dirname
  const source = join(here, 'worker.ts')
  if (existsSync(source)) return source
  return join(basename(here) === 'chunks' ? dirname(here) : here, 'textWorker.js')
}
