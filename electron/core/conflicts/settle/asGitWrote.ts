import { createHash } from 'node:crypto'
import type { ConflictStage, OnDisk } from '../../../../shared/model/index.ts'
import { encodePath } from '../../git/bytes.ts'
import type { Git } from '../../git/process.ts'
import { readEntries } from '../../git/unmerged.ts'
import { writtenForm, writtenForms, writtenKey } from '../../git/writtenForm.ts'
import { type Found, look } from './diskForms.ts'
import { isMadeAgain } from './madeAgain.ts'
import type { ConflictPlace } from './mergeFolder.ts'

export interface ItemOnDisk {
  readonly state: OnDisk['state']
  /** Over all paths of the item that were edited; null where none was. */
  readonly digest: string | null
  /** The paths that hold something that git did not put there. */
  readonly edited: readonly string[]
  /** What lies at each path. */
  readonly found: ReadonlyMap<string, Found>
}

/**
 * Looks at the files of a conflict and says whether any was edited since git wrote it. Git's own are: any side as it
 * is written out, what git noted of its merge (`AUTO_MERGE`), the same merge made again in every style with the labels
 * that stand in the file, and what rerere recorded. Everything else counts as edited, so that it is never replaced
 * without being asked for. `paths`: those of the item.
 */
export async function lookAtItem(
  place: ConflictPlace,
  paths: readonly string[],
  stages: readonly ConflictStage[],
): Promise<ItemOnDisk> {
  const found = new Map(paths.map((path) => [path, look(place.git.cwd, path)]))
  const edited: string[] = []
  for (const [path, there] of found) {
    const known = await isGits(
      place,
      path,
      there,
      stages.filter((one) => one.path === path),
    )
    if (!known) edited.push(path)
  }
  const files = [...found.values()].filter((one) => one.is !== 'nothing')
  const state = edited.length > 0 ? 'edited' : files.length > 0 ? 'git' : stages.length > 0 ? 'missing' : 'none'
  return { state, digest: edited.length > 0 ? digestOf(edited, found) : null, edited, found }
}

/** Digest of what lies at these paths. */
export function digestOf(paths: readonly string[], found: ReadonlyMap<string, Found>): string {
  const hash = createHash('sha256')
  for (const path of [...paths].sort()) {
    const there = found.get(path)
    const bytes = there && 'bytes' in there ? there.bytes : Buffer.alloc(0)
    hash.update(JSON.stringify([path, there?.is ?? 'nothing', bytes.length])).update(bytes)
  }
  return hash.digest('hex')
}

async function isGits(
  place: ConflictPlace,
  path: string,
  there: Found,
  stages: readonly ConflictStage[],
): Promise<boolean> {
  // A folder is never replaced while anything is in it.
  if (there.is === 'nothing' || there.is === 'folder') return true
  if (there.is !== 'file' && there.is !== 'link') return false
  const links = stages.filter((one) => one.mode === '120000')
  if (there.is === 'link') {
    const oid = await place.git.text(['hash-object', '--stdin'], { input: there.bytes })
    return links.some((one) => one.oid === oid)
  }
  const { bytes } = there
  const noted = await notedBlob(place.git, path)
  // A path of the conflict that is merged by itself, as those of a folder in the way of a file.
  const entries = stages.length > 0 ? stages : await readEntries(place.git, [path])
  const oids = entries.filter((one) => one.path === path && one.mode.startsWith('100')).map((one) => one.oid)
  const known = [...new Set(noted === null ? oids : [noted, ...oids])].map((oid) => ({ path, oid }))
  const forms = await writtenForms(place.git, known)
  for (const { oid } of known) {
    const form = forms.get(writtenKey(path, oid)) ?? (await writtenForm(place.git, path, oid))
    if (form.equals(bytes)) return true
  }
  return isMadeAgain(place, path, bytes, stages)
}

/** What the merge that git made last left at a path, as it noted it. */
async function notedBlob(git: Git, path: string): Promise<string | null> {
  const input = Buffer.concat([Buffer.from('AUTO_MERGE:'), encodePath(path), NUL])
  const { stdout } = await git.run(['cat-file', '--batch-check', '-z'], { input })
  return /^([0-9a-f]{40,64}) blob \d+\n$/.exec(stdout.toString('latin1'))?.[1] ?? null
}

const NUL = Buffer.from([0])
