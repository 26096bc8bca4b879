import type { Readable, Writable } from 'node:stream'
import type { ParseArgsConfig } from 'node:util'
import type { Answer } from './answer.ts'
import type { Session } from './session.ts'

export type Options = NonNullable<ParseArgsConfig['options']>
export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

/** What a verb is called with. */
export interface Invocation {
  readonly values: Values
  readonly positionals: readonly string[]
  readonly json: boolean
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly session: Session
  /** Who `--actor` says it is. */
  readonly actor: string | undefined
  readonly stdin: Readable
  /** For verbs that speak a protocol of their own. */
  readonly stdout: Writable
  /** Prints the envelope or text of an answer before the verb has ended, for verbs that stay. */
  readonly print: (answer: Answer) => Promise<void>
  /** One line on stderr. */
  readonly say: (line: string) => void
  /** Waits until the person ends the command, for verbs that stay. */
  readonly stay: () => Promise<void>
}

export interface Verb {
  readonly options: Options
  /** At most so many words after the verb; fewer are the verb's own affair. */
  readonly words: number
  /** What `--help` says below the usage line, one line each. */
  readonly help: readonly string[]
  run(call: Invocation): Promise<Answer | null>
}

/** A value of an option that takes one, undefined where it was not given. */
export function text(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** All values of an option that may be given several times. */
export function texts(values: Values, name: string): readonly string[] {
  const value = values[name]
  return Array.isArray(value) ? value.filter((v) => typeof v === 'string') : []
}
