import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A resolution that rerere has recorded: the conflict as it was, and what it became. */
export interface RerereRecord {
  readonly pre: Buffer
  readonly post: Buffer
}

/** Whether rerere has recorded anything here. */
export const hasRecords = (commonDir: string): boolean => namesIn(join(commonDir, 'rr-cache')).length > 0

/** Every resolution that was recorded, of whatever conflict. */
export const allRecords = (commonDir: string): RerereRecord[] =>
  namesIn(join(commonDir, 'rr-cache')).flatMap((id) => recordsOf(commonDir, id))

/** Those recorded of the conflicts of this id, in the order in which git tries them. */
export function recordsOf(commonDir: string, id: string): RerereRecord[] {
  const folder = join(commonDir, 'rr-cache', id)
  const variants = namesIn(folder).flatMap(
    (name) => /^postimage(\.\d+)?$/.exec(name)?.[1] ?? (name === 'postimage' ? '' : []),
  )
  const number = (variant: string) => Number(variant.slice(1))
  return variants
    .sort((a, b) => number(a) - number(b))
    .flatMap((variant) => {
      try {
        const [pre, post] = ['preimage', 'postimage'].map((name) => readFileSync(join(folder, `${name}${variant}`)))
        return pre && post ? [{ pre, post }] : []
      } catch {
        // One without the other tells nothing.
        return []
      }
    })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
