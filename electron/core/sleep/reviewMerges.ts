import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isGeneratedList } from '../../../shared/model/phase.ts'
import { parseRawDiff, RAW_DIFF_FLAGS, type RawChange } from '../git/diffTree.ts'
import { type CommitEntry, trailerValues } from '../git/log.ts'
import { mergeTree, scratchObjects } from '../git/mergeTree.ts'
import type { Git } from '../git/process.ts'
import { findOperation } from '../store/operations.ts'
import type { StateDb } from '../store/stateDb.ts'
import { claimedMerges, OPERATION_TRAILER } from './reviewProof.ts'

interface Where {
  readonly git: Git
  readonly commonDir: string
  readonly state: StateDb
}

/**
 * The `Bring main in` merges among the commits that hold what they claim. Either Daybreak itself recorded here that it
 * made this very commit, which then may hold what a person decided about conflicts; or merging the parents again gives
 * the same tree, generated lists apart, which keep one side. Anything else in such a merge was put in by someone.
 */
export async function provenMerges(
  { git, commonDir, state }: Where,
  commits: readonly CommitEntry[],
  changes: ReadonlyMap<string, readonly RawChange[]>,
): Promise<Set<string>> {
  const all = claimedMerges(commits, new Set(commits.map((commit) => commit.oid)))
  const proven = new Set(all.filter((commit) => madeHere(state, commit)).map((commit) => commit.oid))
  const claimed = all.filter((commit) => !proven.has(commit.oid))
  if (claimed.length === 0) return proven
  const folder = await mkdtemp(join(tmpdir(), 'daybreak-objects-'))
  try {
    for (const commit of claimed)
      if (await holds(git, { folder, commonDir }, commit, changes.get(commit.oid) ?? [])) proven.add(commit.oid)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return proven
}

/** Whether the operation that the commit names is one of this repository, and moved its branch to this commit. */
function madeHere(state: StateDb, commit: CommitEntry): boolean {
  const [id = ''] = trailerValues(commit, OPERATION_TRAILER)
  const row = findOperation(state, id)
  return row?.verb === 'bring-main-in' && (row.stage === 'moved' || row.stage === 'done') && row.to === commit.oid
}

async function holds(
  git: Git,
  scratch: { readonly folder: string; readonly commonDir: string },
  commit: CommitEntry,
  own: readonly RawChange[],
): Promise<boolean> {
  const [main = '', sleep = ''] = commit.parents
  const again = await mergeTree(git, main, sleep, { scratch })
  if ([...again.conflicts.keys()].some((path) => !isGeneratedList(path))) return false
  if (again.tree === commit.tree) return true
  const env = scratchObjects(scratch.folder, scratch.commonDir)
  const { stdout } = await git.run(['diff-tree', ...RAW_DIFF_FLAGS, '--no-renames', again.tree, commit.tree, '--'], {
    env,
  })
  // What differs from both parents is nobody's side.
  const nobodys = new Set(own.map((change) => change.path))
  return parseRawDiff(stdout).every((change) => isGeneratedList(change.path) && !nobodys.has(change.path))
}
