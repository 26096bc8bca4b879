import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../shared/errors/index.ts'
import { importHistory, initRepository } from '../git/importHistory.ts'
import { createGit } from '../git/process.ts'
import { requireGit } from '../git/version.ts'
import type { Ports } from '../ports.ts'
import { storageError } from '../store/open.ts'
import { createStorePlanes, type PlaneRows } from '../store/storePlanes.ts'
import { noteBuilt, untouchedSample } from './earlierSample.ts'
import { type SampleWeek, sampleWeek } from './sampleWeek.ts'

/**
 * The sample repository, in a folder of its own below the app's data folder; returns that folder. One that was built
 * of the same week and in which nothing was done since is taken again; any other is left as it is.
 * Errors: ERR_GIT_MISSING, ERR_GIT_TOO_OLD, ERR_READ_ONLY, ERR_DISK_FULL, ERR_STORAGE, ERR_GIT.
 */
export async function buildSample(ports: Ports): Promise<string> {
  const week = sampleWeek(ports.clock())
  const before = await untouchedSample(ports, join(ports.home, 'samples'), week)
  if (before !== null) return before
  const own = freshFolder(join(ports.home, 'samples'))
  const dir = join(own, week.name)
  try {
    mkdirSync(dir)
    const git = createGit({ cwd: dir, env: ports.env })
    await requireGit(git)
    await initRepository(git)
    createStorePlanes(dir, planeRows(week, await importHistory(git, week.commits)))
    await noteBuilt(git, own)
    return dir
  } catch (error) {
    // The folder was made above and nobody has seen it yet.
    rmSync(own, { recursive: true, force: true })
    throw storageError(error, dir)
  }
}

/** Makes and returns the next numbered folder that nobody has. */
function freshFolder(parent: string): string {
  try {
    mkdirSync(parent, { recursive: true })
    const last = Math.max(0, ...readdirSync(parent).map(Number).filter(Number.isInteger))
    for (let number = last + 1; number < last + 100; number++) {
      const folder = join(parent, String(number))
      try {
        mkdirSync(folder)
        return folder
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw storageError(error, parent)
  }
  throw new AppError('ERR_FOLDER_TAKEN', { path: parent })
}

const stamp = (at: Date | undefined) => (at ?? new Date(0)).toISOString().replace(/\.\d+Z$/, 'Z')

/** `ids`: the commits' ids in the order of `week.commits`. */
function planeRows(week: SampleWeek, ids: readonly string[]): PlaneRows {
  const last = week.runs.at(-1)
  const id = (at: number | undefined) => ids[at ?? -1] ?? ''
  const text = (value: unknown) => String(value)
  return {
    headSha: id(last?.base),
    at: stamp(last?.at),
    runs: week.runs.map((run) => ({
      runId: run.runId,
      branch: run.runId,
      baseSha: id(run.base),
      headSha: id(run.tip),
      status: run.approved ? 'merged' : 'review',
      startedAt: stamp(run.at),
      endedAt: stamp(run.at),
    })),
    edges: week.marks
      .filter((mark) => mark.kind === 'edge-promoted')
      .map((mark) => ({ srcPath: text(mark.srcPath), rel: text(mark.rel), dstPath: text(mark.dstPath) })),
    entities: week.marks
      .filter((mark) => mark.kind === 'entity-promoted')
      .map((mark) => ({
        entityType: text(mark.entityType),
        aliasName: text(mark.aliasName),
        canonicalName: text(mark.canonicalName),
      })),
  }
}
