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
 * Finds the repository that holds `git.cwd`, judging by exit codes only.
 * Errors: ERR_NOT_A_REPOSITORY, ERR_NO_PERMISSION, ERR_DUBIOUS_OWNERSHIP, ERR_REPOSITORY_DAMAGED.
 */
export async function discover(git: Git): Promise<Discovered> {
  const facts = await readFacts(git)
  if (!facts) throw await explain(git)
  const gitDir = real(facts.gitDir)
  const commonDir = real(facts.commonDir)
  const linkedWorktree = gitDir !== commonDir
  const place = { gitDir, commonDir, bare: facts.bare, linkedWorktree }
  if (facts.top !== null) {
    const worktree = real(facts.top)
    return { ...place, worktree, path: worktree }
  }
  if (place.bare) return { ...place, worktree: null, path: commonDir }
  if (facts.insideGit) {
    // Opened inside a `.git` folder: its working tree is meant, where it is the one beside it.
    const beside = await discover(git.at(dirname(gitDir))).catch(() => null)
    if (beside && beside.commonDir === commonDir) return beside
    return { ...place, worktree: null, path: commonDir }
  }
  return { ...place, worktree: null, path: git.cwd }
}

interface Facts {
  readonly bare: boolean
  readonly insideGit: boolean
  readonly gitDir: string
  readonly commonDir: string
  /** null outside of a working tree. */
  readonly top: string | null
}

const FLAGS = ['--is-bare-repository', '--is-inside-git-dir', '--is-inside-work-tree']
const ASKED = [...FLAGS, '--git-dir', '--git-common-dir', '--show-toplevel']

/** All in one call; git prints what it can before it fails over the last one. null: this is no repository. */
async function readFacts(git: Git): Promise<Facts | null> {
  const ask = (what: readonly string[]) => git.run(['rev-parse', '--path-format=absolute', ...what], { ok: [0, 128] })
  const all = await ask(ASKED)
  const lines = all.stdout.toString('utf8').split('\n').slice(0, -1)
  const expected = all.exitCode === 0 ? ASKED.length : ASKED.length - 1
  const [bare, insideGit, insideTree, gitDir, commonDir, top] = lines
  if (gitDir === undefined) return null
  // With `core.worktree` git names a top that need not hold this folder.
  const inTree = insideTree === 'true'
  const flags = { bare: bare === 'true', insideGit: insideGit === 'true' }
  if (lines.length === expected && commonDir !== undefined)
    return { ...flags, gitDir, commonDir, top: inTree ? (top ?? null) : null }
  // A folder's name holds a newline: one path a call.
  const one = async (what: string) => (await ask([what])).stdout.toString('utf8').replace(/\n$/, '')
  const [own, common, tree] = await Promise.all([one('--git-dir'), one('--git-common-dir'), one('--show-toplevel')])
  return { ...flags, gitDir: own, commonDir: common, top: (inTree && tree) || null }
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
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
