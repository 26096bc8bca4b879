import { merge } from '../../../../shared/merge/index.ts'
import type { ConflictStage } from '../../../../shared/model/index.ts'
import { bulkRead } from '../../git/blobs.ts'
import type { Git } from '../../git/process.ts'
import { areTexts, type SideBytes } from '../text/prepare.ts'

/** What a blob is, by what it holds. */
export type Holds = 'text' | 'binary' | 'image' | 'lfs'

/** A blob as far as it is needed to say what a conflict is. */
export interface Blob {
  readonly size: number
  readonly holds: Holds
  /** Null where it is larger than what is merged by line. */
  readonly bytes: Buffer | null
}

/** Larger files are decided by side. */
const MERGED = 32 * 1024 * 1024

const LFS = Buffer.from('version https://git-lfs.github.com/spec/')
const POINTER = 1024

/** Type of an image that browsers show, by its first bytes; null where it is none. */
export function imageType(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp'
  if (head.startsWith('\0\0\x01\0')) return 'image/x-icon'
  if (head.slice(4, 12) === 'ftypavif') return 'image/avif'
  return head.startsWith('BM') && bytes.includes(0) ? 'image/bmp' : null
}

/** Whether a file is the pointer of a large file that lies elsewhere (git-lfs, docs/spec.md). */
export const isLfsPointer = (bytes: Uint8Array): boolean =>
  bytes.length <= POINTER && Buffer.from(bytes.subarray(0, LFS.length)).equals(LFS)

export function holdsOf(bytes: Uint8Array): Holds {
  if (isLfsPointer(bytes)) return 'lfs'
  if (imageType(bytes) !== null) return 'image'
  return areTexts({ base: null, ours: bytes, theirs: bytes }) ? 'text' : 'binary'
}

/** Reads the blobs of files and links, each once. Missing ones are left out. */
export async function readBlobs(
  git: Git,
  stages: readonly Pick<ConflictStage, 'mode' | 'oid'>[],
): Promise<Map<string, Blob>> {
  const oids = [...new Set(stages.filter((one) => one.mode !== '160000').map((one) => one.oid))]
  const found = new Map<string, Blob>()
  const reader = bulkRead(git, oids, MERGED)
  try {
    for (const oid of oids) {
      const object = await reader.next()
      if (object?.type !== 'blob') continue
      const whole = object.bytes.length === object.size
      const bytes = whole ? Buffer.from(object.bytes) : null
      const holds = holdsOf(object.bytes)
      found.set(oid, { size: object.size, holds: whole ? holds : holds === 'image' ? holds : 'binary', bytes })
    }
  } finally {
    reader.close()
  }
  return found
}

/** In how many lines a text differs from its base: the longer of old and new lines of each change. */
export function changedLines(base: Uint8Array, side: Uint8Array): number {
  const made = merge({ base, ours: side, theirs: base })
  return made.regions.reduce(
    (sum, { kind, base: old, ours }) =>
      kind === 'unchanged' ? sum : sum + Math.max(old.end - old.start, ours.end - ours.start),
    0,
  )
}

/** Whether three texts can be merged by line. */
export const mergeable = (sides: SideBytes): boolean => areTexts(sides)

/** Whether a text that git made holds conflict markers. In the stages of renamed files they are longer than elsewhere. */
export const hasMarkers = (bytes: Uint8Array, size = 7): boolean =>
  new RegExp(`^<{${size},} `, 'm').test(Buffer.from(bytes).toString('latin1'))
