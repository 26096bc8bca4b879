import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodePath, encodePath, splitNul } from './bytes.ts'
import { indexInfo } from './localChanges.ts'
import type { Git } from './process.ts'
import type { TreeEntry } from './touched.ts'

/** A tree read into an index of our own, to look at or to change; nobody else sees it. */
export interface PrivateTree {
  /** Sets entries; null removes one. Removals are done first. */
  set(entries: readonly { readonly path: string; readonly entry: TreeEntry | null }[]): Promise<void>
  /** Values of an attribute for these paths, as the tree's own attribute files give them; unset ones are absent. */
  attributes(name: string, paths: readonly string[]): Promise<Map<string, string>>
  /** Those of these paths that the tree's attributes say are not merged by line (`-merge`, `merge=binary`). */
  notByLine(paths: readonly string[]): Promise<Set<string>>
  /** Writes the tree; its id. */
  write(): Promise<string>
}

/** Reads `tree` into a private index for the time of `work`. */
export async function withPrivateTree<T>(git: Git, tree: string, work: (open: PrivateTree) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'daybreak-tree-'))
  const env = { GIT_INDEX_FILE: join(folder, 'index') }
  try {
    await git.run(['read-tree', tree], { env })
    const ask = async (name: string, paths: readonly string[]): Promise<[path: string, value: string][]> => {
      const input = Buffer.concat(paths.flatMap((path) => [encodePath(path), Buffer.from([0])]))
      const out = await git.run(['check-attr', '--cached', '-z', '--stdin', name], { env, input })
      const fields = splitNul(out.stdout)
      const found: [string, string][] = []
      for (let at = 0; at + 2 < fields.length; at += 3)
        found.push([decodePath(fields[at] as Buffer), (fields[at + 2] as Buffer).toString('utf8')])
      return found
    }
    return await work({
      async set(entries) {
        if (entries.length === 0) return
        const length = /^[0-9a-f]{64}$/.test(tree) ? 64 : 40
        const sorted = [...entries].sort((a, b) => Number(a.entry !== null) - Number(b.entry !== null))
        await git.run(['update-index', '-z', '--index-info'], { env, input: indexInfo(sorted, length) })
      },
      attributes: async (name, paths) =>
        new Map((await ask(name, paths)).filter(([, value]) => value !== 'unspecified' && value !== 'unset')),
      notByLine: async (paths) =>
        new Set(
          (await ask('merge', paths)).flatMap(([path, value]) =>
            value === 'unset' || value === 'binary' ? [path] : [],
          ),
        ),
      write: () => git.text(['write-tree'], { env }),
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
