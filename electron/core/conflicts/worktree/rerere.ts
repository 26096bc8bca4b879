import type { ConflictItem } from '../../../../shared/model/index.ts'
import { writtenForm } from '../../git/writtenForm.ts'
import { type ItemOnDisk, lookAtItem } from '../settle/asGitWrote.ts'
import { markerSize } from '../settle/markerSize.ts'
import type { ConflictPlace } from '../settle/mergeFolder.ts'
import { recordedResolution } from '../settle/recordedResolution.ts'
import { hasRecords } from '../settle/rerereRecords.ts'
import { hasMarkers } from './content.ts'

/**
 * Says of which items rerere has a resolution. `written`: the path is unmerged, the file has no markers, and what stands
 * there is what a kept resolution gives. `recorded`: a resolution of these conflicts is kept, and does not stand there.
 */
export async function withRerere(place: ConflictPlace, items: readonly ConflictItem[]): Promise<ConflictItem[]> {
  if (!hasRecords(place.commonDir)) return [...items]
  const answer: ConflictItem[] = []
  for (const item of items) answer.push({ ...item, rerere: await rerereOf(place, item) })
  return answer
}

async function rerereOf(place: ConflictPlace, item: ConflictItem): Promise<ConflictItem['rerere']> {
  if (!item.lines || item.state === 'resolved' || item.paths.length > 1) return 'none'
  const onDisk = await lookAtItem(place, [item.path], item.stages)
  if (await isWritten(place, item, onDisk)) return 'written'
  return (await recordedOf(place, item, onDisk)) === null ? 'none' : 'recorded'
}

/** The whole file that is recorded for an item; null where none is. */
export async function recordedOf(
  place: ConflictPlace,
  item: ConflictItem,
  onDisk?: ItemOnDisk,
): Promise<Buffer | null> {
  const { state, found } = onDisk ?? (await lookAtItem(place, [item.path], item.stages))
  const there = found.get(item.path)
  return recordedResolution(place, item.path, item.stages, state === 'git' && there?.is === 'file' ? there.bytes : null)
}

async function isWritten(place: ConflictPlace, item: ConflictItem, { found, state }: ItemOnDisk): Promise<boolean> {
  const there = found.get(item.path)
  if (state !== 'git' || there?.is !== 'file') return false
  if (hasMarkers(there.bytes, await markerSize(place.git, item.path))) return false
  for (const { oid } of item.stages)
    if ((await writtenForm(place.git, item.path, oid)).equals(there.bytes)) return false
  return true
}
