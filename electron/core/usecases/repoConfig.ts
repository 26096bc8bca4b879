import * as z from 'zod'
import { problemWithPattern } from '../inbox/sleepPattern.ts'

/** What `.daybreak.yml` says, as far as it could be read. */
export interface ParsedConfig {
  readonly trunk: string | null
  readonly sleep: string | null
  readonly memories: string | null
  /** `strict`: an answer to a candidate that loses lines is refused. */
  readonly loss: 'report' | 'strict' | null
  readonly gate: { readonly run: string; readonly timeoutMs: number } | null
  /** What is wrong with it, one sentence each; the parts that are wrong are left at their defaults. */
  readonly problems: readonly string[]
  /** Keys that mean nothing to this Daybreak; harmless. */
  readonly unknown: readonly string[]
}

const EMPTY: ParsedConfig = {
  trunk: null,
  sleep: null,
  memories: null,
  loss: null,
  gate: null,
  problems: [],
  unknown: [],
}

export const DEFAULT_GATE_TIMEOUT_MS = 10 * 60_000
const MAX_BYTES = 1_000_000

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** `90s`, `10m`, `1h`, or a bare number of seconds → milliseconds; null where it is none of them, or zero. */
export function parseDuration(value: string | number): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(String(value).trim())
  if (!match) return null
  const ms = Number(match[1]) * (UNITS[match[2] ?? 's'] ?? 1000)
  return ms > 0 && ms <= 24 * 3_600_000 ? ms : null
}

const branch = z.string().min(1).max(255)
const parts = {
  trunk: branch,
  sleep: z.string().superRefine((text, context) => {
    const problem = problemWithPattern(text)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  }),
  memories: z.string().min(1).max(1000),
  loss: z.enum(['report', 'strict']),
  gate: z.object({
    run: z.string().min(1).max(10_000),
    timeout: z.union([z.string(), z.number()]).optional(),
  }),
} as const

/** Keys with a meaning for other parts of Daybreak. */
const OTHER_KEYS = new Set(['verify'])

/** Reads the bytes of `.daybreak.yml`; null: there is none. Never throws: what is wrong is told in `problems`. */
export async function parseRepoConfig(bytes: Uint8Array | null): Promise<ParsedConfig> {
  if (!bytes) return EMPTY
  if (bytes.length > MAX_BYTES) return { ...EMPTY, problems: ['it is over 1 MB'] }
  const raw = await parseYaml(bytes)
  if ('problem' in raw) return { ...EMPTY, problems: [raw.problem] }
  if (raw.value === null || raw.value === undefined) return EMPTY
  if (typeof raw.value !== 'object' || Array.isArray(raw.value)) return { ...EMPTY, problems: ['it is not a mapping'] }
  const given = raw.value as Record<string, unknown>
  const problems: string[] = []
  const take = <K extends keyof typeof parts>(key: K): z.infer<(typeof parts)[K]> | null => {
    if (given[key] === undefined || given[key] === null) return null
    const parsed = parts[key].safeParse(given[key])
    if (parsed.success) return parsed.data as z.infer<(typeof parts)[K]>
    for (const issue of parsed.error.issues) problems.push(`${[key, ...issue.path].join('.')}: ${issue.message}`)
    return null
  }
  const trunk = take('trunk')
  const sleep = take('sleep')
  const memories = take('memories')
  const loss = take('loss')
  const gate = take('gate')
  const timeoutMs = gate?.timeout === undefined ? DEFAULT_GATE_TIMEOUT_MS : parseDuration(gate.timeout)
  if (timeoutMs === null)
    problems.push(`gate.timeout: ${JSON.stringify(gate?.timeout)} is not a time such as 90s or 10m`)
  return {
    trunk,
    sleep,
    memories,
    loss,
    gate: gate ? { run: gate.run, timeoutMs: timeoutMs ?? DEFAULT_GATE_TIMEOUT_MS } : null,
    problems,
    unknown: Object.keys(given).filter((key) => !Object.hasOwn(parts, key) && !OTHER_KEYS.has(key)),
  }
}

/** Most repositories have no such file, and loading the parser costs every start; so it is loaded at the first one. */
async function parseYaml(bytes: Uint8Array): Promise<{ value: unknown } | { problem: string }> {
  const { parseDocument } = await import('yaml')
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const document = parseDocument(text, { prettyErrors: true })
    const first = document.errors[0]
    if (first) return { problem: first.message.split('\n')[0] ?? first.message }
    return { value: document.toJS({ maxAliasCount: 100 }) }
  } catch (error) {
    return { problem: error instanceof TypeError ? 'it is not UTF-8' : String((error as Error).message) }
  }
}
