import { type ConfigEntry, isLocal } from './drivers.ts'
import type { ObjectWriter } from './objectWriter.ts'
import type { Git } from './process.ts'

export interface CommitSetup {
  readonly git: Git
  readonly config: readonly ConfigEntry[]
  readonly now: Date
  /** Whether signing that the repository itself defines may run. */
  readonly trusted: boolean
  /** Writes the commit without a process of its own, where it is not to be signed: then it is queued only. */
  readonly writer?: ObjectWriter
}

/** Who a commit is by. */
export interface Person {
  readonly name: string
  readonly email: string
}

/** Where git knows nobody. */
export const DAYBREAK: Person = { name: 'Daybreak', email: 'daybreak@localhost.invalid' }

export interface NewCommit {
  /** Default: the committer. */
  readonly author?: Person
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
}

const SIGNERS = /^gpg\.(?:.+\.)?program$|^gpg\.ssh\.defaultkeycommand$/s

/** Writes a commit that nothing refers to yet; its id. The committer is the person, or Daybreak where git knows none. */
export async function writeCommit(setup: CommitSetup, commit: NewCommit): Promise<string> {
  const { git, config, now, writer } = setup
  const signs = signing(setup)
  const committer = personIn(config)
  const author = commit.author ?? committer
  const date = `${Math.floor(now.getTime() / 1000)} ${offset(now)}`
  if (writer && signs === null)
    return writer.queue('commit', commitBytes(commit, author, committer, date), commit.tree.length)
  await writer?.flush()
  const args = [...(signs ?? ['commit-tree']), ...commit.parents.flatMap((parent) => ['-p', parent])]
  const env = {
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
  }
  return git.text([...args, '-F', '-', commit.tree], { env, input: commit.message })
}

/** The person as git knows them; Daybreak where it knows none. */
export function personIn(config: readonly ConfigEntry[]): Person {
  const value = (key: string) => config.findLast((entry) => entry.key === key)?.value.trim() ?? ''
  const name = value('user.name').replaceAll(/[<>\p{Cc}]/gu, '')
  const email = value('user.email').replaceAll(/[<>\p{Cc}]/gu, '')
  return name !== '' && email !== '' ? { name, email } : DAYBREAK
}

/** A commit object's bytes, in UTF-8 (git's Documentation/user-manual, "Commit object"). */
function commitBytes(commit: NewCommit, author: Person, committer: Person, date: string): Buffer {
  const who = ({ name, email }: Person) => `${name} <${email}> ${date}`
  const head = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${who(author)}`,
    `committer ${who(committer)}`,
  ]
  return Buffer.from(`${head.join('\n')}\n\n${commit.message}`)
}

/** `+0100` from a date's own offset. */
function offset(date: Date): string {
  const minutes = -date.getTimezoneOffset()
  const part = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${part(minutes / 60)}${part(minutes % 60)}`
}

/**
 * `commit-tree` with `-S` where the person wants commits signed (else null): it ignores `commit.gpgSign` by itself. A signing
 * program of the repository's own gives way to the person's unless the repository is trusted.
 */
function signing(setup: CommitSetup): string[] | null {
  const mine = setup.config.filter((entry) => setup.trusted || !isLocal(entry))
  const wants = mine.findLast((entry) => entry.key === 'commit.gpgsign')?.value === 'true'
  if (!wants) return null
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
