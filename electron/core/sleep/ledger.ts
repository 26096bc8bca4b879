import type { Mark } from '../../../shared/model/review.ts'

/** How much of a malformed line is kept, in characters. */
const SHOWN = 2000
const INSTANT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z)?$/

type Kind = Exclude<Mark['kind'], 'malformed'>
type FieldKind = 'text' | 'instant' | 'number' | 'boolean'

/** What each kind of mark carries, in the order in which it is written. */
const FIELDS: Readonly<Record<Kind, Readonly<Record<string, FieldKind>>>> = {
  'session-consolidated': { sessionId: 'text', runId: 'text', at: 'instant' },
  'edge-promoted': { srcPath: 'text', rel: 'text', dstPath: 'text', at: 'instant' },
  'entity-promoted': { entityType: 'text', aliasName: 'text', canonicalName: 'text', at: 'instant' },
  'commitment-below-floor': {
    sessionId: 'text',
    statement: 'text',
    confidence: 'number',
    resolved: 'boolean',
    runId: 'text',
    at: 'instant',
  },
}

const fits: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string' && value !== '',
  instant: (value) => typeof value === 'string' && INSTANT.test(value),
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
}

const wanted: Readonly<Record<FieldKind, string>> = {
  text: 'a text that is not empty',
  instant: 'an instant such as 2026-11-30T00:00:00Z',
  number: 'a number',
  boolean: 'true or false',
}

/**
 * Reads a ledger: one JSON object a line. A line that cannot be read becomes a `malformed` mark with its number and
 * the reason, and leaves the others applicable. Lines without any text are passed over.
 */
export function parseLedger(bytes: Uint8Array): Mark[] {
  const marks: Mark[] = []
  let from = 0
  for (let line = 1; from < bytes.length; line++) {
    const end = bytes.indexOf(10, from)
    const to = end === -1 ? bytes.length : end
    const mark = parseLine(bytes.subarray(from, to), line)
    if (mark) marks.push(mark)
    from = to + 1
  }
  return marks
}

const strict = new TextDecoder('utf-8', { fatal: true })
const lenient = new TextDecoder('utf-8')

function parseLine(bytes: Uint8Array, line: number): Mark | null {
  const malformed = (why: string, text = lenient.decode(bytes.subarray(0, SHOWN * 4))): Mark => ({
    kind: 'malformed',
    line,
    text: text.slice(0, SHOWN).toWellFormed(),
    why,
  })
  let text: string
  try {
    text = strict.decode(bytes).trim()
  } catch {
    return malformed('it is not UTF-8')
  }
  if (text === '') return null
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return malformed('it is not JSON', text)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return malformed('it is not an object', text)
  const raw = value as Record<string, unknown>
  const kind = typeof raw.kind === 'string' && Object.hasOwn(FIELDS, raw.kind) ? (raw.kind as Kind) : null
  if (!kind) return malformed('its kind is not known', text)
  const mark: Record<string, unknown> = { kind }
  for (const [name, type] of Object.entries(FIELDS[kind])) {
    const field = Object.hasOwn(raw, name) ? raw[name] : undefined
    if (!fits[type](field)) return malformed(`${name} is not ${wanted[type]}`, text)
    mark[name] = field
  }
  return mark as Mark
}
