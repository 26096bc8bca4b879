import type { Git } from './process.ts'

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
/** The last answers: what two commits come from never changes. */
const known = new Map<string, string>()
const KEPT = 256

/** The best common ancestor of two commits; null where they share none. */
export async function mergeBase(git: Git, one: string, other: string): Promise<string | null> {
  const key = COMMIT.test(one) && COMMIT.test(other) ? `${one} ${other}` : null
  const before = key === null ? undefined : known.get(key)
  if (before !== undefined) return before
  const answer = await git.run(['merge-base', one, other], { ok: [0, 1] })
  const found = answer.stdout.toString('utf8').split('\n')[0] || null
  // In a shallow clone history may grow at its end, so that only what was found is kept.
  if (key !== null && found !== null) known.set(key, found)
  for (const oldest of known.keys()) {
    if (known.size <= KEPT) break
    known.delete(oldest)
  }
  return found
}

/** Whether `ancestor` is reachable from `commit`; a commit is its own ancestor. */
export async function isAncestor(git: Git, ancestor: string, commit: string): Promise<boolean> {
  if (ancestor === commit) return true
  return (await git.run(['merge-base', '--is-ancestor', ancestor, commit], { ok: [0, 1] })).exitCode === 0
}

/** How many commits `to` has that `from` has not; `from` null counts all. */
export async function countCommits(git: Git, from: string | null, to: string): Promise<number> {
  return Number(await git.text(['rev-list', '--count', to, ...(from ? [`^${from}`] : []), '--']))
}
