import * as z from 'zod'

/** What the decisions of a draft are about, apart from the sides as a whole: kept with it, to carry it over to others. */
export const About = z.strictObject({
  /** The decision is one side as a whole, not conflict by conflict. */
  whole: z.enum(['ours', 'theirs']).nullable().default(null),
  /** One for each conflict: a digest of its three texts. */
  conflicts: z.array(z.string()),
  /** One for each hand edit: what it replaced, and up to three lines before and after it within its gap. */
  edits: z.array(
    z.strictObject({ before: z.array(z.string()), removed: z.array(z.string()), after: z.array(z.string()) }),
  ),
})
export type About = z.infer<typeof About>
