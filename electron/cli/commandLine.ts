import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { AppError } from '../../shared/errors/index.ts'
import { usageError } from './usage.ts'
import type { Options, Values, Verb } from './verb.ts'
import { findVerb, VERBS, type VerbRow } from './verbs.ts'
import { nearest, plain } from './words.ts'

const GLOBAL = {
  json: { type: 'boolean' },
  repo: { type: 'string' },
  actor: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const satisfies Options

/** Options of verbs that take a value, so that the value is not taken for the verb. */
const VALUED = {
  host: { type: 'string' },
  port: { type: 'string' },
  except: { type: 'string' },
  session: { type: 'string' },
  into: { type: 'string' },
  'body-file': { type: 'string' },
  'expected-version': { type: 'string' },
  'on-conflict': { type: 'string' },
} as const satisfies Options

export interface Globals {
  readonly json: boolean
  readonly repo: string | undefined
  readonly actor: string | undefined
  readonly help: boolean
  readonly version: boolean
}

/** What the command line asks for, before the verb's own options are looked at. */
export interface Asked {
  readonly globals: Globals
  /** Null where there is only `--help` or `--version`, or a group such as `sleep` with `--help`. */
  readonly row: VerbRow | null
  /** How many of the words name the verb. */
  readonly verbWords: number
}

/**
 * Finds the verb; options may stand before it. A single word that is a folder, or is written like a
 * path, asks to open the app on it. Errors: ERR_USAGE, with the nearest verb.
 */
export function readCommandLine(argv: readonly string[], cwd: string): Asked {
  const options = { ...VALUED, ...GLOBAL }
  const { values, positionals } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true })
  const string = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const globals: Globals = {
    json: values.json === true,
    repo: string(values.repo),
    actor: string(values.actor),
    help: values.help === true,
    version: values.version === true,
  }
  const asked = (row: VerbRow | null, verbWords: number): Asked => ({ globals, row, verbWords })
  const [first, second] = positionals
  const found = findVerb(positionals)
  if (found && found.row.name !== 'open') return asked(found.row, positionals.length - found.rest.length)
  if (first === undefined) return asked(globals.help || globals.version ? null : openRow(), 0)
  const group = VERBS.filter((row) => row.name.startsWith(`${first} `))
  if (group.length > 0) {
    if (globals.help) return asked(null, 1)
    throw unknownVerb(`${first} ${second ?? ''}`.trim(), group)
  }
  if (looksLikeFolder(first, cwd)) return asked(openRow(), 0)
  throw unknownVerb(positionals.slice(0, 2).join(' '), VERBS)
}

const openRow = () => VERBS[0] ?? null

function looksLikeFolder(word: string, cwd: string): boolean {
  if (/[/\\]/.test(word) || word === '.' || word === '..') return true
  return statSync(resolve(cwd, word), { throwIfNoEntry: false })?.isDirectory() ?? false
}

function unknownVerb(words: string, among: readonly VerbRow[]): AppError {
  const names = among.map((row) => row.name)
  const first = words.split(' ')[0] ?? words
  const near = nearest(words, names) ?? nearest(first, names)
  const usage = near === null ? 'daybreak --help' : `daybreak ${near}`
  const hint = near === null ? `There are: ${names.join(', ')}.` : `Did you mean ${near}?`
  return usageError(`There is no command \`${plain(words)}\`. ${hint}`, usage, usage)
}

export interface VerbArguments {
  readonly values: Values
  readonly positionals: readonly string[]
}

/** Reads the verb's own options and words. Errors: ERR_USAGE naming what is wrong. */
export function readArguments(argv: readonly string[], asked: Asked, verb: Verb): VerbArguments {
  const usage = asked.row?.usage ?? 'daybreak --help'
  const help = asked.row?.name === 'open' ? 'daybreak --help' : `daybreak ${asked.row?.name} --help`
  const options: Options = { ...verb.options, ...GLOBAL }
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: true })
    const rest = positionals.slice(asked.verbWords)
    const extra = rest[verb.words]
    if (extra !== undefined) throw usageError(`\`${plain(extra)}\` is one word too many. Usage: ${usage}`, usage, help)
    return { values: values as Values, positionals: rest }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw usageError(`${optionIssue(error, Object.keys(options))} Usage: ${usage}`, usage, help)
  }
}

function optionIssue(error: unknown, known: readonly string[]): string {
  const code = (error as NodeJS.ErrnoException).code
  const text = error instanceof Error ? error.message : String(error)
  const option = /'(-{1,2}[^'\s=]+)/.exec(text)?.[1] ?? ''
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const near = nearest(option.replace(/^-+/, ''), known)
    return `There is no option ${plain(option)} here.${near === null ? '' : ` Did you mean --${near}?`}`
  }
  return `${plain(option)} is not given as it should be.`
}
