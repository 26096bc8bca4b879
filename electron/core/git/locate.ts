import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

const known = new Map<string, string | null>()

/**
 * The absolute path of the git that this PATH leads to; null where there is none. Programs are never looked for by
 * bare name: Windows would look in the current folder first, which is the opened repository. What was found is kept;
 * that there is none is looked at anew each time.
 */
export function locateGit(path: string | undefined): string | null {
  const text = path ?? ''
  const found = known.get(text) ?? search(text)
  if (found !== null) known.set(text, found)
  return found
}

function search(path: string): string | null {
  const names = process.platform === 'win32' ? ['git.exe'] : ['git']
  for (const folder of absoluteFolders(path))
    for (const name of names) if (runs(join(folder, name))) return join(folder, name)
  return null
}

function runs(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** The folders of a PATH that do not depend on the current one. An empty entry means the current folder. */
export const absoluteFolders = (path: string): string[] => path.split(delimiter).filter((folder) => isAbsolute(folder))
