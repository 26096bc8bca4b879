import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConflictStage } from '../../../../shared/model/index.ts'
import { scratchObjects } from '../../git/mergeTree.ts'
import type { Git } from '../../git/process.ts'
import { writtenForm } from '../../git/writtenForm.ts'

/** A worktree in which a conflict waits. */
export interface ConflictPlace {
  /** Runs in the worktree's top folder. */
  readonly git: Git
  readonly gitDir: string
  readonly commonDir: string
}

export const STYLES = ['merge', 'diff3', 'zdiff3'] as const
export type Style = (typeof STYLES)[number]

export type Labels = readonly [ours: string, base: string, theirs: string]

/** The three sides of a file outside of the repository, for git to merge. */
export interface MergeFolder {
  /** Puts a file beside `ours`, `base` and `theirs`. */
  put(name: string, bytes: Uint8Array): void
  /** `git merge-file`; null where it cannot (binary), with whether it is clean. `names`: the files, ours, base, theirs. */
  merge(
    style: Style,
    labels: Labels,
    names?: Labels,
  ): Promise<{ readonly made: Buffer; readonly clean: boolean } | null>
  /** Bytes as git writes them out at the path. */
  written(made: Buffer): Promise<Buffer>
}

/** Puts the sides of a path into a folder of its own and takes it away afterwards. Null where one is no file. */
export async function inMergeFolder<T>(
  { git, commonDir }: Pick<ConflictPlace, 'git' | 'commonDir'>,
  path: string,
  stages: readonly ConflictStage[],
  size: number,
  work: (folder: MergeFolder) => Promise<T>,
): Promise<T | null> {
  const files = stages.filter((one) => one.mode === '100644' || one.mode === '100755')
  const side = (stage: number) => files.find((one) => one.stage === stage)?.oid
  const [ours, theirs] = [side(2), side(3)]
  if (ours === undefined || theirs === undefined) return null
  const folder = mkdtempSync(join(tmpdir(), 'daybreak-again-'))
  try {
    const put = (name: string, bytes: Uint8Array) => writeFileSync(join(folder, name), bytes)
    const read = async (oid: string | undefined) =>
      oid === undefined ? Buffer.alloc(0) : (await git.run(['cat-file', 'blob', oid])).stdout
    for (const [at, oid] of [ours, side(1), theirs].entries()) put(NAMES[at] as string, await read(oid))
    const objects = join(folder, 'objects')
    mkdirSync(objects)
    const scratch = scratchObjects(objects, commonDir)
    // Without the repository's own objects beside them: writing one that is there already would touch its file.
    const alone = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: '' }
    return await work({
      put,
      merge: (style, labels, names = NAMES) => mergeFile(git, folder, size, style, labels, names),
      written: async (made) =>
        writtenForm(git, path, await git.text(['hash-object', '-w', '--stdin'], { input: made, env: alone }), scratch),
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const NAMES: Labels = ['ours', 'base', 'theirs']

async function mergeFile(git: Git, folder: string, size: number, style: Style, labels: Labels, names: Labels) {
  const named = labels.flatMap((label) => ['-L', label])
  const files = names.map((name) => join(folder, name))
  const args = ['-c', `merge.conflictStyle=${style}`, 'merge-file', '-p', '-q', `--marker-size=${size}`]
  const answer = await git.run([...args, ...named, ...files], { ok: CONFLICTS })
  return answer.exitCode === 255 ? null : { made: answer.stdout, clean: answer.exitCode === 0 }
}

/** `merge-file` ends with the number of conflicts, 127 at the most; 255 is a failure. */
const CONFLICTS = [...Array(128).keys(), 255]
