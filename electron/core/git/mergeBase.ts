import type { Git } from './process.ts'

/** The best common ancestor of two commits; null where they share none. */
export async function mergeBase(git: Git, one: string, other: string): Promise<string | null> {
  const answer = await git.run(['merge-base', one, other], { ok: [0, 1] })
  return answer.stdout.toString('utf8').split('\n')[0] || null
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
