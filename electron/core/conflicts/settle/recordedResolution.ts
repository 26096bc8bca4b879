import type { ConflictStage } from '../../../../shared/model/index.ts'
import { markerSize } from './markerSize.ts'
import { type ConflictPlace, inMergeFolder, type Labels, type MergeFolder, STYLES } from './mergeFolder.ts'
import { type RerereForm, rerereForm } from './rerereForm.ts'
import { allRecords, hasRecords, type RerereRecord, recordsOf } from './rerereRecords.ts'

/**
 * The file that rerere would put in the place of a conflict: the first of the resolutions recorded for its conflicts that
 * goes onto it without a conflict. `onDisk`: what git left there, where nobody edited it; rerere goes by its lines. Null
 * where nothing is recorded for it. Nothing is written, and rerere itself is not run.
 */
export async function recordedResolution(
  place: ConflictPlace,
  path: string,
  stages: readonly ConflictStage[],
  onDisk: Buffer | null,
): Promise<Buffer | null> {
  if (!hasRecords(place.commonDir)) return null
  const size = await markerSize(place.git, path)
  const hash = stages[0]?.oid.length === 64 ? 'sha256' : 'sha1'
  const made = onDisk === null ? null : rerereForm(onDisk, size, hash)
  if (made !== null && recordsOf(place.commonDir, made.id).length === 0) return null
  return inMergeFolder(place, path, stages, size, async (folder) => {
    for (const form of made === null ? await formsAgain(folder, size, hash) : [made])
      for (const record of recordsOf(place.commonDir, form.id)) {
        const resolved = await applied(folder, form, record)
        if (resolved?.clean) return resolved.made
      }
    return null
  })
}

/** The conflict as each style makes it: where the file holds none, it is not known which one git would use. */
async function formsAgain(folder: MergeFolder, size: number, hash: 'sha1' | 'sha256'): Promise<RerereForm[]> {
  const forms: RerereForm[] = []
  for (const style of STYLES) {
    const merged = await folder.merge(style, ANY)
    const form = merged ? rerereForm(await folder.written(merged.made), size, hash) : null
    if (form !== null && forms.every((one) => one.id !== form.id)) forms.push(form)
  }
  return forms
}

/** Labels are no part of what is recorded. */
const ANY: Labels = ['ours', 'base', 'theirs']

/** A record goes onto a conflict as a merge of its own: from the conflict then to the one now, and to what it became. */
async function applied(folder: MergeFolder, form: RerereForm, { pre, post }: RerereRecord) {
  folder.put('this', form.text)
  folder.put('pre', pre)
  folder.put('post', post)
  return folder.merge('merge', ANY, ['this', 'pre', 'post'])
}

/** How many recorded resolutions are tried. */
const MOST_RECORDED = 200

/** Whether bytes on disk are a resolution that rerere recorded, of whatever conflict, put onto this one. */
export async function isFromRecord(
  place: ConflictPlace,
  folder: MergeFolder,
  size: number,
  bytes: Buffer,
): Promise<boolean> {
  const records = allRecords(place.commonDir).slice(0, MOST_RECORDED)
  if (records.length === 0) return false
  for (const { post } of records) if (post.equals(bytes) || (await folder.written(post)).equals(bytes)) return true
  for (const form of await formsAgain(folder, size, 'sha1'))
    for (const record of records) {
      const resolved = await applied(folder, form, record)
      if (resolved && (resolved.made.equals(bytes) || (await folder.written(resolved.made)).equals(bytes))) return true
    }
  return false
}
