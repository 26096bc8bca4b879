import { existsSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type * as z from 'zod'
import { AppError } from '../../../shared/errors/index.ts'
import type { FolderListing } from '../../../shared/model/index.ts'

type Listing = z.infer<typeof FolderListing>

/** A folder that git would open: a working tree, a linked one, or a bare repository. */
function looksLikeRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)))
}

/**
 * The folders below `path` (null: the home folder), sorted by name; hidden ones are left out.
 * Errors: ERR_PATH_NOT_FOUND, ERR_NO_PERMISSION.
 */
export function listFolders(path: string | null): Listing {
  const folder = resolve(path ?? homedir())
  const names = readNames(folder)
  const entries = names
    .filter((name) => !name.startsWith('.'))
    .map((name) => ({ name, path: join(folder, name) }))
    .filter((entry) => isFolder(entry.path))
    .map((entry) => ({ ...entry, repository: looksLikeRepository(entry.path) }))
  const parent = dirname(folder)
  return {
    path: folder,
    parent: parent === folder ? null : parent,
    repository: looksLikeRepository(folder),
    entries: entries.sort((a, b) => a.name.localeCompare(b.name, 'en')),
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code === 'EACCES' || code === 'EPERM') throw new AppError('ERR_NO_PERMISSION', { path: folder })
    throw new AppError('ERR_PATH_NOT_FOUND', { path: folder })
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
