import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConflictStage } from '../../../../shared/model/index.ts'
import { scratchObjects } from '../../git/mergeTree.ts'
import type { Git } from '../../git/process.ts'
import { writtenForm } from '../../git/writtenForm.ts'
import { markerSize } from './markerSize.ts'
import { normalized, recordsIn } from './rerereRecords.ts'

export interface ConflictPlace {
  /** Runs in the worktree's top folder. */
  readonly git: Git
  readonly gitDir: string
  readonly commonDir: string
}

const STYLES = ['merge', 'diff3', 'zdiff3'] as const

/** Merges the sides again as git does by itself, with the labels of the file, and what rerere puts in its place. */
export async function isMadeAgain(
  place: ConflictPlace,
  path: string,
  bytes: Buffer,
  stages: readonly ConflictStage[],
): Promise<boolean> {
  const files = stages.filter((one) => one.mode === '100644' || one.mode === '100755')
  const side = (stage: number) => files.find((one) => one.stage === stage)?.oid
  const [ours, theirs] = [side(2), side(3)]
  if (ours === undefined || theirs === undefined) return false
  const { git } = place
  const folder = mkdtempSync(join(tmpdir(), 'daybreak-again-'))
  try {
    const read = async (oid: string | undefined) =>
      oid === undefined ? Buffer.alloc(0) : (await git.run(['cat-file', 'blob', oid])).stdout
    const names = ['ours', 'base', 'theirs'] as const
    for (const [at, oid] of [ours, side(1), theirs].entries())
      writeFileSync(join(folder, names[at] ?? ''), await read(oid))
    const size = await markerSize(git, path)
    const labels = labelsIn(bytes, size)
    const objects = join(folder, 'objects')
    mkdirSync(objects)
    const scratch = scratchObjects(objects, place.commonDir)
    const written = async (made: Buffer): Promise<Buffer> =>
      writtenForm(git, path, await git.text(['hash-object', '-w', '--stdin'], { input: made, env: scratch }), scratch)
    for (const style of STYLES) {
      const made = await mergeFile(git, folder, style, size, labels)
      if (made && (await written(made)).equals(bytes)) return true
    }
    return await isRecorded(place, folder, size, bytes, written)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Labels = readonly [ours: string, base: string, theirs: string]

/** `git merge-file` of the files `ours`, `base` and `theirs` of a folder; null where it cannot (binary). */
async function mergeFile(
  git: Git,
  folder: string,
  style: (typeof STYLES)[number],
  size: number,
  labels: Labels,
  names: Labels = ['ours', 'base', 'theirs'],
): Promise<Buffer | null> {
  const named = labels.flatMap((label) => ['-L', label])
  const files = names.map((name) => join(folder, name))
  const args = ['-c', `merge.conflictStyle=${style}`, 'merge-file', '-p', '-q', `--marker-size=${size}`]
  const answer = await git.run([...args, ...named, ...files], { ok: CONFLICTS })
  return answer.exitCode === 255 ? null : answer.stdout
}

/** `merge-file` ends with the number of conflicts, 127 at the most; 255 is a failure. */
const CONFLICTS = [...Array(128).keys(), 255]

/** What stands behind the first markers of a file. */
function labelsIn(bytes: Buffer, size: number): Labels {
  const lines = bytes.toString('utf8').split(/\r?\n/)
  const label = (mark: string) => {
    const start = `${mark.repeat(size)} `
    return lines.find((line) => line.startsWith(start))?.slice(start.length) ?? ''
  }
  return [label('<'), label('|'), label('>')]
}

/** How many recorded resolutions are tried. */
const MOST_RECORDED = 200

/** Whether a resolution that rerere recorded, applied to this merge, gives these bytes (rerere.c, `try_merge`). */
async function isRecorded(
  place: ConflictPlace,
  folder: string,
  size: number,
  bytes: Buffer,
  written: (made: Buffer) => Promise<Buffer>,
): Promise<boolean> {
  const cache = join(place.commonDir, 'rr-cache')
  const recorded = recordsIn(cache).slice(0, MOST_RECORDED)
  if (recorded.length === 0) return false
  const made = await mergeFile(place.git, folder, 'merge', size, ['', '', ''])
  if (!made) return false
  writeFileSync(join(folder, 'this'), normalized(made, size))
  for (const record of recorded) {
    if ((await written(record.post)).equals(bytes)) return true
    writeFileSync(join(folder, 'pre'), record.pre)
    writeFileSync(join(folder, 'post'), record.post)
    const applied = await mergeFile(place.git, folder, 'merge', size, ['', '', ''], ['this', 'pre', 'post'])
    if (applied && (await written(applied)).equals(bytes)) return true
  }
  return false
}
