import { decodePath, splitNul } from './bytes.ts'
import { parseRawHeader, type RawChange, withoutRenames } from './diffTree.ts'
import type { Git } from './process.ts'

/**
 * What each commit did, by commit id: against its parent, everything for a root commit, and for a merge only what
 * differs from every parent (then the old side is the first parent's).
 */
export async function commitChanges(git: Git, commits: readonly string[]): Promise<Map<string, RawChange[]>> {
  const found = new Map<string, RawChange[]>()
  if (commits.length === 0) return found
  const input = `${commits.join('\n')}\n`
  const { stdout } = await withoutRenames((flags) =>
    git.run(['diff-tree', '--stdin', '--root', '-c', ...flags], { input }),
  )
  let current: RawChange[] = []
  const fields = splitNul(stdout)
  for (let at = 0; at < fields.length; ) {
    const field = fields[at] as Buffer
    if (field[0] !== COLON) {
      current = []
      found.set(field.toString('latin1').trim(), current)
      at += 1
      continue
    }
    const header = field.toString('latin1')
    const combined = header.startsWith('::')
    const head = combined ? parseCombinedHeader(header) : parseRawHeader(header)
    if (head.status === 'R' && !combined) {
      const from = decodePath(fields[at + 1] as Buffer)
      current.push({ ...head, fromPath: from, path: decodePath(fields[at + 2] as Buffer) })
      at += 3
    } else {
      current.push({ ...head, fromPath: null, path: decodePath(fields[at + 1] as Buffer) })
      at += 2
    }
  }
  return found
}

const COLON = 58

/** `::<mode>… <mode> <oid>… <oid> <letters>` with one mode and id a parent and then the merge's own. */
function parseCombinedHeader(header: string): Omit<RawChange, 'path' | 'fromPath'> {
  const parents = /^:+/.exec(header)?.[0].length ?? 1
  const parts = header.slice(parents).split(' ')
  const one = parseRawHeader(`:${parts[0]} ${parts[parents]} ${parts[parents + 1]} ${parts[2 * parents + 1]} M`)
  const status = one.newOid === null ? 'D' : one.oldOid === null ? 'A' : 'M'
  return { ...one, status, similarity: null }
}
