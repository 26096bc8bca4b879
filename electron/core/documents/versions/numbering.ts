import type { HandedVersion } from '../../store/versions.ts'

/** One change of a document, as it is numbered. */
export interface Numbered {
  readonly commit: string
  /** Null: the commit deleted it. */
  readonly oid: string | null
}

/**
 * Numbers the changes of a document, the oldest first, after the number `before`. A number that was handed out means
 * the same bytes for ever: a change keeps its number, one with the bytes of a handed-out number above its predecessor's
 * is that number again, and any other is above all that were handed out. So numbers rise along every history, and
 * handing out more of them never changes those that a history has already. `handed`: all above `before`, in order.
 */
export function numberChanges(
  changes: readonly Numbered[],
  handed: readonly HandedVersion[],
  before: number,
): number[] {
  const byBytes = new Map<string, { readonly versions: number[]; next: number }>()
  for (const { oid, version } of handed) {
    const key = oid ?? ''
    const known = byBytes.get(key)
    if (known) known.versions.push(version)
    else byBytes.set(key, { versions: [version], next: 0 })
  }
  let highest = Math.max(before, handed.at(-1)?.version ?? 0)
  let previous = before
  return changes.map(({ oid }) => {
    const same = byBytes.get(oid ?? '')
    while (same && (same.versions[same.next] ?? Number.POSITIVE_INFINITY) <= previous) same.next += 1
    previous = same?.versions[same.next] ?? highest + 1
    highest = Math.max(highest, previous)
    return previous
  })
}
