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
export async function prepareRefs(
  git: Git,
  updates: readonly RefUpdate[],
  message: string,
  options: GitOptions = {},
): Promise<Preparation> {
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
  const acknowledged = async (command: string): Promise<boolean> => {
    child.stdin.write(`${command}\0`)
    const wanted = `${command}: ok\n`
    while (!said.includes(wanted) && !ended) await new Promise<void>((resolve) => (wake = resolve))
    return said.includes(wanted)
  }
  const failed = async (): Promise<Preparation> => {
    child.stdin.end()
    await closed
    return { prepared: false, detail: detail.trim(), exitCode }
  }

  if (!(await acknowledged('start'))) return failed()
  // Git locks in this order. The operation's own ref comes first, so that whatever a killed git leaves has a witness.
  const ordered = [...updates].sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)))
  const length = Math.max(...updates.map((one) => (one.new ?? one.old ?? '').length)) || OID_LENGTH
  child.stdin.write(Buffer.concat(ordered.map((update) => command(update, '0'.repeat(length)))))
  if (!(await acknowledged('prepare'))) return failed()
  return {
    prepared: true,
    refs: {
      commit: async () => {
        const done = await acknowledged('commit')
        child.stdin.end()
        await closed
        return done && exitCode === 0
      },
      abort: async () => {
        const done = await acknowledged('abort')
        child.stdin.end()
        await closed
        return done && exitCode === 0
      },
    },
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
