import * as z from 'zod'
import nightsSource from '../../../assets/sample/nights.json' with { type: 'json' }
import weekSource from '../../../assets/sample/week.json' with { type: 'json' }

const Link = z.tuple([z.string(), z.string()])

/** What a memory of the sample says; stamps and hashes are worked out. */
export const SampleMemory = z.strictObject({
  title: z.string(),
  type: z.string(),
  claim: z.string(),
  rest: z.string().optional(),
  body: z.array(z.string()).optional(),
  pre: z.string().optional(),
  importance: z.int().optional(),
  author: z.string().optional(),
  session: z.string().optional(),
  entities: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  links: z.array(Link).optional(),
})
export type SampleMemory = z.infer<typeof SampleMemory>

const Change = z.strictObject({
  path: z.string(),
  create: SampleMemory.optional(),
  /** What it says now instead. */
  set: SampleMemory.pick({ claim: true, body: true, entities: true }).partial().optional(),
  /** Links added to those that are there. */
  links: z.array(Link).optional(),
  archive: z.strictObject({ supersededBy: z.string().optional() }).optional(),
  moveTo: z.string().optional(),
})
export type SampleChange = z.infer<typeof Change>

const Step = z.strictObject({
  phase: z.string(),
  subject: z.string(),
  /** Lines of the commit's body: why the phase did it. */
  why: z.array(z.string()).default([]),
  counts: z.record(z.string(), z.number()).default({}),
  changes: z.array(Change).default([]),
  /** Memories whose confidence decays. */
  decay: z.array(z.string()).default([]),
  /** Marks earned, without their instant. */
  marks: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))).default([]),
  lists: z.boolean().default(false),
  access: z.boolean().default(false),
  report: z.boolean().default(false),
  /** A commit that no phase made: by which agent, when. */
  foreign: z.strictObject({ by: z.string(), at: z.string() }).optional(),
})
export type SampleStep = z.infer<typeof Step>

const Night = z.strictObject({ day: z.int(), approved: z.boolean(), phases: z.array(Step) })
export type SampleNight = z.infer<typeof Night>

const Write = z.strictObject({
  day: z.int(),
  at: z.string(),
  by: z.string(),
  path: z.string(),
  session: z.string().optional(),
  memory: SampleMemory,
})
export type SampleWrite = z.infer<typeof Write>

const Week = z.strictObject({
  name: z.string(),
  agents: z.record(z.string(), z.strictObject({ name: z.string(), email: z.string() })),
  writes: z.array(Write),
})

export interface SampleSource {
  readonly week: z.infer<typeof Week>
  readonly nights: readonly SampleNight[]
}

const DAY = 86_400_000

/** The date `days` from the instant, as in `2026-11-30`, UTC. */
export const dateOf = (night: Date, days: number): string =>
  new Date(night.getTime() + days * DAY).toISOString().slice(0, 10)

/**
 * The sample's source with its dates put in: `{stamp-4}` is the date four days before the night as `20261126`,
 * `{year}` the night's year.
 */
export function readSample(night: Date): SampleSource {
  const text = JSON.stringify({ week: weekSource, nights: nightsSource })
    .replaceAll(/\{stamp(-\d+)\}/g, (_, days: string) => dateOf(night, Number(days)).replaceAll('-', ''))
    .replaceAll('{year}', dateOf(night, 0).slice(0, 4))
  return z.strictObject({ week: Week, nights: z.array(Night) }).parse(JSON.parse(text))
}
