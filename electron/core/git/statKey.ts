import { statSync } from 'node:fs'

/** A file that changed so short a time ago may change again without a trace in its stat, in nanoseconds. */
const SETTLED = 1_000_000_000n

/**
 * Something that is another one once a file holds something else; `absent` where there is none. Null where it cannot be
 * told, since the file is too young.
 */
export function statKey(file: string, time: number = Date.now()): string | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  if (!stat) return 'absent'
  const now = BigInt(time) * 1_000_000n
  if (now - stat.ctimeNs < SETTLED || now - stat.mtimeNs < SETTLED) return null
  return `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.mode}`
}
