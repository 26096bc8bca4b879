import { count } from '../../../../shared/errors/refusals.ts'
import type { Able, ConflictOperation, Who } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { readCommit } from './commitFacts.ts'
import { patchInfo, type Stopped } from './stopped.ts'

/** Both sides with names that differ, and the words for the whole. */
export interface Named {
  readonly ours: Who
  readonly theirs: Who
  readonly title: string
  readonly baseLabel: string
}

const NOBODY: Who = { name: '', branch: null, oid: null, author: null, at: null, subject: null }
const short = (oid: string | null) => oid?.slice(0, 7) ?? ''

/** Who stands behind the stages, and what the operation is called. `refs`: full name → commit. */
export async function nameSides(
  repo: RepositoryContext,
  gitDir: string,
  stopped: Stopped,
  refs: ReadonlyMap<string, string>,
): Promise<Named> {
  const [ours, theirs] = await Promise.all([
    sideOf(repo, refs, stopped.shown.ours, stopped.branches.ours),
    stopped.operation === 'am'
      ? Promise.resolve({ ...NOBODY, ...patchInfo(gitDir) })
      : sideOf(repo, refs, stopped.shown.theirs, stopped.branches.theirs),
  ])
  const names = namesOf(stopped, ours, theirs)
  const named = { ours: { ...ours, name: names.ours }, theirs: { ...theirs, name: names.theirs } }
  return { ...named, ...(await wordsOf(repo, stopped, named.ours, named.theirs)) }
}

async function sideOf(
  repo: RepositoryContext,
  refs: ReadonlyMap<string, string>,
  oid: string | null,
  branch: string | null,
): Promise<Who> {
  const facts = oid === null ? null : await readCommit(repo, oid)
  return {
    name: '',
    branch: branch ?? (oid === null ? null : branchAt(refs, oid, repo.repository.trunk.branch)),
    oid: facts?.oid ?? null,
    author: facts?.author ?? null,
    at: facts?.at ?? null,
    subject: facts?.subject ?? null,
  }
}

/** A branch whose tip a commit is: trunk before others, local ones before remote ones. */
function branchAt(refs: ReadonlyMap<string, string>, oid: string, trunk: string): string | null {
  if (refs.get(`refs/heads/${trunk}`) === oid) return trunk
  for (const kind of ['refs/heads/', 'refs/remotes/'])
    for (const [ref, tip] of refs)
      if (tip === oid && ref.startsWith(kind) && !ref.endsWith('/HEAD')) return ref.slice(kind.length)
  return null
}

/** The authors; where they are one, or none, the branches; where these do not tell the sides apart, what the sides are. */
function namesOf(stopped: Stopped, ours: Who, theirs: Who): { ours: string; theirs: string } {
  const { operation } = stopped
  const fixed =
    operation === 'revert'
      ? `the state before ${short(stopped.trees.base)}`
      : operation === 'stash'
        ? 'the stash'
        : operation === 'unmerged-index' && stopped.trees.theirs === null
          ? 'the other side'
          : null
  if (fixed !== null) return { ours: ours.branch ?? ours.author ?? 'this side', theirs: fixed }
  if (ours.author && theirs.author && ours.author !== theirs.author) return { ours: ours.author, theirs: theirs.author }
  const other = operation === 'am' ? 'the patch' : operation === 'cherry-pick' ? 'the picked commit' : 'the other side'
  const names = {
    ours: ours.branch ?? (short(ours.oid) || 'this side'),
    theirs: theirs.branch ?? (short(theirs.oid) || other),
  }
  return names.ours === names.theirs ? { ...names, theirs: other } : names
}

async function wordsOf(
  repo: RepositoryContext,
  stopped: Stopped,
  ours: Who,
  theirs: Who,
): Promise<{ title: string; baseLabel: string }> {
  const { trees } = stopped
  const here = ours.branch ?? (short(ours.oid) || 'HEAD')
  const subject = theirs.subject === null ? short(theirs.oid) : `“${theirs.subject}”`
  const base = trees.base === null ? '' : `, ${short(trees.base)}`
  switch (stopped.operation) {
    case 'merge':
      return {
        title: `Merging ${theirs.branch ?? short(theirs.oid)} into ${here}`,
        baseLabel: `the version before both${base}`,
      }
    case 'rebase':
      return {
        title: `Rebasing ${theirs.branch ?? short(theirs.oid)} onto ${here}`,
        baseLabel: `the version before ${subject}${base}`,
      }
    case 'cherry-pick':
      return { title: `Cherry-picking ${subject} onto ${here}`, baseLabel: `the version before ${subject}${base}` }
    case 'revert': {
      const reverted = trees.base === null ? null : await readCommit(repo, trees.base)
      const what = reverted?.subject ? `“${reverted.subject}”` : short(trees.base)
      return { title: `Reverting ${what} on ${here}`, baseLabel: `the version with ${what}${base}` }
    }
    case 'am':
      return { title: `Applying the patch ${subject} on ${here}`, baseLabel: 'the version that the patch was made for' }
    case 'stash':
      return { title: `Putting the stash back on ${here}`, baseLabel: `the version that was stashed upon${base}` }
    default:
      return { title: `Unmerged files on ${here}`, baseLabel: 'the version before both' }
  }
}

const GO_ON: Partial<Record<ConflictOperation, readonly [proceed: string, abort: string]>> = {
  merge: ['Commit the merge', 'Abort the merge'],
  rebase: ['Continue the rebase', 'Abort the rebase'],
  'cherry-pick': ['Continue the cherry-pick', 'Abort the cherry-pick'],
  revert: ['Continue the revert', 'Abort the revert'],
  am: ['Continue with the patches', 'Abort the patches'],
  stash: ['Drop the stash', 'Take the stash back out'],
}

/** Whether the operation can be gone on with and given up, by what is left. */
export function ables(operation: ConflictOperation, open: number, unborn: boolean): { proceed: Able; abort: Able } {
  const words = GO_ON[operation]
  if (!words) {
    const why = 'Git is in the middle of nothing here: once all is resolved, commit as usual.'
    return {
      proceed: { able: false, why, label: 'Continue' },
      abort: { able: false, why: 'Git does not know where these conflicts came from.', label: 'Abort' },
    }
  }
  const why = open === 0 ? null : `${count(open, 'file is', 'files are')} not resolved yet.`
  return {
    proceed: { able: open === 0, why, label: words[0] },
    abort: { able: !unborn, why: unborn ? 'There is no commit to go back to.' : null, label: words[1] },
  }
}
