import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openPorcelain } from './porcelain.ts'
import type { Git } from './process.ts'

export interface HeldLock {
  readonly path: string
  readonly ageSeconds: number
}

/** Lock files of the repository that are there now: of refs, of HEADs and indexes of every worktree, of the configuration. */
export function findLocks(commonDir: string, now: Date): HeldLock[] {
  const found: HeldLock[] = []
  const look = (folder: string, deep: boolean) => {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (deep) look(path, true)
      } else if (entry.name.endsWith('.lock')) {
        const age = ageOf(path, now)
        if (age !== null) found.push({ path, ageSeconds: age })
      }
    }
  }
  look(commonDir, false)
  look(join(commonDir, 'refs'), true)
  look(join(commonDir, 'worktrees'), true)
  return found
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function ageOf(path: string, now: Date): number | null {
  try {
    return Math.max(0, (now.getTime() - statSync(path).mtimeMs) / 1000)
  } catch {
    return null
  }
}

/** What `fsck` complains about, its first lines; empty for a sound repository. Reads no file content. */
export async function findDamage(git: Git, lines = 5): Promise<string[]> {
  const answer = await git.run(['fsck', '--connectivity-only', '--no-dangling', '--no-progress'], {
    ok: Array.from({ length: 128 }, (_, code) => code),
  })
  if (answer.exitCode === 0) return []
  const said = `${answer.stdout.toString('utf8')}\n${answer.stderr}`.split('\n').filter((line) => line.trim() !== '')
  return said.slice(0, lines)
}

/** How much the packs take, in git's own words, e.g. `1.20 MiB`. */
export async function packedSize(git: Git): Promise<string> {
  const told = await (await openPorcelain(git)).raw(['count-objects', '-vH'])
  return /^size-pack: (.+)$/m.exec(told)?.[1] ?? '0 bytes'
}
