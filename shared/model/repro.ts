import * as z from 'zod'
import { Draft, RegionRow } from './resolution.ts'

/** Bytes of a file: as text where they are UTF-8. */
export const ReproText = z.union([z.strictObject({ text: z.string() }), z.strictObject({ base64: z.string() })])

/**
 * All that is needed to see a merge again: what `Copy state as JSON` and `daybreak merge-file --repro` give, and what a
 * fixture is. It holds the texts, and no names or folders of the machine.
 */
export const Repro = z.strictObject({
  repro: z.literal(1),
  /** Of Daybreak, and of what it ran on. */
  versions: z.record(z.string(), z.string()),
  /** Null where there was none. */
  base: ReproText.nullable(),
  ours: ReproText,
  theirs: ReproText,
  /** How `merge-file` was called; null where it comes from the resolver. */
  options: z
    .strictObject({
      style: z.enum(['merge', 'diff3', 'zdiff3']),
      favor: z.enum(['ours', 'theirs', 'union']).nullable(),
      markerSize: z.int(),
      labels: z.strictObject({ ours: z.string(), base: z.string(), theirs: z.string() }),
    })
    .nullable(),
  /** What the merge was. */
  regions: z.array(RegionRow),
  exact: z.boolean(),
  draft: Draft.nullable(),
  /** SHA-256 of the resulting file, null while something is open. */
  result: z.string().nullable(),
})
export type Repro = z.infer<typeof Repro>
