import { type ConfigEntry, isLocal } from './drivers.ts'
import type { Git } from './process.ts'

export interface CommitSetup {
  readonly git: Git
  readonly config: readonly ConfigEntry[]
  readonly now: Date
  /** Whether signing that the repository itself defines may run. */
  readonly trusted: boolean
}

export interface NewCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
}

const SIGNERS = /^gpg\.(?:.+\.)?program$|^gpg\.ssh\.defaultkeycommand$/s

/** Writes a commit that nothing refers to yet; its id. Author and committer are the person, or Daybreak where git knows none. */
export async function writeCommit(setup: CommitSetup, commit: NewCommit): Promise<string> {
  const { git, config, now } = setup
  const args = [...signing(setup), ...commit.parents.flatMap((parent) => ['-p', parent]), '-F', '-', commit.tree]
  const has = (key: string) => config.some((entry) => entry.key === key && entry.value.trim() !== '')
  const date = `${Math.floor(now.getTime() / 1000)} ${offset(now)}`
  const who = has('user.name') && has('user.email')
  const env = {
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
    ...(who ? {} : identity('Daybreak', 'daybreak@localhost.invalid')),
  }
  return git.text(args, { env, input: commit.message })
}

const identity = (name: string, email: string): Record<string, string> => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
})

/** `+0100` from a date's own offset. */
function offset(date: Date): string {
  const minutes = -date.getTimezoneOffset()
  const part = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${part(minutes / 60)}${part(minutes % 60)}`
}

/**
 * `commit-tree` with `-S` where the person wants commits signed: it ignores `commit.gpgSign` by itself. A signing
 * program of the repository's own gives way to the person's unless the repository is trusted.
 */
function signing(setup: CommitSetup): string[] {
  const mine = setup.config.filter((entry) => setup.trusted || !isLocal(entry))
  const wants = mine.findLast((entry) => entry.key === 'commit.gpgsign')?.value === 'true'
  if (!wants) return ['commit-tree']
  const foreign = new Set(
    setup.config.filter((entry) => isLocal(entry) && SIGNERS.test(entry.key)).map((entry) => entry.key),
  )
  const overrides = setup.trusted
    ? []
    : [...foreign].flatMap((key) => [
        '-c',
        `${key}=${mine.findLast((entry) => entry.key === key)?.value ?? DEFAULTS[key] ?? ''}`,
      ])
  return [...overrides, 'commit-tree', '-S']
}

const DEFAULTS: Readonly<Record<string, string>> = {
  'gpg.program': 'gpg',
  'gpg.openpgp.program': 'gpg',
  'gpg.x509.program': 'gpgsm',
  'gpg.ssh.program': 'ssh-keygen',
}

/** A message with trailers as its last paragraph. Values are one line each. */
export function withTrailers(text: string, trailers: readonly (readonly [key: string, value: string])[]): string {
  return `${text.trimEnd()}\n\n${trailers.map(([key, value]) => `${key}: ${value}`).join('\n')}\n`
}
