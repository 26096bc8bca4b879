import { AppError } from '../../../shared/errors/index.ts'
import { cleanBytes, diffLines, type Merge, merge } from '../../../shared/merge/index.ts'
import type { MergedFile } from '../../../shared/model/index.ts'
import type { RepositoryContext } from '../context.ts'
import { touchedPaths } from '../git/touched.ts'
import type { ReviewedFile, ReviewFacts } from './review.ts'
import { lineParts } from './reviewParts.ts'
import { decodeText, encodingOf } from './reviewText.ts'

/** Larger files are not merged here: bringing main in does that, and the review shows them by line as they are. */
const LIMIT = 2 * 1024 * 1024
const PLAIN = /^100(?:644|755)$/

type Reading = Pick<RepositoryContext, 'git' | 'objects'>

/**
 * What one file would be on trunk with the night's change and trunk's own, by the same three-way merge that decides
 * conflicts: from the merge base's version, trunk's and the tip's. Reads only. Errors: ERR_REPOSITORY_DAMAGED.
 */
export async function mergedFile(repo: Reading, facts: ReviewFacts, file: ReviewedFile): Promise<MergedFile> {
  const { item } = file
  const { trunk } = facts.target
  const none = (why: Extract<MergedFile, { state: 'none' }>['why']): MergedFile => ({ state: 'none', why })
  if (!file.alsoOnTrunk || trunk === null || facts.base === null) return none('not-on-trunk')
  const before = item.fromPath ?? item.path
  const onTrunk = (await touchedPaths(repo.git, facts.base, trunk)).find((one) => one.path === before)?.new ?? null
  if (item.oldOid === null || item.newOid === null || onTrunk === null) return none('one-sided')
  if (![item.oldMode, item.newMode, onTrunk.mode].every((mode) => mode !== null && PLAIN.test(mode)))
    return none('no-text')
  const blobs = await repo.objects.readMany([item.oldOid, onTrunk.oid, item.newOid])
  const [base, ours, tip] = blobs.map((blob) => (blob?.type === 'blob' ? blob.bytes : null))
  if (!base || !ours || !tip) throw new AppError('ERR_REPOSITORY_DAMAGED', { path: repo.git.cwd, missing: before })
  const sides = [base, ours, tip]
  if (sides.some((bytes) => bytes.length > LIMIT)) return none('too-large')
  const encoding = encodingOf(tip)
  if (encoding === 'binary' || encoding.startsWith('utf-16') || sides.some((bytes) => encodingOf(bytes) !== encoding))
    return none('no-text')
  const merged = merge({ base, ours, theirs: tip })
  const bytes = cleanBytes(merged)
  if (bytes === null) return { state: 'conflict', conflicts: merged.conflicts.length }
  const text = decodeText(Buffer.from(bytes), encoding) ?? ''
  return {
    state: 'merged',
    trunk,
    text,
    raw: lineParts(item.path, diffLines(decodeText(base, encoding) ?? '', text)),
    from: origins(merged),
    authors: [...new Set(facts.onTrunk.filter((one) => one.shared.includes(before)).map((one) => one.author))],
  }
}

/** Which lines of the result, counted from 1, come from whom; lines that both have alike, or that nobody changed, are not among them. */
function origins(merged: Merge): Extract<MergedFile, { state: 'merged' }>['from'] {
  const found: { who: 'trunk' | 'branch'; start: number; lines: number; removed: number }[] = []
  let line = 1
  for (const { kind, base, ours, theirs } of merged.regions) {
    const taken = kind === 'theirs' ? theirs : ours
    const lines = taken.end - taken.start
    if (kind === 'ours' || kind === 'theirs')
      found.push({
        who: kind === 'ours' ? 'trunk' : 'branch',
        start: line,
        lines,
        removed: lines === 0 ? base.end - base.start : 0,
      })
    line += lines
  }
  return found
}
