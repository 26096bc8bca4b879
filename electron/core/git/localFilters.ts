import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodePath, encodePath, splitNul } from './bytes.ts'
import { type ConfigEntry, isLocal } from './drivers.ts'
import type { Git } from './process.ts'

const FILTER = /^filter\.(.+)\.(?:clean|smudge|process)$/s

/** Names of the filters that the repository's own configuration defines, each with its entries. */
export function localFilters(config: readonly ConfigEntry[]): Map<string, ConfigEntry[]> {
  const found = new Map<string, ConfigEntry[]>()
  for (const entry of config) {
    const name = FILTER.exec(entry.key)?.[1]
    if (name === undefined || !isLocal(entry) || entry.value === '') continue
    found.set(name, [...(found.get(name) ?? []), entry])
  }
  return found
}

/**
 * Which of the paths one of these filters applies to, by the attributes of any of the commits, of the working tree
 * where `git` runs, or of `info/attributes`. Path → filter. git before 2.40 cannot be asked about a commit, so each is
 * read into a private index first.
 */
export async function filteredPaths(
  git: Git,
  commits: readonly string[],
  paths: readonly string[],
  names: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  if (names.size === 0 || paths.length === 0) return found
  const folder = await mkdtemp(join(tmpdir(), 'daybreak-attributes-'))
  const input = Buffer.concat(paths.flatMap((path) => [encodePath(path), NUL]))
  const ask = async (flags: readonly string[], env?: Record<string, string>) => {
    const options = env ? { input, env } : { input }
    const { stdout } = await git.run(['check-attr', '-z', '--stdin', ...flags, 'filter'], options)
    const fields = splitNul(stdout)
    for (let at = 0; at + 2 < fields.length; at += 3) {
      const name = decodePath(fields[at + 2] as Buffer)
      if (names.has(name)) found.set(decodePath(fields[at] as Buffer), name)
    }
  }
  try {
    await ask([])
    for (const [at, commit] of commits.entries()) {
      const env = { GIT_INDEX_FILE: join(folder, `${at}.index`) }
      await git.run(['read-tree', commit], { env })
      await ask(['--cached'], env)
    }
    return found
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const NUL = Buffer.from([0])
