import { encodePath } from './bytes.ts'
import type { Git, GitOptions } from './process.ts'

/** One ref of a transaction. `old` null: must not be there yet; `new` null: delete; both equal: only hold it, or that it is not there. */
export interface RefUpdate {
  readonly ref: string
  readonly old: string | null
  readonly new: string | null
}

/** Refs that are locked: nobody else can move them, nor commit on a branch among them, until `commit` or `abort`. */
export interface PreparedRefs {
  /** Moves them all. False where git could not; then nobody knows which moved until they are read again. */
  commit(): Promise<boolean>
  /** Lets go of them; nothing moved. False where git ended before it could: then its locks may still lie there. */
  abort(): Promise<boolean>
}

export type Preparation =
  | { readonly prepared: true; readonly refs: PreparedRefs }
  | { readonly prepared: false; readonly detail: string; readonly exitCode: number | null }

/**
 * Opens one living `update-ref --stdin` and brings it to "prepared". Every command is acknowledged before the next is
 * sent. If this process dies, the end of its input makes git let go of every lock.
 * `message` goes to the reflogs.
 */
export const prepareRefs = (
  git: Git,
  updates: readonly RefUpdate[],
  message: string,
  options: GitOptions = {},
): Promise<Preparation> => prepareIn(openSession(git, message, options), updates, false)

/** One living `update-ref --stdin` that serves several transactions, one after the other. */
interface Session {
  readonly pid: number | undefined
  readonly message: string
  readonly key: string
  readonly opened: number
  /** It has ended, or it must not be used again. */
  over(): boolean
  acknowledged(command: string): Promise<boolean>
  send(bytes: Buffer): void
  /** Ends its input and waits for its end. */
  end(): Promise<{ readonly exitCode: number | null; readonly detail: string }>
}

function openSession(git: Git, message: string, options: GitOptions, key = ''): Session {
  const child = git.start(['update-ref', '--stdin', '-z', '-m', message], options)
  let said = ''
  let detail = ''
  let wake: () => void = () => {}
  let ended = false
  let exitCode: number | null = null
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1')
    wake()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    detail += chunk.toString('utf8')
  })
  child.stdin.on('error', () => {})
  const closed = new Promise<void>((resolve) => {
    const end = (code: number | null, why = '') => {
      ended = true
      exitCode = code
      detail += why
      wake()
      resolve()
    }
    child.on('error', (cause) => end(null, cause.message))
    child.on('close', (code) => end(code))
  })
  return {
    pid: child.pid,
    message,
    key,
    opened: Date.now(),
    over: () => ended || child.exitCode !== null || child.stdin.writableEnded,
    send: (bytes) => child.stdin.write(bytes),
    async acknowledged(command) {
      said = ''
      child.stdin.write(`${command}\0`)
      const wanted = `${command}: ok\n`
      while (!said.includes(wanted) && !ended) await new Promise<void>((resolve) => (wake = resolve))
      return said.includes(wanted)
    },
    async end() {
      child.stdin.end()
      await closed
      return { exitCode, detail: detail.trim() }
    },
  }
}

/** `keep`: the session is not ended where it did as it was told. */
async function prepareIn(session: Session, updates: readonly RefUpdate[], keep: boolean): Promise<Preparation> {
  const failed = async (): Promise<Preparation> => ({ prepared: false, ...(await session.end()) })
  if (!(await session.acknowledged('start'))) return failed()
  // Git locks in this order. The operation's own ref comes first, so that whatever a killed git leaves has a witness.
  const ordered = [...updates].sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)))
  const length = Math.max(...updates.map((one) => (one.new ?? one.old ?? '').length)) || OID_LENGTH
  session.send(Buffer.concat(ordered.map((update) => command(update, '0'.repeat(length)))))
  if (!(await session.acknowledged('prepare'))) return failed()
  const finish = async (how: 'commit' | 'abort'): Promise<boolean> => {
    const done = await session.acknowledged(how)
    if (done && keep) return true
    return (await session.end()).exitCode === 0 && done
  }
  return { prepared: true, refs: { commit: () => finish('commit'), abort: () => finish('abort') } }
}

/** Transactions of one repository that follow each other closely share a process. */
export interface RefMover {
  /**
   * As `prepareRefs`. `key`: what git read when it started, such as its configuration; `onUse` is told which process
   * it is before it is used.
   */
  prepare(
    updates: readonly RefUpdate[],
    message: string,
    key: string,
    onUse: (pid: number) => void,
  ): Promise<Preparation>
  /** Ends the process, whatever it is doing: what is not committed is let go. */
  close(): void
}

/** Git takes the time of reflog entries once a process: one that is older is not used again, in milliseconds. */
const SESSION_AGE = 1000

/** Starts nothing yet. */
export function createRefMover(git: Git): RefMover {
  let current: Session | null = null
  let timer: NodeJS.Timeout | undefined
  let busy = false
  const close = () => {
    clearTimeout(timer)
    const old = current
    current = null
    void old?.end()
  }
  return {
    async prepare(updates, message, key, onUse) {
      const fits = (one: Session) =>
        !one.over() && one.message === message && one.key === key && Date.now() - one.opened < SESSION_AGE
      // Another verb's transaction that is under way is not disturbed.
      if (busy) return prepareRefs(git, updates, message, { onSpawn: onUse })
      if (!current || !fits(current)) {
        close()
        current = openSession(git, message, {}, key)
        timer = setTimeout(() => busy || close(), SESSION_AGE).unref()
      }
      const session = current
      if (session.pid !== undefined) onUse(session.pid)
      busy = true
      const done = async (work: Promise<boolean>) => {
        try {
          return await work
        } finally {
          busy = false
        }
      }
      const answer = await prepareIn(session, updates, true)
      if (!answer.prepared) {
        busy = false
        return answer
      }
      const { refs } = answer
      return { prepared: true, refs: { commit: () => done(refs.commit()), abort: () => done(refs.abort()) } }
    },
    close,
  }
}

const isOwn = (update: RefUpdate) => update.ref.startsWith('refs/daybreak/')
const NUL = Buffer.from([0])
const OID_LENGTH = 40

function command(update: RefUpdate, zero: string): Buffer {
  const line = (verb: string, ...oids: string[]) =>
    Buffer.concat([Buffer.from(`${verb} `), encodePath(update.ref), NUL, ...oids.map((oid) => Buffer.from(`${oid}\0`))])
  if (update.old === update.new) return line('verify', update.old ?? zero)
  if (update.new === null) return line('delete', update.old ?? zero)
  if (update.old === null) return line('create', update.new)
  return line('update', update.new, update.old)
}
