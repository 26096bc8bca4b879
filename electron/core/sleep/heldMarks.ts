import type { Mark } from '../../../shared/model/index.ts'
import type { RepositoryContext } from '../context.ts'
import { parseMemory } from '../memory/read.ts'
import type { ReviewItem } from './reviewItems.ts'

interface Sides {
  readonly item: ReviewItem
  readonly before: ReadonlyMap<string, readonly string[]>
  readonly after: ReadonlyMap<string, readonly string[]>
}

/** Names are compared as entity resolution compares them: composed, in lower case, blanks collapsed. */
const plain = (text: string) => text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/**
 * Marks that must wait since what they say did not land: an edge with a left-out end, an entity whose rename is left
 * out, a session one of whose created files is left out.
 */
export async function heldMarks(
  repo: Pick<RepositoryContext, 'objects'>,
  marks: readonly Mark[],
  leftOut: readonly ReviewItem[],
): Promise<Mark[]> {
  const paths = new Set(leftOut.flatMap((item) => [item.path, ...(item.fromPath === null ? [] : [item.fromPath])]))
  const needsContent = marks.some((mark) => mark.kind === 'entity-promoted' || mark.kind === 'session-consolidated')
  const sides = needsContent ? await Promise.all(leftOut.map((item) => sidesOf(repo, item))) : []
  return marks.filter((mark) => {
    if (mark.kind === 'edge-promoted') return paths.has(mark.srcPath) || paths.has(mark.dstPath)
    if (mark.kind === 'entity-promoted') {
      const alias = plain(`${mark.entityType}:${mark.aliasName}`)
      const canonical = plain(`${mark.entityType}:${mark.canonicalName}`)
      return sides.some(
        (one) => names(one.before).has(alias) && !names(one.after).has(alias) && names(one.after).has(canonical),
      )
    }
    if (mark.kind === 'session-consolidated')
      return sides.some(
        ({ item, after }) => item.oldOid === null && (after.get('session') ?? []).includes(mark.sessionId),
      )
    return false
  })
}

const names = (fields: ReadonlyMap<string, readonly string[]>) => new Set((fields.get('entity') ?? []).map(plain))

async function sidesOf(repo: Pick<RepositoryContext, 'objects'>, item: ReviewItem): Promise<Sides> {
  const fields = async (oid: string | null) => {
    const blob = oid === null ? null : await repo.objects.read(oid)
    const memory = blob?.type === 'blob' ? await parseMemory(blob.bytes) : null
    return memory?.fields ?? new Map<string, readonly string[]>()
  }
  const [before, after] = await Promise.all([fields(item.oldOid), fields(item.newOid)])
  return { item, before, after }
}
