import type { ReviewItem } from '../sleep/reviewItems.ts'
import type { StateDb } from './stateDb.ts'

/** How many of these files the reviewer has ticked, by content. */
export function countViewed(state: StateDb, items: readonly ReviewItem[]): number {
  if (items.length === 0) return 0
  const row = state.db
    .prepare('SELECT count(*) AS n FROM viewed WHERE content_key IN (SELECT value FROM json_each(?))')
    .get(JSON.stringify([...new Set(items.map((item) => item.contentKey))])) as { n: number }
  return row.n
}
