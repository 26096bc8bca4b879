import { decodePath } from './bytes.ts'
import type { Git } from './process.ts'

/** What these full refs hold now; null where one is not there. */
export async function readRefsNow(git: Git, refs: readonly string[]): Promise<Map<string, string | null>> {
  const found = new Map<string, string | null>(refs.map((ref) => [ref, null]))
  if (refs.length === 0) return found
  const out = await git.run(['for-each-ref', '--format=%(refname)%00%(objectname)', ...refs])
  for (const row of decodePath(out.stdout).split('\n')) {
    const [ref, oid] = row.split('\0')
    if (ref && oid && found.has(ref)) found.set(ref, oid)
  }
  return found
}
