import { decodePath, splitNul } from '../git/bytes.ts'
import { readLog, trailerValues } from '../git/log.ts'
import type { Git } from '../git/process.ts'

export interface TrunkCommitFiles {
  readonly oid: string
  readonly author: string
  /** ISO 8601 UTC. */
  readonly at: string
  /** A sleep run made it. */
  readonly bySleep: boolean
  readonly files: readonly string[]
}

const DAYS = 7
const DAY_MS = 86_400_000
/** Commits of the week that are looked at, the newest first: a busy trunk must not make the inbox slow. */
const LIMIT = 2000

/** Local date `2026-11-30` of an instant. */
export function localDate(at: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** The last seven local dates, oldest first, today last. */
export function lastDates(now: Date): string[] {
  const noon = new Date(now.getFullYear(), now.getMonth(), now.getDate(), 12)
  return Array.from({ length: DAYS }, (_, back) => localDate(new Date(noon.getTime() - (DAYS - 1 - back) * DAY_MS)))
}

/** Midnight, local time, of the first of the last seven days. */
export const weekStart = (now: Date): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - (DAYS - 1), 0, 0, 0)

/** Trunk's own commits of the last seven days, newest first, with the files that each changed. */
export async function readWeek(git: Git, trunk: string | null, now: Date): Promise<TrunkCommitFiles[]> {
  if (trunk === null) return []
  const since = Math.floor(weekStart(now).getTime() / 1000)
  const commits = await readLog(git, null, trunk, { firstParent: true, since, limit: LIMIT })
  if (commits.length === 0) return []
  const files = await filesOf(
    git,
    commits.map((commit) => commit.oid),
  )
  return commits.map((commit) => ({
    oid: commit.oid,
    author: commit.author,
    at: commit.at,
    bySleep: trailerValues(commit, 'Memhtml-Run').length > 0,
    files: files.get(commit.oid) ?? [],
  }))
}

/** The paths that each commit changed against its first parent. */
async function filesOf(git: Git, oids: readonly string[]): Promise<Map<string, string[]>> {
  const { stdout } = await git.run(
    ['diff-tree', '--stdin', '-r', '-z', '--root', '--no-renames', '--diff-merges=first-parent', '--name-only'],
    { input: `${oids.join('\n')}\n` },
  )
  const wanted = new Set(oids)
  const files = new Map<string, string[]>()
  let current: string[] = []
  for (const field of splitNul(stdout)) {
    const text = decodePath(field)
    // A path that is spelt like one of these very ids does not occur.
    if (wanted.has(text) && !files.has(text)) {
      current = []
      files.set(text, current)
    } else current.push(text)
  }
  return files
}

/** Who committed on trunk, sleep runs left out; whoever was last comes first. */
export function writersOf(commits: readonly TrunkCommitFiles[]): { name: string; commits: number }[] {
  const counts = new Map<string, number>()
  for (const commit of commits) if (!commit.bySleep) counts.set(commit.author, (counts.get(commit.author) ?? 0) + 1)
  return [...counts].map(([name, n]) => ({ name, commits: n }))
}
