import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConflictStage, OnDisk } from '../../../../shared/model/index.ts'
import { encodePath } from '../../git/bytes.ts'
import { scratchObjects } from '../../git/mergeTree.ts'
import type { Git } from '../../git/process.ts'
import { writtenForm } from '../../git/writtenForm.ts'
import { type Found, look } from './diskForms.ts'

export interface ConflictPlace {
  /** Runs in the worktree's top folder. */
  readonly git: Git
  readonly gitDir: string
  readonly commonDir: string
}

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

function digestOf(paths: readonly string[], found: ReadonlyMap<string, Found>): string {
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
  for (const stage of stages)
    if (stage.mode !== '160000' && (await isWrittenForm(place.git, path, stage.oid, bytes))) return true
  const oid = await notedBlob(place.git, path)
  if (oid !== null && (await isWrittenForm(place.git, path, oid, bytes))) return true
  return isMadeAgain(place, path, bytes, stages)
}

async function isWrittenForm(git: Git, path: string, oid: string, bytes: Buffer): Promise<boolean> {
  return (await writtenForm(git, path, oid)).equals(bytes)
}

/** What the merge that git made last left at a path, as it noted it. */
async function notedBlob(git: Git, path: string): Promise<string | null> {
  const input = Buffer.concat([Buffer.from('AUTO_MERGE:'), encodePath(path), NUL])
  const { stdout } = await git.run(['cat-file', '--batch-check', '-z'], { input })
  return /^([0-9a-f]{40,64}) blob \d+\n$/.exec(stdout.toString('latin1'))?.[1] ?? null
}

const NUL = Buffer.from([0])
const STYLES = ['merge', 'diff3', 'zdiff3'] as const

/** Merges the sides again as git does by itself, with the labels of the file, and what rerere puts in its place. */
async function isMadeAgain(
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

/** How many characters git's conflict markers have in this file. */
export async function markerSize(git: Git, path: string): Promise<number> {
  const input = Buffer.concat([encodePath(path), NUL])
  const { stdout } = await git.run(['check-attr', '-z', '--stdin', 'conflict-marker-size'], { input })
  const value = Number(stdout.toString('latin1').split('\0').at(-2))
  return Number.isInteger(value) && value > 0 ? value : 7
}

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

/** A marked text as rerere keeps it: of each conflict the lesser side comes first (rerere.c, `handle_conflict`). */
function normalized(made: Buffer, size: number): Buffer {
  const lines = made.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? []
  const is = (line: string, mark: string) => line.trimEnd() === mark.repeat(size)
  const out: string[] = []
  let one: string[] | null = null
  let two: string[] | null = null
  for (const line of lines) {
    if (one === null && is(line, '<')) one = []
    else if (one !== null && two === null && is(line, '=')) two = []
    else if (one !== null && two !== null && is(line, '>')) {
      const sides = [one.join(''), two.join('')].sort()
      out.push(
        `${'<'.repeat(size)}\n`,
        sides[0] ?? '',
        `${'='.repeat(size)}\n`,
        sides[1] ?? '',
        `${'>'.repeat(size)}\n`,
      )
      one = null
      two = null
    } else (two ?? one ?? out).push(line)
  }
  return Buffer.from(out.join(''), 'latin1')
}

function recordsIn(cache: string): { readonly pre: Buffer; readonly post: Buffer }[] {
  const found: { pre: Buffer; post: Buffer }[] = []
  for (const id of namesIn(cache))
    for (const name of namesIn(join(cache, id))) {
      const variant = /^postimage(\.\d+)?$/.exec(name)
      if (!variant) continue
      try {
        const [pre, post] = [`preimage${variant[1] ?? ''}`, name].map((file) => readFileSync(join(cache, id, file)))
        if (pre && post) found.push({ pre, post })
      } catch {
        // One without the other tells nothing.
      }
    }
  return found
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
