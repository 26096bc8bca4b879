import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { shellWord } from '../../../shared/base/index.ts'
import type { CoreContext, RepositoryContext } from '../context.ts'
import { findDamage, findLocks, packedSize } from '../git/health.ts'
import { readOperation } from '../git/operationState.ts'
import { LOCAL } from '../git/refs.ts'
import { trunkCandidates } from '../git/trunk.ts'
import { readWorktrees } from '../git/worktrees.ts'
import { unfinishedOperations } from '../store/operations.ts'
import { readStoreRuns } from '../store/storeRuns.ts'
import { checkDatabase, type Finding, findingOf, fine } from './doctorFindings.ts'
import { CONFIG_FILE } from './settings.ts'
import { readTrust } from './trust.ts'

/** A lock of a running git goes within seconds; one this old was most likely left behind. */
const STALE_SECONDS = 60

/** What is wrong with one repository, each with its mend. A check that fails itself is a finding too. */
export async function checkRepository(core: CoreContext, repo: RepositoryContext): Promise<Finding[]> {
  const checks: readonly [string, string, () => Promise<Finding[]> | Finding[]][] = [
    ['repository', 'Repository', () => checkPlace(repo)],
    ['trunk', 'Trunk', () => checkTrunk(repo)],
    ['config', 'Shared configuration', () => checkConfig(repo)],
    ['objects', 'Objects', () => checkObjects(repo)],
    ['locks', 'Locks', () => checkLocks(core, repo)],
    ['worktrees', 'Worktrees', () => checkWorktrees(repo)],
    ['state', 'State of this repository', () => [checkDatabase('state', 'State of this repository', repo.state)]],
    ['operations', 'Unfinished acts', () => checkOperations(repo)],
    ['store', 'Store', () => checkStore(repo)],
    ['trust', 'Trust', () => checkTrust(core, repo)],
  ]
  const found = await Promise.all(
    checks.map(async ([id, title, check]) => {
      try {
        return await check()
      } catch (error) {
        return [findingOf(id, title, error)]
      }
    }),
  )
  return found.flat()
}

async function checkPlace(repo: RepositoryContext): Promise<Finding[]> {
  const { repository } = repo
  const packed = await packedSize(repo.git)
  const found = [fine('repository', 'Repository', `${repository.path} opens; ${packed} of objects are packed.`)]
  if (repository.readOnly)
    found.push({
      id: 'read-only',
      level: 'warning',
      title: 'Write access',
      detail: `${repository.commonDir} cannot be written: reviewing works, approving and aborting do not.`,
      mend: `ls -ld ${shellWord(repository.commonDir)}`,
    })
  if (!repository.bare && repo.worktree === null)
    found.push({
      id: 'worktree-outside',
      level: 'problem',
      title: 'Working tree',
      detail: `core.worktree points away from ${repository.path}; nothing can be approved there.`,
      mend: `git -C ${shellWord(repository.path)} config --unset core.worktree`,
    })
  return found
}

async function checkTrunk(repo: RepositoryContext): Promise<Finding[]> {
  const { snapshot, trunk } = await repo.sources()
  if (trunk.oid) return [fine('trunk', 'Trunk', `Sleep branches land on ${trunk.branch}.`)]
  const tried = [...new Set([trunk.branch, ...trunkCandidates(snapshot)])].join(', ')
  const other = [...snapshot.refs.keys()].find((ref) => ref.startsWith(LOCAL))
  const detail = `No trunk was found; tried ${tried}.`
  const mend = `daybreak config set trunk ${other ? shellWord(other.slice(LOCAL.length)) : 'BRANCH'}`
  return [{ id: 'trunk', level: 'warning', title: 'Trunk', detail, mend }]
}

async function checkConfig(repo: RepositoryContext): Promise<Finding[]> {
  const { config, trunk } = await repo.sources()
  const where = `${CONFIG_FILE} on ${trunk.branch}`
  const found: Finding[] = []
  if (config.problems.length > 0)
    found.push({
      id: 'config',
      level: 'problem',
      title: 'Shared configuration',
      detail: `${where} is not valid: ${config.problems.join('; ')}. Defaults are in force for what is wrong.`,
      mend: `Mend ${CONFIG_FILE} on ${trunk.branch}`,
    })
  if (config.unknown.length > 0)
    found.push({
      id: 'config-unknown',
      level: 'warning',
      title: 'Shared configuration',
      detail: `${where} has keys that mean nothing to this Daybreak: ${config.unknown.join(', ')}.`,
      mend: null,
    })
  return found.length > 0 ? found : [fine('config', 'Shared configuration', `Nothing is wrong with ${where}.`)]
}

