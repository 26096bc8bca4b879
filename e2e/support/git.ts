import { execFileSync, spawnSync } from 'node:child_process'

export interface RawGitOptions {
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
}

/** The fixed identity and first instant of everything that the builders commit. */
export const PERSON = { name: 'Test Person', email: 'person@example.invalid' } as const
export const FIRST_INSTANT = Date.UTC(2026, 10, 23, 9, 0, 0)

/** The environment of raw git in tests: no configuration of the machine or of the person, fixed identity and dates. */
export function rawGitEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const date = `${FIRST_INSTANT / 1000} +0000`
  return {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_AUTHOR_NAME: PERSON.name,
    GIT_AUTHOR_EMAIL: PERSON.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: PERSON.name,
    GIT_COMMITTER_EMAIL: PERSON.email,
    GIT_COMMITTER_DATE: date,
    ...extra,
  }
}

/** Runs plain git and gives its stdout as bytes. Throws when it fails. */
export function gitBytes(cwd: string, args: readonly string[], options: RawGitOptions = {}): Buffer {
  return execFileSync('git', args, {
    cwd,
    env: rawGitEnvironment(options.env),
    input: options.input ?? '',
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/** Runs plain git and gives its stdout as text without the last newline. Throws when it fails. */
export function git(cwd: string, args: readonly string[], options: RawGitOptions = {}): string {
  return gitBytes(cwd, args, options).toString('utf8').replace(/\n$/, '')
}

/** Exit code of plain git; for questions whose answer is one. */
export function gitStatus(cwd: string, args: readonly string[], options: RawGitOptions = {}): number {
  const run = spawnSync('git', args, { cwd, env: rawGitEnvironment(options.env), input: options.input ?? '' })
  return run.status ?? -1
}
