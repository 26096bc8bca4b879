import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyIndex } from '../../git/indexFile.ts'
import { parseRaw } from '../../git/touched.ts'
import { unmergedPaths } from './gitsOperation.ts'
import type { SettlePlace } from './place.ts'

/** Settled paths whose files hold other bytes than the index, as git sees them. Unmerged ones are left out. */
export async function unstagedPaths(place: Pick<SettlePlace, 'git' | 'gitDir'>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'daybreak-look-'))
  const env = { GIT_INDEX_FILE: join(folder, 'index') }
  try {
    if (!copyIndex(place.gitDir, env.GIT_INDEX_FILE)) return []
    // By time stamps alone a file that was only touched would count.
    await place.git.run(['update-index', '-q', '--refresh'], { env, ok: [0, 1] })
    const args = ['diff-files', '--raw', '-z', '--no-renames', '--ignore-submodules=dirty']
    const found = parseRaw((await place.git.run(args, { env })).stdout).map((one) => one.path)
    // An unmerged path is listed twice: as unmerged, and as what differs from our stage.
    const unmerged = new Set(await unmergedPaths(place.git))
    return found.filter((path) => !unmerged.has(path))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
