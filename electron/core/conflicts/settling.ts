import type { Caller, DecodedParams } from '../../../shared/contract/index.ts'
import type { BatchRow, ProceedOutcome, ReopenOutcome, ResolveOutcome } from '../../../shared/model/index.ts'

type Given<M extends 'resolve' | 'reopen' | 'previewBatch' | 'batch' | 'proceed' | 'abort'> =
  DecodedParams<`conflicts.${M}`>

/** What can be done about the conflicts of one kind of source. Each is written, or refused, whole. */
export interface ConflictSettling {
  resolve(given: Given<'resolve'>, caller: Caller): Promise<ResolveOutcome>
  reopen(given: Given<'reopen'>, caller: Caller): Promise<ReopenOutcome>
  previewBatch(given: Given<'previewBatch'>): Promise<BatchRow[]>
  batch(given: Given<'batch'>, caller: Caller): Promise<BatchRow[]>
  proceed(given: Given<'proceed'>, caller: Caller): Promise<ProceedOutcome>
  abort(given: Given<'abort'>, caller: Caller): Promise<ProceedOutcome>
}
