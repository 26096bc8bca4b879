import type { Readable, Writable } from 'node:stream'
import { AppError, type WireError } from '../../shared/errors/index.ts'
import { appHome } from '../host/home.ts'
import { createLog } from '../host/log.ts'
import { VERSION } from '../host/version.ts'
import { type Answer, EXIT, envelope, failureEnvelope, failureText } from './answer.ts'
import { readArguments, readCommandLine } from './commandLine.ts'
import { createSession, Failure, type Session } from './session.ts'
import { type Stop, stopOnSignals } from './signals.ts'
import type { VerbRow } from './verbs.ts'
import { generalHelp } from './verbs.ts'

export interface Io {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly stdin: Readable
  readonly stdout: Writable
  /** Each resolves when the text is handed on, also when nobody reads it any more. */
  readonly out: (text: string) => Promise<void>
  readonly err: (text: string) => Promise<void>
}

/** Runs one command line and resolves with the exit code. Never rejects. */
export async function run(given: readonly string[], io: Io): Promise<number> {
  const json = given.includes('--json')
  const home = appHome(io.env)
  const log = createLog(home)
  const print = async (answer: Answer) => {
    if (json) await io.out(`${envelope(answer)}\n`)
    else if (answer.text !== '')
      await (answer.exitCode === EXIT.success || answer.asked ? io.out : io.err)(`${answer.text}\n`)
  }
  const fail = async (error: WireError): Promise<number> => {
    if (json) await io.out(`${failureEnvelope(error)}\n`)
    else await io.err(`${failureText(error)}\n`)
    return error.code === 'ERR_USAGE' || error.code === 'ERR_WHICH_RUN' ? EXIT.usage : EXIT.failed
  }

  let session: Session | null = null
  let stop: Stop | null = null
  try {
    const argv = toolWords(given)
    const asked = readCommandLine(argv, io.cwd)
    if (asked.globals.version) {
      await print({ type: 'version', data: { version: VERSION }, text: VERSION, exitCode: EXIT.success })
      return EXIT.success
    }
    if (asked.row === null) {
      await io.out(`${generalHelp()}\n`)
      return EXIT.success
    }
    const { verb } = await asked.row.load()
    if (asked.globals.help) {
      await io.out(`${asked.row.name === 'open' ? generalHelp() : verbHelp(asked.row, verb.help)}\n`)
      return EXIT.success
    }
    const args = readArguments(argv, asked, verb)
    const { repo, actor } = asked.globals
    const ports = {
      home,
      env: io.env,
      clock: () => new Date(),
      host: 'cli' as const,
      version: VERSION,
      log: log.line,
    }
    session = createSession({ ports, log, cwd: io.cwd, repo, actor })
    stop = stopOnSignals(session)
    const work = verb.run({
      ...args,
      json,
      cwd: io.cwd,
      env: io.env,
      session,
      actor,
      stdin: io.stdin,
      stdout: io.stdout,
      print,
      say: (line) => void io.err(`${line}\n`),
      stay: stop.stay,
    })
    const answer = await Promise.race([work, stop.interrupted])
    if (answer === 'interrupted') return EXIT.interrupted
    if (answer === null) return EXIT.success
    await print(answer)
    return answer.exitCode
  } catch (error) {
    if (error instanceof Failure) return await fail(error.wire)
    if (error instanceof AppError) return await fail(error.toWire())
    return await fail(new AppError('ERR_INTERNAL', { reference: log.report(error, 'command line') }).toWire())
  } finally {
    stop?.release()
    await session?.dispose().catch((error: unknown) => log.report(error, 'ending'))
  }
}

/** Git calls its merge tool with the bare names of files, which may look like options. */
function toolWords(argv: readonly string[]): readonly string[] {
  return argv[0] === 'mergetool' && argv.length === 5 && !argv.includes('--')
    ? ['mergetool', '--', ...argv.slice(1)]
    : argv
}

function verbHelp(row: VerbRow, help: readonly string[]): string {
  return [row.usage, `  ${row.summary}`, ...(help.length > 0 ? ['', ...help] : [])].join('\n')
}

/**
 * Writes and waits; a reader that has gone away is no reason to stop what was asked for. `onLost`: told what could not be
 * written although someone wanted it, as on a full disk.
 */
function writer(stream: NodeJS.WriteStream, onLost: (why: string) => void): (text: string) => Promise<void> {
  stream.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
    if (!['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'].includes(code)) onLost(code)
  })
  return (text) => new Promise((resolve) => stream.write(text, () => resolve()))
}

/** A bug outside of every call, in a watcher or a timer: logged, said in one line, and the process ends. */
function endOnBug(error: unknown): void {
  const reference = createLog(appHome(process.env)).report(error, 'outside of a command')
  process.stderr.write(`daybreak: something in Daybreak itself went wrong (reference ${reference})\n`)
  process.exit(EXIT.failed)
}

/** The command line of this process. Ends the process. */
export async function main(): Promise<void> {
  process.on('uncaughtException', endOnBug)
  let lost: string | null = null
  const err = writer(process.stderr, () => {})
  const out = writer(process.stdout, (why) => {
    lost = why
  })
  const code = await run(process.argv.slice(2), {
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    out,
    err,
  })
  if (lost !== null) await err(`daybreak: not all of the answer could be written (${lost})\n`)
  process.exit(lost !== null && code === EXIT.success ? EXIT.failed : code)
}
