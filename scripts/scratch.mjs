// Where tests keep their temporary files: in memory where the machine has room there, since nothing of them is to last.
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Less than this and a test that fills a folder would be the one that fails. */
const ROOM = 4 * 1024 ** 3

/**
 * A folder in memory for this process and those it starts, gone when it ends; as the environment that names it. Empty where
 * TMPDIR is set, where there is no such memory, and where programs cannot run from it: tests put hooks there.
 */
export function scratchEnvironment() {
  if (process.platform !== 'linux' || process.env.TMPDIR) return {}
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, at]) => at === MEMORY)
    if (mount?.[2] !== 'tmpfs' || mount[3].split(',').includes('noexec')) return {}
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize < ROOM) return {}
    accessSync(MEMORY, constants.W_OK)
    const folder = mkdtempSync(join(MEMORY, 'daybreak-'))
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    return { TMPDIR: folder }
  } catch {
    return {}
  }
}
