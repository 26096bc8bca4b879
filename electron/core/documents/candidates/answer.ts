import * as z from 'zod'
import { AuditRow } from '../../../../shared/model/index.ts'

const Answer = z.object({
  by: z.string(),
  at: z.string(),
  commit: z.string().nullable().catch(null),
  loss: z.array(AuditRow).catch([]),
  /** By the index of a lost line: the version that has it again, or null where it was let go. */
  settled: z.record(z.string(), z.int().nullable()).default({}),
})
/** How a candidate ended, as it is kept. */
export type Answer = z.infer<typeof Answer>

/** Null where it is open, or where nothing can be made of what is kept. */
export function answerOf(kept: string | null): Answer | null {
  if (kept === null) return null
  const read = Answer.safeParse(JSON.parse(kept))
  return read.success ? read.data : null
}

/** Indices of the lost lines that were neither put back nor let go. */
export const unsettled = ({ loss, settled }: Answer): number[] =>
  loss.flatMap((_, index) => (settled[index] === undefined ? [index] : []))
