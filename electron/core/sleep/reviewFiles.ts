import { isAppError } from '../../../shared/errors/index.ts'
import { type BulkObject, bulkRead } from '../git/blobs.ts'
import type { Git } from '../git/process.ts'
import { pause } from '../memory/read.ts'
import type { ReviewItem } from './reviewItems.ts'
import { type Classified, classify, needsContent, unreadable } from './reviewKinds.ts'

export interface ReviewedItem extends Classified {
  readonly item: ReviewItem
}

/** Larger blobs are read to their start only: their kind comes from their names and first bytes. */
const LIMIT = 4 * 1024 * 1024
/** Longest stretch of work between two pauses, in milliseconds. */
const STRETCH = 10

/**
 * Looks at the content of every item, in order, reading all blobs with one git. Holds two blobs at a time and pauses
 * at least every ten milliseconds. An item whose blob is gone or damaged says so; the others are as they are.
 */
export async function classifyAll(
  git: Git,
  items: readonly ReviewItem[],
  isGenerated: (item: ReviewItem) => boolean,
): Promise<ReviewedItem[]> {
  const wanted = items.filter((item) => needsContent(item, isGenerated(item))).flatMap(sidesOf)
  const blobs = readAll(git, wanted)
  const out: ReviewedItem[] = []
  let since = performance.now()
  try {
    for (const item of items) {
      const generated = isGenerated(item)
      if (!needsContent(item, generated)) out.push({ item, ...(await classify(item, null, null, generated)) })
      else {
        const old = await blobs.next(item.oldOid)
        const now = item.newOid === item.oldOid ? old : await blobs.next(item.newOid)
        const lost = old === 'missing' ? item.oldOid : now === 'missing' ? item.newOid : null
        if (lost !== null) out.push({ item, ...unreadable(item, lost) })
        else if (old !== 'missing' && now !== 'missing')
          out.push({ item, ...(await classify(item, old, now, generated)) })
      }
      if (performance.now() - since > STRETCH) {
        await pause()
        since = performance.now()
      }
    }
  } finally {
    blobs.close()
  }
  return out
}

/** The blobs of an item in the order in which they are read; both sides being one blob, it is read once. */
const sidesOf = (item: ReviewItem): string[] =>
  [item.oldOid, item.newOid === item.oldOid ? null : item.newOid].filter((oid) => oid !== null)

/** The blobs one after another. One that git cannot give is `missing`; where git died of it, another reads the rest. */
function readAll(git: Git, wanted: readonly string[]) {
  let at = 0
  let began = 0
  let blobs = bulkRead(git, wanted, LIMIT)
  const again = (from: number) => {
    blobs.close()
    began = from
    blobs = bulkRead(git, wanted.slice(from), LIMIT)
  }
  const read = async (): Promise<BulkObject | 'missing'> => {
    for (;;) {
      try {
        const blob = await blobs.next()
        at++
        return blob ?? 'missing'
      } catch (error) {
        if (!isAppError(error, 'ERR_REPOSITORY_DAMAGED')) throw error
        // Git says nothing of which one it died of; it is the first that a git of its own dies of.
        const first = at === began
        if (first) at++
        again(at)
        if (first) return 'missing'
      }
    }
  }
  return {
    /** What the next wanted name stands for; null is not read. */
    next: (oid: string | null): Promise<BulkObject | 'missing' | null> =>
      oid === null ? Promise.resolve(null) : read(),
    close: () => blobs.close(),
  }
}
