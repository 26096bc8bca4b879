import type { ConflictOperation, ConflictStage } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { mergeBase } from '../../git/mergeBase.ts'
import type { Git } from '../../git/process.ts'
import { shortName } from '../../git/refs.ts'
import { gitsOperation, stateText } from '../settle/gitsOperation.ts'
import { readCommit } from './commitFacts.ts'
import { holds } from './holds.ts'
import { unnamedSides } from './unnamed.ts'

/** What git stopped in, and the commits whose files the stages hold. */
export interface Stopped {
  readonly operation: ConflictOperation
  /** The commits, or trees, of the sides; null where git keeps none. */
  readonly trees: { readonly base: string | null; readonly ours: string | null; readonly theirs: string | null }
  /** The commit that stands for each side in headings, which for a rebase is the one rebased onto. */
  readonly shown: { readonly ours: string | null; readonly theirs: string | null }
  /** Branch that a side is known by, where the operation itself says so. */
  readonly branches: { readonly ours: string | null; readonly theirs: string | null }
  readonly step: { readonly at: number; readonly of: number } | null
}

interface Place {
  readonly repo: RepositoryContext
  /** Runs in the worktree. */
  readonly git: Git
  readonly gitDir: string
  readonly branch: string | null
  /** The commit that is checked out; null before the first. */
  readonly head: string | null
}

const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/
const oidIn = (text: string | null): string | null => {
  const first = text?.split('\n')[0]?.trim() ?? ''
  return OID.test(first) ? first : null
}

/** Reads git's state files. `unmerged`: to tell a popped stash, which leaves no state, by what it holds. */
export async function readStopped(place: Place, unmerged: readonly ConflictStage[]): Promise<Stopped> {
  const { gitDir, head } = place
  switch (gitsOperation(gitDir)) {
    case 'merge':
      return merging(place, head)
    case 'rebase':
      return rebasing(place, head)
    case 'cherry-pick':
      return picking(place, head)
    case 'revert':
      return reverting(place, head, unmerged)
    case 'am':
      return {
        operation: 'am',
        trees: { base: null, ours: head, theirs: null },
        shown: { ours: head, theirs: null },
        branches: { ours: place.branch, theirs: null },
        step: numbered(gitDir, 'rebase-apply/next', 'rebase-apply/last'),
      }
    default:
      return (await popping(place, head, unmerged)) ?? nowhere(place, head, unmerged)
  }
}

async function merging(place: Place, head: string | null): Promise<Stopped> {
  const theirs = oidIn(stateText(place.gitDir, 'MERGE_HEAD'))
  const base = head !== null && theirs !== null ? await mergeBase(place.git, head, theirs) : null
  return {
    operation: 'merge',
    trees: { base, ours: head, theirs },
    shown: { ours: head, theirs },
    branches: { ours: place.branch, theirs: null },
    step: null,
  }
}

/** Stage 2 is what is rebased onto, stage 3 the commit that is being put on top of it. */
async function rebasing(place: Place, head: string | null): Promise<Stopped> {
  const { gitDir, repo } = place
  const merged = stateText(gitDir, 'rebase-merge', 'onto') !== null
  const folder = merged ? 'rebase-merge' : 'rebase-apply'
  const theirs =
    oidIn(stateText(gitDir, 'REBASE_HEAD')) ??
    oidIn(stateText(gitDir, folder, 'stopped-sha')) ??
    oidIn(stateText(gitDir, folder, 'original-commit'))
  const onto = oidIn(stateText(gitDir, folder, 'onto'))
  const name = stateText(gitDir, folder, 'head-name')
  const picked = theirs === null ? null : await readCommit(repo, theirs)
  return {
    operation: 'rebase',
    trees: { base: picked?.parents[0] ?? null, ours: head, theirs },
    shown: { ours: onto ?? head, theirs },
    branches: { ours: null, theirs: name?.startsWith('refs/heads/') ? shortName(name) : null },
    step: merged
      ? numbered(gitDir, 'rebase-merge/msgnum', 'rebase-merge/end')
      : numbered(gitDir, 'rebase-apply/next', 'rebase-apply/last'),
  }
}

async function picking(place: Place, head: string | null): Promise<Stopped> {
  const theirs = oidIn(stateText(place.gitDir, 'CHERRY_PICK_HEAD'))
  const picked = theirs === null ? null : await readCommit(place.repo, theirs)
  return {
    operation: 'cherry-pick',
    trees: { base: picked?.parents[mainline(place.gitDir)] ?? null, ours: head, theirs },
    shown: { ours: head, theirs },
    branches: { ours: place.branch, theirs: null },
    step: await sequence(place, head),
  }
}

