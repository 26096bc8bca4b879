import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Repository } from '../../../shared/model/index.ts'
import { decodePath } from './bytes.ts'
import { type ConfigEntry, isLocal } from './drivers.ts'
import type { Git } from './process.ts'
import { readHolders, readWorktrees, type Worktree } from './worktrees.ts'

/** A worktree as the verbs see it. */
export interface Checkout extends Worktree {
  /** The folder where its files would be written, when that folder does not belong to its git folder; else null. */
  readonly outside: string | null
}

type Place = Pick<Repository, 'path' | 'commonDir' | 'bare' | 'linkedWorktree'>

/**
 * Every working tree, a bare repository's own entry left out. Where `core.worktree` or a separate git folder hides it,
 * the main one's real folder is told. `config`: the repository's.
 */
export const readCheckouts = async (git: Git, place: Place, config: readonly ConfigEntry[]): Promise<Checkout[]> =>
  asCheckouts(await readWorktrees(git, place.commonDir), place, config)

/** The same without the commits of their HEADs, which costs no process where nothing changed since the last look. */
export const readHoldingCheckouts = async (
  git: Git,
  place: Place,
  config: readonly ConfigEntry[],
): Promise<Checkout[]> => asCheckouts(await readHolders(git, place.commonDir), place, config)

function asCheckouts(all: readonly Worktree[], place: Place, config: readonly ConfigEntry[]): Checkout[] {
  const configured = config.findLast((entry) => entry.key === 'core.worktree' && isLocal(entry))?.value ?? null
  const worktrees = all.filter((one) => !one.bare)
  return worktrees.map((one) => {
    const path = one.main ? mainPath(one.path, place, configured) : one.path
    const outside = one.missing || (one.gitDir !== null && belongs(path, one.gitDir)) ? null : path
    return { ...one, path, outside }
  })
}

function mainPath(listed: string, place: Place, configured: string | null): string {
  if (configured !== null) return real(resolve(place.commonDir, configured))
  return place.linkedWorktree || place.bare ? listed : place.path
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Whether the folder's own `.git` leads to this git folder. */
function belongs(path: string, gitDir: string): boolean {
  const entry = join(path, '.git')
  try {
    const target = lstatSync(entry).isFile() ? linkTarget(path, entry) : entry
    return target !== null && real(target) === real(gitDir)
  } catch {
    return false
  }
}

function linkTarget(folder: string, entry: string): string | null {
  const text = decodePath(readFileSync(entry)).replace(/\r?\n$/, '')
  return text.startsWith('gitdir: ') ? resolve(folder, text.slice('gitdir: '.length)) : null
}
