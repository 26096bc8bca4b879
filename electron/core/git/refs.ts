import type { Head } from '../../../shared/model/index.ts'
import { decodePath } from './bytes.ts'
import type { Discovered } from './discover.ts'
import type { Git } from './process.ts'
import { readRefFiles } from './refFiles.ts'

/** Every local and remote-tracking branch at one moment. */
export interface RefSnapshot {
  readonly head: Head
  /** Full name → object id. */
  readonly refs: ReadonlyMap<string, string>
  /** Symbolic refs: full name → full name of the target. */
  readonly symbolic: ReadonlyMap<string, string>
}

export const LOCAL = 'refs/heads/'
export const REMOTE = 'refs/remotes/'

/** Short name of a full ref: `refs/heads/a/b` → `a/b`, `refs/remotes/origin/a` → `origin/a`. */
export const shortName = (ref: string): string =>
  ref.startsWith(LOCAL) ? ref.slice(LOCAL.length) : ref.startsWith(REMOTE) ? ref.slice(REMOTE.length) : ref

/**
 * Reads HEAD and all branches in one call. Asks for names and ids only, so that a branch whose commits are gone is
 * still listed.
 */
export async function readRefs(git: Git): Promise<RefSnapshot> {
  const format = '%(HEAD)%(refname)%00%(objectname)%00%(symref)'
  const list = await git.run(['for-each-ref', `--format=${format}`, LOCAL, REMOTE])
  const refs = new Map<string, string>()
  const symbolic = new Map<string, string>()
  let head: Head | null = null
  for (const row of decodePath(list.stdout).split('\n')) {
    const [marked, oid, target] = row.split('\0')
    if (!marked || !oid) continue
    const name = marked.slice(1)
    if (target) symbolic.set(name, target)
    else refs.set(name, oid)
    if (marked.startsWith('*')) head = { kind: 'branch', branch: shortName(name), oid }
  }
  // Detached, unborn, or on a symbolic branch: no row is marked.
  return { head: head ?? (await readHead(git)), refs, symbolic }
}

/** The same from the files of refs, which costs no process; git is asked where they are out of the ordinary. */
export async function readRefsQuickly(git: Git, place: Pick<Discovered, 'commonDir' | 'gitDir'>): Promise<RefSnapshot> {
  const files = readRefFiles(place.commonDir, place.gitDir)
  const oid = files?.head ? files.refs.get(files.head) : undefined
  if (!files?.head || oid === undefined) return readRefs(git)
  return { head: { kind: 'branch', branch: shortName(files.head), oid }, refs: files.refs, symbolic: files.symbolic }
}

/** HEAD of the worktree where `git` runs. */
async function readHead(git: Git): Promise<Head> {
  const [symbolic, resolved] = await Promise.all([
    git.run(['symbolic-ref', '-q', 'HEAD'], { ok: [0, 1] }),
    git.run(['rev-parse', '--verify', '-q', 'HEAD^0'], { ok: [0, 1, 128] }),
  ])
  const oid = resolved.stdout.toString('utf8').trim()
  const target = decodePath(symbolic.stdout).replace(/\n$/, '')
  if (target) return oid ? { kind: 'branch', branch: shortName(target), oid } : unbornOrBroken(git, target)
  if (oid) return { kind: 'detached', oid }
  return { kind: 'detached', oid: await git.text(['rev-parse', 'HEAD']) }
}

/** A branch whose ref is there but whose commit is not is no unborn one: its id is told as it stands. */
async function unbornOrBroken(git: Git, ref: string): Promise<Head> {
  const oid = await git.text(['for-each-ref', '--format=%(objectname)', ref])
  const branch = shortName(ref)
  return oid ? { kind: 'branch', branch, oid } : { kind: 'unborn', branch }
}

/** The object id of a ref or revision, null where there is none. `name` must not start with a dash. */
export async function resolveCommit(git: Git, name: string): Promise<string | null> {
  const answer = await git.run(['rev-parse', '--verify', '-q', '--end-of-options', `${name}^{commit}`], {
    ok: [0, 1, 128],
  })
  return answer.stdout.toString('utf8').trim() || null
}
