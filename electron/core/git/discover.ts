import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { AppError } from '../../../shared/errors/index.ts'
import type { Git } from './process.ts'

/** Where a repository's parts are; all absolute with symbolic links resolved. */
export interface Discovered {
  /** Top of the working tree; null for a bare repository, or where `core.worktree` points away from the folder. */
  readonly worktree: string | null
  /** What the person sees as its place: the working tree's top, else the folder that holds the git folder, else that itself. */
  readonly path: string
  /** This worktree's own git folder: HEAD, index, state of operations. */
  readonly gitDir: string
  /** What all worktrees share: objects, refs, configuration. */
  readonly commonDir: string
  readonly bare: boolean
  readonly linkedWorktree: boolean
}

/** The folder to start from: `path` itself or, for a file, the folder that holds it. */
export function startFolder(path: string): string {
  const absolute = resolve(path)
  try {
    const folder = statSync(absolute).isDirectory() ? absolute : dirname(absolute)
    accessSync(folder, constants.R_OK | constants.X_OK)
    return realpathSync(folder)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code === 'EACCES' || code === 'EPERM')
      throw new AppError('ERR_NO_PERMISSION', { path: absolute }, { cause: new Error(code) })
    throw new AppError('ERR_PATH_NOT_FOUND', { path: absolute })
  }
}

/**
 * Finds the repository that holds `git.cwd`, judging by exit codes only. One path a call, since a folder's name may
 * hold a newline. Errors: ERR_NOT_A_REPOSITORY, ERR_NO_PERMISSION, ERR_DUBIOUS_OWNERSHIP, ERR_REPOSITORY_DAMAGED.
 */
export async function discover(git: Git): Promise<Discovered> {
  const ask = (what: string) => git.run(['rev-parse', '--path-format=absolute', what], { ok: [0, 128] })
  const [facts, gitDirAnswer, commonAnswer] = await Promise.all([
    git.run(['rev-parse', '--is-bare-repository', '--is-inside-work-tree', '--is-inside-git-dir'], { ok: [0, 128] }),
    ask('--git-dir'),
    ask('--git-common-dir'),
  ])
  if (facts.exitCode !== 0 || gitDirAnswer.exitCode !== 0 || commonAnswer.exitCode !== 0) throw await explain(git)
  const [bare, insideTree, insideGit] = facts.stdout.toString('utf8').trim().split('\n')
  const gitDir = real(line(gitDirAnswer.stdout))
  const commonDir = real(line(commonAnswer.stdout))
  const linkedWorktree = gitDir !== commonDir
  const place = { gitDir, commonDir, bare: bare === 'true', linkedWorktree }
  if (insideTree === 'true') {
    const worktree = real(await git.text(['rev-parse', '--path-format=absolute', '--show-toplevel']))
    return { ...place, worktree, path: worktree }
  }
  if (place.bare) return { ...place, worktree: null, path: commonDir }
  if (insideGit === 'true') {
    // Opened inside a `.git` folder: its working tree is meant, where it is the one beside it.
    const beside = await discover(git.at(linkedWorktree ? linkedFolder(gitDir) : dirname(gitDir))).catch(() => null)
    if (beside && beside.commonDir === commonDir) return beside
    return { ...place, worktree: null, path: commonDir }
  }
  return { ...place, worktree: null, path: git.cwd }
}

const line = (bytes: Buffer) => bytes.toString('utf8').replace(/\n$/, '')

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function linkedFolder(gitDir: string): string {
  return dirname(gitDir)
}

async function explain(git: Git): Promise<AppError> {
  const holder = findGitEntry(git.cwd)
  const trusting = await git.run(['-c', 'safe.directory=*', 'rev-parse', '--git-dir'], { ok: [0, 128] })
  if (trusting.exitCode === 0)
    return new AppError('ERR_DUBIOUS_OWNERSHIP', { path: holder ? dirname(holder) : git.cwd })
  if (!holder) return new AppError('ERR_NOT_A_REPOSITORY', { path: git.cwd })
  try {
    const folder = statSync(holder).isDirectory()
    accessSync(holder, folder ? constants.R_OK | constants.X_OK : constants.R_OK)
    if (folder && existsSync(join(holder, 'HEAD'))) accessSync(join(holder, 'HEAD'), constants.R_OK)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') return new AppError('ERR_NO_PERMISSION', { path: holder })
  }
  return new AppError('ERR_REPOSITORY_DAMAGED', { path: dirname(holder), missing: holder })
}

/** The nearest `.git` at or above a folder. */
function findGitEntry(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const entry = join(at, '.git')
    try {
      statSync(entry)
      return entry
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EACCES') return entry
    }
    if (dirname(at) === at) return null
  }
}
