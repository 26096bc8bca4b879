import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ConflictItem } from '../../../../shared/model/index.ts'
import { encodePath } from '../../git/bytes.ts'
import { writtenForm } from '../../git/writtenForm.ts'
import { lookAtItem } from '../settle/asGitWrote.ts'
import type { ConflictPlace } from '../settle/madeAgain.ts'
import { markerSize } from '../settle/markerSize.ts'
import { hasMarkers } from './content.ts'
import { hasRecords, rerereNotes } from './stopped.ts'

/**
 * Says of which items rerere has a resolution. `recorded`: git noted the conflict (`MERGE_RR`) and a resolution of it is
 * kept. `written`: the path is unmerged, the file has no markers, and what stands there is what a kept resolution gives.
 */
export async function withRerere(place: ConflictPlace, items: readonly ConflictItem[]): Promise<ConflictItem[]> {
  if (!hasRecords(place.commonDir)) return [...items]
  const notes = rerereNotes(place.gitDir)
  return Promise.all(
    items.map(async (item): Promise<ConflictItem> => {
      if (!item.lines || item.state === 'resolved' || item.paths.length > 1) return item
      const id = notes.get(encodePath(item.path).toString('latin1'))
      if (id !== undefined) return isRecorded(place.commonDir, id) ? { ...item, rerere: 'recorded' } : item
      return (await isWritten(place, item)) ? { ...item, rerere: 'written' } : item
    }),
  )
}

/** `<id>` or `<id>.<variant>` of a folder in `rr-cache`. */
function isRecorded(commonDir: string, id: string): boolean {
  const match = /^([0-9a-f]{40,64})(\.\d+)?$/.exec(id)
  return match !== null && existsSync(join(commonDir, 'rr-cache', match[1] as string, `postimage${match[2] ?? ''}`))
}

async function isWritten(place: ConflictPlace, item: ConflictItem): Promise<boolean> {
  const { found, state } = await lookAtItem(place, [item.path], item.stages)
  const there = found.get(item.path)
  if (state !== 'git' || there?.is !== 'file') return false
  if (hasMarkers(there.bytes, await markerSize(place.git, item.path))) return false
  for (const { oid } of item.stages)
    if ((await writtenForm(place.git, item.path, oid)).equals(there.bytes)) return false
  return true
}