/** The base is the commit that is taken back, theirs the one before it. */
async function reverting(place: Place, head: string | null, unmerged: readonly ConflictStage[]): Promise<Stopped> {
  const reverted = oidIn(stateText(place.gitDir, 'REVERT_HEAD'))
  const facts = reverted === null ? null : await readCommit(place.repo, reverted)
  let theirs = facts?.parents[mainline(place.gitDir)] ?? null
  // Of a merge that is reverted alone, git does not keep which side it goes back to.
  for (const parent of facts && facts.parents.length > 1 ? facts.parents : [])
    if (await holds(place.git, parent, unmerged, 3)) theirs = parent
  return {
    operation: 'revert',
    trees: { base: reverted, ours: head, theirs },
    shown: { ours: head, theirs },
    branches: { ours: place.branch, theirs: null },
    step: await sequence(place, head),
  }
}

/** Which parent, from 0, a sequence of picks or reverts goes by. */
function mainline(gitDir: string): number {
  const found = /^\s*mainline = (\d+)$/m.exec(stateText(gitDir, 'sequencer', 'opts') ?? '')
  return found ? Number(found[1]) - 1 : 0
}

/** How many stashes are looked through. */
const STASHES = 20

/** The labels that git gives the sides of a stash, which stand in the names of files it moved aside. */
const MOVED_BY_STASH = /~(?:Updated upstream|Stashed changes)(?:_\d+)?$/

/**
 * A popped or applied stash leaves no state: it is the one that has all of stage 3, or was made on all of stage 1 where
 * there is no stage 3.
 */
async function popping(place: Place, head: string | null, unmerged: readonly ConflictStage[]): Promise<Stopped | null> {
  if (unmerged.length === 0) return null
  const known = await place.git.run(['rev-parse', '-q', '--verify', 'refs/stash'], { ok: [0, 1, 128] })
  if (known.exitCode !== 0) return null
  const list = ['log', '-g', '-z', '--no-show-signature', '--format=%H', `-n${STASHES}`, 'refs/stash', '--']
  const stashes = (await place.git.text(list)).split('\0').filter((oid) => OID.test(oid))
  for (const stash of stashes) {
    const base = (await readCommit(place.repo, stash))?.parents[0] ?? null
    if (!(await cameFrom(place.git, stash, base, unmerged))) continue
    return {
      operation: 'stash',
      trees: { base, ours: head, theirs: stash },
      shown: { ours: head, theirs: stash },
      branches: { ours: place.branch, theirs: null },
      step: null,
    }
  }
  return null
}

async function cameFrom(
  git: Git,
  stash: string,
  base: string | null,
  unmerged: readonly ConflictStage[],
): Promise<boolean> {
  if (unmerged.some((one) => one.stage === 3)) return holds(git, stash, unmerged, 3)
  if (base !== null && unmerged.some((one) => one.stage === 1)) return holds(git, base, unmerged, 1)
  return unmerged.some((one) => MOVED_BY_STASH.test(one.path))
}

/** Git is in the middle of nothing; it may still be known whose files these are. */
async function nowhere(place: Place, head: string | null, unmerged: readonly ConflictStage[]): Promise<Stopped> {
  const sides = await unnamedSides(place, head, unmerged)
  return {
    operation: 'unmerged-index',
    trees: { base: sides?.base ?? null, ours: head, theirs: sides?.theirs ?? null },
    shown: { ours: head, theirs: sides?.theirs ?? null },
    branches: { ours: place.branch, theirs: null },
    step: null,
  }
}

function numbered(gitDir: string, at: string, of: string): Stopped['step'] {
  const [step, last] = [Number(stateText(gitDir, at)), Number(stateText(gitDir, of))]
  return step > 0 && last >= step ? { at: step, of: last } : null
}

/** A sequence counts what it has committed and what is left on its list, the stopped one included. */
async function sequence(place: Place, head: string | null): Promise<Stopped['step']> {
  const todo = stateText(place.gitDir, 'sequencer', 'todo')
  const began = oidIn(stateText(place.gitDir, 'sequencer', 'head'))
  if (todo === null || began === null || head === null) return null
  const left = todo.split('\n').filter((line) => /^\s*(?:pick|revert|p) /.test(line)).length
  const done = Number(await place.git.text(['rev-list', '--count', `${began}..${head}`, '--']))
  return left > 0 && Number.isInteger(done) ? { at: done + 1, of: done + left } : null
}

/** What `rebase-apply/info` says of the patch that did not apply (git-mailinfo(1)). */
export function patchInfo(gitDir: string): { author: string | null; at: string | null; subject: string | null } {
  const text = stateText(gitDir, 'rebase-apply', 'info') ?? ''
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? null
  const date = field('Date')
  const time = date === null ? Number.NaN : Date.parse(date)
  const message = stateText(gitDir, 'rebase-apply', 'final-commit')
  return {
    author: field('Author'),
    at: Number.isNaN(time) ? null : new Date(time).toISOString(),
    subject: field('Subject') ?? message?.split('\n')[0] ?? null,
  }
}
