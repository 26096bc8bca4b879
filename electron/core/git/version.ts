import { AppError, isAppError } from '../../../shared/errors/index.ts'
import type { Git } from './process.ts'

export interface GitVersion {
  readonly text: string
  readonly major: number
  readonly minor: number
}

/** The oldest git that has `merge-tree --write-tree`. */
const OLDEST_GIT = { major: 2, minor: 38 } as const

/** Reads `git version 2.39.5 (Apple Git-154)`; null where it is not git's answer. */
export function parseGitVersion(output: string): GitVersion | null {
  const match = /^git version ((\d+)\.(\d+)\S*)/.exec(output)
  return match ? { text: match[1] as string, major: Number(match[2]), minor: Number(match[3]) } : null
}

export const isAtLeast = (found: GitVersion, major: number, minor: number): boolean =>
  found.major > major || (found.major === major && found.minor >= minor)

/** The git that answers. Errors: ERR_GIT_MISSING, ERR_GIT_TOO_OLD. */
export async function requireGit(git: Git): Promise<GitVersion> {
  const output = await git.text(['version'])
  const found = parseGitVersion(output)
  if (found && isAtLeast(found, OLDEST_GIT.major, OLDEST_GIT.minor)) return found
  const needed = `${OLDEST_GIT.major}.${OLDEST_GIT.minor}`
  throw new AppError('ERR_GIT_TOO_OLD', { found: found?.text ?? output.slice(0, 80), needed })
}

/** The version that is there, whatever it is; null where there is no git. */
export async function findGit(git: Git): Promise<GitVersion | null> {
  try {
    return parseGitVersion(await git.text(['version']))
  } catch (error) {
    if (isAppError(error, 'ERR_GIT_MISSING')) return null
    throw error
  }
}
