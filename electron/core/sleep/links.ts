import type { RepositoryContext } from '../context.ts'
import type { TreeEntry } from '../git/touched.ts'
import type { ReviewItem } from './reviewItems.ts'

const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Repository paths that a page links to by root-absolute addresses. */
export function linkedPaths(html: string): string[] {
  return [...html.matchAll(HREF)].flatMap((match) => {
    const raw = (match[1] ?? match[2] ?? '').replace(
      /&(amp|lt|gt|quot|#39);/g,
      (_, name: string) => ENTITIES[name] ?? '',
    )
    if (!raw.startsWith('/') || raw.startsWith('//')) return []
    const path = raw.slice(1).replace(/[?#].*$/s, '')
    try {
      return path ? [decodeURIComponent(path)] : []
    } catch {
      return [path]
    }
  })
}

/**
 * Links in files that stay in the night whose targets would not be there, since what brings them is left out.
 * Generated lists are not among them: those are called stale.
 */
export async function danglingLinks(
  repo: Pick<RepositoryContext, 'objects'>,
  all: readonly ReviewItem[],
  leftOut: readonly ReviewItem[],
  tip: ReadonlySet<string>,
  entries: readonly { readonly path: string; readonly entry: TreeEntry | null }[],
): Promise<{ path: string; target: string }[]> {
  const missing = new Set(entries.filter((one) => one.entry === null && tip.has(one.path)).map((one) => one.path))
  if (missing.size === 0) return []
  const stays = all.filter((item) => item.newOid !== null && !item.generated && !leftOut.includes(item))
  const blobs = await repo.objects.readMany(stays.map((item) => item.newOid as string))
  return stays.flatMap((item, at) => {
    const blob = blobs[at]
    if (blob?.type !== 'blob') return []
    const targets = new Set(linkedPaths(blob.bytes.toString('utf8')).filter((target) => missing.has(target)))
    return [...targets].map((target) => ({ path: item.path, target }))
  })
}
