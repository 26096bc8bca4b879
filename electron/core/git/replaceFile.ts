import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Puts new bytes in the place of a file, which keeps its mode and owner. They are written beside it first and moved in
 * at once, so that no reader and no crash meets half a file; where that cannot be done (several names for the file, a
 * folder that may not be written to), the file is overwritten. Throws what the file system says.
 */
export function replaceFile(path: string, bytes: Uint8Array): void {
  const target = realpathSync(path)
  const { mode, uid, gid, nlink } = lstatSync(target)
  if (nlink > 1) {
    writeFileSync(target, bytes)
    return
  }
  const beside = join(dirname(target), `.daybreak-${randomUUID()}.tmp`)
  try {
    const file = openSync(beside, 'wx', 0o600)
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    chownSync(beside, uid, gid)
    chmodSync(beside, mode & 0o7777)
    renameSync(beside, target)
  } catch {
    rmSync(beside, { force: true })
    writeFileSync(target, bytes)
  }
}
