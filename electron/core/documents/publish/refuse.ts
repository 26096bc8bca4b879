import { AppError } from '../../../../shared/errors/index.ts'
import type { Refusal } from '../../../../shared/model/index.ts'

/** A write that waits to be told. */
interface Refusable {
  readonly write: { readonly paths: readonly string[] }
  reject(error: unknown): void
}

/** A write with what it would have changed. */
interface Landed<W> {
  readonly one: W
  readonly wanted: { readonly changes: readonly { readonly path: string }[] }
}

/** Refuses the writes that stand in the way; those that may go on. */
export function refuse<W extends Refusable>(landings: readonly Landed<W>[], refusal: Refusal): W[] {
  const hit = (landing: Landed<W>): AppError | null => {
    if (refusal.refusal !== 'dirty-tree') return null
    for (const { worktree, paths } of refusal.worktrees) {
      const path = paths.find((dirty) => landing.wanted.changes.some((one) => meets(one.path, dirty)))
      if (path !== undefined) return new AppError('ERR_DIRTY_PATH', { path, worktree })
    }
    return null
  }
  const errors = landings.map(hit)
  if (errors.every((one) => one === null)) {
    for (const { one } of landings)
      one.reject(new AppError('ERR_REFUSED', { what: `Publishing ${one.write.paths[0]}`, refusal }))
    return []
  }
  return landings.flatMap(({ one }, at) => {
    const error = errors[at]
    if (!error) return [one]
    one.reject(error)
    return []
  })
}

const meets = (a: string, b: string) => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)
