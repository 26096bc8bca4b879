import type { ConflictStage } from '../../../../shared/model/index.ts'
import { decodePath, splitNul } from '../../git/bytes.ts'
import { filesBelow } from '../../git/diskState.ts'
import type { Git } from '../../git/process.ts'
import { parseRaw } from '../../git/touched.ts'
import type { RunningOperation } from '../../operations/running.ts'
import { lookAtItem } from './asGitWrote.ts'
import { captureForm, compareForm, look } from './diskForms.ts'
import type { GitsOperation } from './gitsOperation.ts'
import type { SettlePlace } from './place.ts'
import type { DiskForm, IndexEntry, PathStep, SettlePlan } from './plan.ts'
import { sweptAlong } from './sweptAlong.ts'
import type { LockedIndex, Steps } from './transition.ts'

interface Setup {
  readonly operation: RunningOperation
  readonly place: SettlePlace
  readonly what: GitsOperation | 'stash'
  readonly ours: readonly SettlePlan[]
  readonly head: string
}

/**
 * Every path that the index has otherwise than HEAD, back to HEAD. Files that hold what neither git nor a resolving
 * put there are named instead: giving up would throw them away.
 */
export async function abortSteps(setup: Setup, index: LockedIndex): Promise<Steps> {
  const { place, what, ours, head, operation } = setup
  const { git } = place
  const before = await headEntries(place.reading, head)
  const paths = new Set([...before.keys(), ...index.entries.keys()])
  const changed = [...paths].filter((path) => {
    const entries = index.entries.get(path) ?? []
    const then = before.get(path)
    const [only] = entries
    return !(entries.length <= 1 && only?.oid === then?.oid && only?.mode === then?.mode && (only?.stage ?? 0) === 0)
  })
  const goes = new Set(changed.filter((path) => !before.has(path)))
  const lost = new Set(await sweptAlong(place, what, ours, head))
  const unstaged = await changedFiles(git, index.file)
  const disk = { git, objects: operation.repo.objects }
  const steps: PathStep[] = []
  for (const path of changed) {
    const entries = index.entries.get(path) ?? []
    const then = before.get(path)
    const found = look(git.cwd, path)
    const to: DiskForm = then ? { is: 'checkout', ...then } : { is: 'nothing' }
    const submodule = [...entries, then].some((one) => one?.mode === '160000')
    const unmerged = entries.some((one) => one.stage !== 0)
    if (submodule && (found.is === 'folder' || found.is === 'nothing')) {
      steps.push(step(path, entries, then, { is: 'as-it-is' }, { is: 'as-it-is' }))
      continue
    }
    const only = entries[0]
    // A file that is what the index has needs no copy of its own.
    if (!unmerged && only && !unstaged.has(path)) {
      steps.push(step(path, entries, then, { is: 'checkout', mode: only.mode, oid: only.oid }, to))
      continue
    }
    if (found.is === 'folder') {
      // Empty once what the operation put into it is gone; anything else in it is someone's.
      const inside = filesBelow(git.cwd, path, decodePath, Number.MAX_SAFE_INTEGER)
      for (const file of inside) if (!goes.has(file)) lost.add(file)
      steps.push(step(path, entries, then, { is: 'folder' }, to))
      continue
    }
    const known = unmerged
      ? (await lookAtItem(place, [path], stagesAt(path, entries))).edited.length === 0
      : found.is === 'nothing'
    if (!known && (await compareForm(disk, path, found, to)) === 'other') lost.add(path)
    steps.push(step(path, entries, then, await captureForm(git, found), to))
  }
  if (lost.size === 0) return { steps }
  return {
    refusal: { refusal: 'dirty-tree', worktrees: [{ worktree: place.worktree, paths: [...lost].sort() }] },
  }
}

const step = (
  path: string,
  entries: readonly IndexEntry[],
  then: TreeForm | undefined,
  from: DiskForm,
  to: DiskForm,
): PathStep => ({
  path,
  index: { from: entries, to: then ? [{ stage: 0, ...then }] : [] },
  disk: { from, to },
})

interface TreeForm {
  readonly mode: string
  readonly oid: string
}

const stagesAt = (path: string, entries: readonly IndexEntry[]): ConflictStage[] =>
  entries.map((one) => ({ path, stage: one.stage as ConflictStage['stage'], mode: one.mode, oid: one.oid }))

async function headEntries(git: Git, head: string): Promise<Map<string, TreeForm>> {
  const out = await git.run(['ls-tree', '-r', '-z', '--full-tree', head])
  return new Map(
    splitNul(out.stdout).map((row) => {
      const tab = row.indexOf(9)
      const [mode = '', , oid = ''] = row.toString('latin1', 0, tab).split(' ')
      return [decodePath(row.subarray(tab + 1)), { mode, oid }]
    }),
  )
}

/** Paths whose files differ from a private index, which is refreshed for it. */
async function changedFiles(git: Git, indexFile: string): Promise<ReadonlySet<string>> {
  const env = { GIT_INDEX_FILE: indexFile }
  await git.run(['update-index', '-q', '--refresh'], { env, ok: [0, 1] })
  const args = ['diff-files', '--raw', '-z', '--no-renames', '--ignore-submodules=dirty']
  return new Set(parseRaw((await git.run(args, { env })).stdout).map((one) => one.path))
}
