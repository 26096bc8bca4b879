import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConflictStage, Refusal } from '../../../../shared/model/index.ts'
import { copyIndex } from '../../git/indexFile.ts'
import { touchedPaths } from '../../git/touched.ts'
import type { RunningOperation } from '../../operations/running.ts'
import { lookAtItem } from './asGitWrote.ts'
import { captureForm, compareForm, look } from './diskForms.ts'
import { readEntries, writeEntries } from './indexEntries.ts'
import { identityFor } from './ownCode.ts'
import type { SettlePlace } from './place.ts'
import type { IndexEntry } from './plan.ts'
import { unstagedPaths } from './unstaged.ts'

/** What is there before git's own command puts everything back: a commit that keeps it, and the paths it will write. */
export type Snapshot = { readonly commit: string; readonly paths: readonly string[] } | { readonly refusal: Refusal }

/**
 * Looks whether putting everything to `target` would throw away what someone edited since, and keeps what is staged
 * and what lies at unmerged paths as a commit that nothing refers to yet.
 */
export async function snapshot(operation: RunningOperation, place: SettlePlace, target: string): Promise<Snapshot> {
  const { git } = place
  const folder = mkdtempSync(join(tmpdir(), 'daybreak-snapshot-'))
  const file = join(folder, 'index')
  try {
    copyIndex(place.gitDir, file)
    const entries = await readEntries(place.reading, file)
    const disk = { git, objects: operation.repo.objects }
    const lost: string[] = []
    for (const path of await unstagedPaths(place)) {
      const torn = await isTorn(place, disk, path, target)
      if (!torn) lost.push(path)
    }
    const now: { path: string; entries: readonly IndexEntry[] }[] = []
    for (const [path, stages] of entries) {
      if (stages.every((one) => one.stage === 0)) continue
      if ((await lookAtItem(place, [path], asStages(path, stages))).edited.length > 0) lost.push(path)
      now.push({ path, entries: await onDisk(place, path, stages) })
    }
    if (now.length > 0) await writeEntries(git, file, now)
    const env = { GIT_INDEX_FILE: file }
    const tree = await git.text(['write-tree'], { env })
    const touched = await touchedPaths(git, tree, `${target}^{tree}`)
    lost.push(...(await untrackedInTheWay(place, disk, touched)))
    if (lost.length > 0)
      return {
        refusal: { refusal: 'dirty-tree', worktrees: [{ worktree: place.worktree, paths: [...new Set(lost)].sort() }] },
      }
    const commit = await git.text(['commit-tree', '-p', 'HEAD', '-F', '-', tree], {
      input: 'What was there before this was given up\n',
      env: identityFor(place.config),
    })
    return { commit, paths: touched.map((one) => one.path) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const asStages = (path: string, entries: readonly IndexEntry[]): ConflictStage[] =>
  entries.map((one) => ({ path, stage: one.stage as ConflictStage['stage'], mode: one.mode, oid: one.oid }))

/** What lies at an unmerged path, as an entry. */
async function onDisk(place: SettlePlace, path: string, stages: readonly IndexEntry[]): Promise<IndexEntry[]> {
  const module = stages.find((one) => one.mode === '160000')
  if (module) return [{ ...module, stage: 0 }]
  const form = await captureForm(place.git, look(place.worktree, path))
  if (form.is === 'link') return [{ stage: 0, mode: '120000', oid: form.oid }]
  if (form.is !== 'bytes') return []
  return [{ stage: 0, mode: form.executable ? '100755' : '100644', oid: form.oid }]
}

type DiskAccess = Parameters<typeof compareForm>[0]

/** Whether a file is the beginning of what it is put to: a command that was cut off wrote it. */
async function isTorn(place: SettlePlace, disk: DiskAccess, path: string, target: string): Promise<boolean> {
  const found = look(place.worktree, path)
  if (found.is !== 'file') return false
  const there = (await touchedPaths(place.git, await emptyTree(place), `${target}^{tree}`)).find(
    (one) => one.path === path,
  )?.new
  return there ? (await compareForm(disk, path, found, { is: 'checkout', ...there })) !== 'other' : false
}

const emptyTree = (place: SettlePlace) => place.git.text(['mktree'], { input: '' })

/** Files that git does not know and that lie where it would write something else. */
async function untrackedInTheWay(
  place: SettlePlace,
  disk: DiskAccess,
  touched: readonly { path: string; old: unknown; new: { mode: string; oid: string } | null }[],
): Promise<string[]> {
  const found: string[] = []
  for (const one of touched) {
    if (one.old !== null || one.new === null || one.new.mode === '160000') continue
    const there = look(place.worktree, one.path)
    if (there.is === 'nothing') continue
    if ((await compareForm(disk, one.path, there, { is: 'checkout', ...one.new })) !== 'same') found.push(one.path)
  }
  return found
}