async function checkObjects(repo: RepositoryContext): Promise<Finding[]> {
  const damage = await findDamage(repo.git)
  if (damage.length === 0) return [fine('objects', 'Objects', 'Every object that a branch needs is there.')]
  return [{ id: 'objects', level: 'problem', title: 'Objects', detail: damage.join('; '), mend: 'git fsck --full' }]
}

function checkLocks(core: CoreContext, repo: RepositoryContext): Finding[] {
  const locks = findLocks(repo.repository.commonDir, core.ports.clock())
  if (locks.length === 0) return [fine('locks', 'Locks', 'Nothing is locked.')]
  return locks.map(({ path, ageSeconds }) => ({
    id: 'locks',
    level: ageSeconds > STALE_SECONDS ? 'problem' : 'warning',
    title: 'Locks',
    detail: `${path} has been there for ${Math.round(ageSeconds)} s. Someone works there, or was killed.`,
    mend: `If no git runs there: rm ${shellWord(path)}`,
  }))
}

const ENDS: Readonly<Record<string, string>> = {
  merge: 'merge --abort',
  rebase: 'rebase --abort',
  'cherry-pick': 'cherry-pick --abort',
  revert: 'revert --abort',
  am: 'am --abort',
  bisect: 'bisect reset',
  'unmerged-index': 'status',
}

async function checkWorktrees(repo: RepositoryContext): Promise<Finding[]> {
  const worktrees = await readWorktrees(repo.git, repo.repository.commonDir)
  const found: Finding[] = []
  for (const one of worktrees) {
    if (one.bare) continue
    if (one.missing) {
      const detail = `The worktree ${one.path} is registered, but its folder is gone.`
      const mend = one.locked ? null : 'git worktree prune'
      found.push({ id: 'worktrees', level: 'warning', title: 'Worktrees', detail, mend })
    } else if (one.gitDir) {
      const git = repo.git.at(one.path)
      const operation = await readOperation(git, one.gitDir)
      if (!operation) continue
      const detail = `${one.path} is in the middle of: ${operation}. Nothing is approved there until it ends.`
      const mend = `git -C ${shellWord(one.path)} ${ENDS[operation] ?? 'status'}`
      found.push({ id: 'worktrees', level: 'warning', title: 'Worktrees', detail, mend })
    }
  }
  return found.length > 0 ? found : [fine('worktrees', 'Worktrees', 'No worktree is in the middle of anything.')]
}

function checkOperations(repo: RepositoryContext): Finding[] {
  const open = unfinishedOperations(repo.state)
  if (open.length === 0) return [fine('operations', 'Unfinished acts', 'Every act is finished.')]
  return open.map((row) => ({
    id: 'operations',
    level: 'warning',
    title: 'Unfinished acts',
    detail: `${row.verb} of ${row.branch}, begun ${row.startedAt}, is not finished (${row.id}).`,
    mend: 'daybreak sleep status',
  }))
}

async function checkStore(repo: RepositoryContext): Promise<Finding[]> {
  if (!repo.repository.store) return [fine('store', 'Store', 'This is a plain repository, not a store.')]
  if (!repo.worktree) return [fine('store', 'Store', 'A bare repository has no databases beside it.')]
  const missing = ['index.db', 'state.db'].filter(
    (name) => !existsSync(join(repo.worktree as string, '.memhtml', name)),
  )
  if (missing.length > 0) {
    const detail = `The store has no ${missing.join(' and no ')}, as in a fresh clone: marks of an approval stay pending.`
    return [{ id: 'store', level: 'warning', title: 'Store', detail, mend: 'Set the store up with its own tool' }]
  }
  const { problem, runs } = await readStoreRuns(repo.worktree)
  if (problem === null) return [fine('store', 'Store', `The store’s database knows ${runs.length} run(s).`)]
  const file = join(repo.worktree, '.memhtml', 'index.db')
  const detail = `${file} cannot be read: ${problem}.`
  return [
    { id: 'store', level: 'problem', title: 'Store', detail, mend: 'Rebuild the index with the store’s own tool' },
  ]
}

async function checkTrust(core: CoreContext, repo: RepositoryContext): Promise<Finding[]> {
  const trust = await readTrust(core, repo)
  const names = trust.items.map((item) => (item.kind === 'gate' ? 'gate' : `${item.kind} ${item.name}`)).join(', ')
  if (trust.state === 'nothing-to-trust')
    return [fine('trust', 'Trust', 'The repository brings nothing that would run.')]
  if (trust.state === 'trusted') return [fine('trust', 'Trust', `Accepted: ${names}.`)]
  const detail = `Not accepted${trust.state === 'changed' ? ' since it changed' : ''}, so it does not run: ${names}.`
  return [{ id: 'trust', level: 'warning', title: 'Trust', detail, mend: 'daybreak trust' }]
}
