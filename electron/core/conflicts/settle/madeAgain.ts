import type { ConflictStage } from '../../../../shared/model/index.ts'
import { markerSize } from './markerSize.ts'
import { type ConflictPlace, inMergeFolder, type Labels, STYLES } from './mergeFolder.ts'
import { isFromRecord } from './recordedResolution.ts'

/** Merges the sides again as git does by itself, with the labels of the file, and what rerere puts in its place. */
export async function isMadeAgain(
  place: ConflictPlace,
  path: string,
  bytes: Buffer,
  stages: readonly ConflictStage[],
): Promise<boolean> {
  const size = await markerSize(place.git, path)
  const labels = labelsIn(bytes, size)
  const again = await inMergeFolder(place, path, stages, size, async (folder) => {
    for (const style of STYLES) {
      const merged = await folder.merge(style, labels)
      if (merged && (await folder.written(merged.made)).equals(bytes)) return true
    }
    return isFromRecord(place, folder, size, bytes)
  })
  return again ?? false
}

/** What stands behind the first markers of a file. */
function labelsIn(bytes: Buffer, size: number): Labels {
  const lines = bytes.toString('utf8').split(/\r?\n/)
  const label = (mark: string) => {
    const start = `${mark.repeat(size)} `
    return lines.find((line) => line.startsWith(start))?.slice(start.length) ?? ''
  }
  return [label('<'), label('|'), label('>')]
}
