import { AppError } from '../../../shared/errors/index.ts'
import { type BulkObject, bulkRead } from '../git/blobs.ts'
import type { Git } from '../git/process.ts'
import { pause } from '../memory/read.ts'
import type { ReviewItem } from './reviewItems.ts'
import { type Classified, classify, needsContent } from './reviewKinds.ts'

export interface ReviewedItem extends Classified {
  readonly item: ReviewItem
}

/** Larger blobs are read to their start only: their kind comes from their names and first bytes. */
const LIMIT = 4 * 1024 * 1024
/** Longest stretch of work between two pauses, in milliseconds. */
const STRETCH = 10

/**
 * Looks at the content of every item, in order, reading all blobs with one git. Holds two blobs at a time and pauses
 * at least every ten milliseconds. Errors: ERR_REPOSITORY_DAMAGED where a blob is gone.
 */
export async function classifyAll(
  git: Git,
  items: readonly ReviewItem[],
  isGenerated: (item: ReviewItem) => boolean,
): Promise<ReviewedItem[]> {
  const wanted = items.filter((item) => needsContent(item, isGenerated(item))).flatMap(sidesOf)
  const blobs = bulkRead(git, wanted, LIMIT)
  const out: ReviewedItem[] = []
  let since = performance.now()
  const next = async (oid: string | null): Promise<BulkObject | null> => {
    if (oid === null) return null
    const read = blobs.next()
    const blob = read instanceof Promise ? await read : read
    if (blob === null) throw new AppError('ERR_REPOSITORY_DAMAGED', { path: git.cwd, missing: oid })
    return blob
  }
  try {
    for (const item of items) {
      const generated = isGenerated(item)
      if (!needsContent(item, generated)) out.push({ item, ...(await classify(item, null, null, generated)) })
      else {
        const old = await next(item.oldOid)
        const now = item.newOid === item.oldOid ? old : await next(item.newOid)
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
