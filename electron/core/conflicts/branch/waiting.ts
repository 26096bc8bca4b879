import { isAppError } from '../../../../shared/errors/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { mergeBase } from '../../git/mergeBase.ts'
import { LOCAL } from '../../git/refs.ts'
import { findSleepRefs } from '../../inbox/sleepRefs.ts'
import { atOnce } from '../../operations/atOnce.ts'
import { type MergePreview, previewMerge } from '../../sleep/merge.ts'
import { readSituation, type Situation } from '../../sleep/situation.ts'

/** A sleep branch into which trunk cannot be brought without deciding something. */
export interface WaitingBranch {
  readonly branch: string
  readonly tip: string
  readonly trunk: Situation['trunk']
  readonly preview: MergePreview
}

/** Many nights behind a moved trunk must not start all their processes together. */
const looking = atOnce(4)

/** All of them. */
export async function waitingBranches(repo: RepositoryContext): Promise<WaitingBranch[]> {
  const situation = await situationOf(repo)
  if (situation === null) return []
  const { snapshot, settings, trunk } = situation
  const refs = findSleepRefs(snapshot, settings.sleepPattern, trunk.branch).filter((one) => one.remote === null)
  const found = await Promise.all(refs.map((one) => looking(() => look(situation, one.branch, one.tip))))
  return found.flatMap((one) => one ?? [])
}

/** One of them; null where nothing is to be decided about it. */
export async function waitingBranch(repo: RepositoryContext, branch: string): Promise<WaitingBranch | null> {
  const situation = await situationOf(repo)
  const tip = situation?.snapshot.refs.get(LOCAL + branch)
  return situation === null || tip === undefined ? null : look(situation, branch, tip)
}

/** Null where there is no trunk, so that nothing can be brought in. */
async function situationOf(repo: RepositoryContext): Promise<Situation | null> {
  try {
    return await readSituation(repo)
  } catch (error) {
    if (isAppError(error, 'ERR_NO_TRUNK')) return null
    throw error
  }
}

async function look(situation: Situation, branch: string, tip: string): Promise<WaitingBranch | null> {
  const { repo, config, trunk } = situation
  try {
    // On top of trunk, or on trunk already, nothing is merged: looking at it touches no object then.
    const base = await mergeBase(repo.git, trunk.oid, tip)
    if (base === trunk.oid || base === tip) return null
    const preview = await previewMerge(repo.git, config, repo.repository.commonDir, trunk.oid, tip)
    if (preview === null || preview.conflicts.length === 0) return null
    return { branch, tip, trunk, preview }
  } catch (error) {
    // A commit below the tip may be gone: the inbox says so.
    if (isAppError(error, 'ERR_GIT') || isAppError(error, 'ERR_REPOSITORY_DAMAGED')) return null
    throw error
  }
}
