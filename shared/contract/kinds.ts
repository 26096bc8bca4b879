import type * as z from 'zod'

export type MethodKind = 'query' | 'mutation' | 'native'

export interface MethodRow<K extends MethodKind, P extends z.ZodType, R extends z.ZodType> {
  readonly kind: K
  readonly params: P
  readonly result: R
}

const row =
  <K extends MethodKind>(kind: K) =>
  <P extends z.ZodType, R extends z.ZodType>(params: P, result: R): MethodRow<K, P, R> => ({ kind, params, result })

/** No effect; may run in parallel with anything. */
export const query = row('query')
/** Has an effect; mutations of one repository run one after another. */
export const mutation = row('mutation')
/** Needs the host (a dialog, the OS); `serve` may answer ERR_NOT_SUPPORTED_HERE. */
export const native = row('native')
