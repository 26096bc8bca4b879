import { LOCAL, REMOTE, type RefSnapshot } from './refs.ts'

export interface Trunk {
  readonly branch: string
  readonly oid: string | null
}

/**
 * Which branch is trunk: `wanted` (a setting), else the local branch of origin/HEAD's name, `main`, `master`, else
 * the unborn branch that HEAD is on. With none of them `main` without a commit.
 */
export function chooseTrunk(snapshot: RefSnapshot, wanted: string | null): Trunk {
  const at = (branch: string): string | null => snapshot.refs.get(LOCAL + branch) ?? null
  if (wanted) return { branch: wanted, oid: at(wanted) }
  const candidates = trunkCandidates(snapshot)
  for (const branch of candidates) {
    const oid = at(branch)
    if (oid) return { branch, oid }
  }
  if (snapshot.head.kind === 'unborn') return { branch: snapshot.head.branch, oid: null }
  return { branch: candidates[0] ?? 'main', oid: null }
}

/** The names that are tried, in order. */
export function trunkCandidates(snapshot: RefSnapshot): string[] {
  const prefix = `${REMOTE}origin/`
  const target = snapshot.symbolic.get(`${prefix}HEAD`)
  const named = target?.startsWith(prefix) ? [target.slice(prefix.length)] : []
  return [...new Set([...named, 'main', 'master'])]
}
