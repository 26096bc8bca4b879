import { decodePath, splitNul } from './bytes.ts'
import type { Git } from './process.ts'

interface Trailer {
  readonly key: string
  readonly value: string
}

export interface CommitEntry {
  readonly oid: string
  readonly tree: string
  readonly parents: readonly string[]
  readonly author: string
  readonly authorEmail: string
  /** Committer time, ISO 8601 UTC. */
  readonly at: string
  readonly subject: string
  /** The message without its subject, trailers included. */
  readonly body: string
  /** Trailers of the last paragraph as git reads them, unfolded, in order. */
  readonly trailers: readonly Trailer[]
}

const UNIT = '\x1f'
const RECORD = '\x1e'
const FORMAT = [
  '%H',
  '%T',
  '%P',
  '%an',
  '%ae',
  '%ct',
  '%s',
  '%b',
  `%(trailers:only=true,unfold=true,separator=%x1e,key_value_separator=%x1f)`,
].join('%x00')
const FIELDS = 9
const FLAGS: readonly string[] = [
  '-z',
  '--no-show-signature',
  '--no-color',
  '--no-notes',
  '--encoding=UTF-8',
  `--format=tformat:${FORMAT}`,
]

export interface LogOptions {
  /** At most so many, the newest. */
  readonly limit?: number
  readonly firstParent?: boolean
  /** Committer time at or after, in seconds since 1970. */
  readonly since?: number
}

/** Commits of `from..to` (null: all of `to`), newest first in topological order. */
export async function readLog(
  git: Git,
  from: string | null,
  to: string,
  options: LogOptions = {},
): Promise<CommitEntry[]> {
  const { stdout } = await git.run([
    'log',
    '--topo-order',
    ...FLAGS,
    ...(options.limit === undefined ? [] : [`--max-count=${options.limit}`]),
    ...(options.firstParent ? ['--first-parent'] : []),
    ...(options.since === undefined ? [] : [`--since=${options.since}`]),
    to,
    ...(from ? [`^${from}`] : []),
    '--',
  ])
  return parseLog(stdout)
}

/** These commits, by id, each as `readLog` would give it. One that is not there is left out. */
export async function readCommits(git: Git, oids: readonly string[]): Promise<Map<string, CommitEntry>> {
  if (oids.length === 0) return new Map()
  const { stdout } = await git.run(['log', '--no-walk=unsorted', '--stdin', '--ignore-missing', ...FLAGS], {
    input: `${oids.join('\n')}\n`,
  })
  return new Map(parseLog(stdout).map((commit) => [commit.oid, commit]))
}

/** Parses the output of `readLog`'s format. */
function parseLog(output: Buffer): CommitEntry[] {
  const fields = splitNul(output).map((field) => decodePath(field).toWellFormed())
  const commits: CommitEntry[] = []
  for (let at = 0; at + FIELDS <= fields.length; at += FIELDS) {
    const [oid, tree, parents, author, authorEmail, time, subject, body, trailers] = fields.slice(at) as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    commits.push({
      oid,
      tree,
      parents: parents ? parents.split(' ') : [],
      author,
      authorEmail,
      at: new Date(Number(time) * 1000).toISOString(),
      subject,
      body,
      trailers: parseTrailers(trailers),
    })
  }
  return commits
}

function parseTrailers(text: string): Trailer[] {
  if (!text) return []
  return text.split(RECORD).flatMap((entry) => {
    const cut = entry.indexOf(UNIT)
    return cut === -1 ? [] : [{ key: entry.slice(0, cut).trim(), value: entry.slice(cut + 1).trim() }]
  })
}

/** The values of a trailer, by its name in any case. */
export const trailerValues = (commit: Pick<CommitEntry, 'trailers'>, key: string): string[] =>
  commit.trailers.filter((one) => one.key.toLowerCase() === key.toLowerCase()).map((one) => one.value)
