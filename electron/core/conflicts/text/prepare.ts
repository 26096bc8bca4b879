import type { MergeInput } from '../../../../shared/merge/index.ts'
import type { TextEncoding } from '../../../../shared/model/index.ts'
import { decodeLegacy } from './legacy.ts'
import { markFor } from './mark.ts'
import { type Charset, decodeWide, type Ending, endingOf, type Scan, scan } from './scan.ts'

/** The bytes of the three sides as git has them. `base` null: there was none. */
export interface SideBytes {
  readonly base: Uint8Array | null
  readonly ours: Uint8Array
  readonly theirs: Uint8Array
}

export const SIDES = ['base', 'ours', 'theirs'] as const
export type SideName = (typeof SIDES)[number]

/** How one side is written. */
export interface Form {
  readonly encoding: TextEncoding
  readonly bom: boolean
  readonly ending: Ending
}

/** How the result is written. `ending` null: each line keeps the one it has. */
export interface ResultForm {
  readonly encoding: TextEncoding
  readonly bom: boolean
  readonly ending: 'lf' | 'crlf' | null
}

/**
 * Three texts made ready to be merged by line. `input` holds them without byte order mark; where they are UTF-16, or are
 * not all in one encoding, as UTF-8; where they only differ in that one has CRLF everywhere and another LF, with LF. In all
 * other cases these are the bytes of the files.
 */
export interface Prepared {
  readonly input: MergeInput
  /** How the bytes of `input` are read. `escaped`: UTF-8 in which bytes that are none stand as U+DC80 to U+DCFF. */
  readonly reading: 'utf-8' | 'escaped' | 'legacy'
  /** The character that stands for a carriage return that ends no line. */
  readonly mark: string
  /** How each side is written; null where it is empty, or is not there. */
  readonly forms: Readonly<Record<SideName, Form | null>>
  readonly result: ResultForm
}

/**
 * Decides, for all three sides together, how they are read and how the result is written. What differs between the sides
 * (encoding, byte order mark, line endings as a whole) is merged by itself: what one side changed wins over what the
 * other kept, and where both changed it, ours. Null where one of them is no text that comes back byte for byte: such a
 * file is decided by side.
 */
export function prepare(sides: SideBytes): Prepared | null {
  const all = scanAll(sides)
  if (all === null) return null
  const charsets = new Set(SIDES.map((name) => all[name].charset))
  const wide = charsets.has('utf-16le') || charsets.has('utf-16be')
  const damaged = charsets.has('damaged')
  const mixed = charsets.has('single') && charsets.has('utf-8') && !damaged
  const reading = damaged ? 'escaped' : charsets.has('single') && !mixed && !wide ? 'legacy' : 'utf-8'
  const read = (name: SideName): Uint8Array => {
    const { charset, body } = all[name]
    if (charset === 'utf-16le' || charset === 'utf-16be') return Buffer.from(decodeWide(body, charset))
    return charset === 'single' && reading === 'utf-8' ? Buffer.from(decodeLegacy(body)) : body
  }
  const bodies = { base: read('base'), ours: read('ours'), theirs: read('theirs') }
  const endings = { base: endingOf(bodies.base), ours: endingOf(bodies.ours), theirs: endingOf(bodies.theirs) }
  const apart = endingsApart(bodies, endings)
  const input = apart ? { base: withLf(bodies.base), ours: withLf(bodies.ours), theirs: withLf(bodies.theirs) } : bodies
  const there = (name: SideName) => (sides[name]?.length ?? 0) > 0
  const encodings = perSide((name) => (there(name) ? encodingOf(all[name], wide, reading) : null))
  const boms = perSide((name) => (there(name) ? all[name].bom : null))
  const plain = reading === 'legacy' ? 'legacy' : 'utf-8'
  const encoding = settled(encodings) ?? plain
  const bom = settled(boms) ?? false
  return {
    input,
    reading,
    mark: markFor(SIDES.map((name) => input[name])),
    forms: perSide((name) => {
      if (!there(name)) return null
      const own = encodingOf(all[name], wide, reading) ?? (reading === 'legacy' ? 'legacy' : 'utf-8')
      return { encoding: marked(own, all[name].bom), bom: all[name].bom, ending: endings[name] }
    }),
    result: {
      encoding: marked(encoding, bom),
      bom,
      ending: apart ? (settled(perSide((name) => uniform(endings[name]))) ?? 'lf') : null,
    },
  }
}

const NONE = new Uint8Array(0)

/** Whether `prepare` gives something; quicker, also for large files. */
export const areTexts = (sides: SideBytes): boolean => scanAll(sides) !== null

function scanAll(sides: SideBytes): Record<SideName, Scan> | null {
  const scans: Partial<Record<SideName, Scan>> = {}
  for (const name of SIDES) {
    const found = scan(sides[name] ?? NONE)
    if (found === null) return null
    scans[name] = found
  }
  const all = scans as Record<SideName, Scan>
  const charsets = SIDES.map((name) => all[name].charset)
  const wide = charsets.includes('utf-16le') || charsets.includes('utf-16be')
  return wide && charsets.includes('damaged') ? null : all
}

const perSide = <T>(of: (name: SideName) => T): Record<SideName, T> => ({
  base: of('base'),
  ours: of('ours'),
  theirs: of('theirs'),
})

const marked = (encoding: TextEncoding, bom: boolean): TextEncoding =>
  encoding === 'utf-8' && bom ? 'utf-8-bom' : encoding

/** What the encoding of a side is; null where its bytes would be the same in the other one that is about. */
function encodingOf({ charset }: Scan, wide: boolean, reading: Prepared['reading']): TextEncoding | null {
  if (charset === 'ascii') return wide ? 'utf-8' : null
  if (reading === 'escaped') return 'utf-8'
  return NAMES[charset]
}

const NAMES: Readonly<Record<Exclude<Charset, 'ascii'>, TextEncoding>> = {
  'utf-8': 'utf-8',
  damaged: 'utf-8',
  single: 'legacy',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
}

/** A three-way merge of one value; null is no opinion. */
export function settled<T>({ base, ours, theirs }: Readonly<Record<SideName, T | null>>): T | null {
  const mine = ours ?? base
  const other = theirs ?? base
  return mine === null || mine === base ? (other ?? mine) : mine
}

const uniform = (ending: Ending): 'lf' | 'crlf' | null => (ending === 'lf' || ending === 'crlf' ? ending : null)

/** Whether the sides differ in their line endings, each having one kind throughout. */
function endingsApart(bodies: MergeInput, endings: Readonly<Record<SideName, Ending>>): boolean {
  const kinds = new Set(SIDES.map((name) => endings[name]))
  if (kinds.has('mixed') || !kinds.has('lf') || !kinds.has('crlf')) return false
  // A second carriage return before the line ending would be taken for a part of it.
  return SIDES.every(
    (name) => !Buffer.from(bodies[name].buffer, bodies[name].byteOffset, bodies[name].byteLength).includes('\r\r\n'),
  )
}

/** Every CRLF as LF. */
export function withLf(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(13)) return bytes
  const out = new Uint8Array(bytes.length)
  let at = 0
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === 13 && bytes[i + 1] === 10) continue
    out[at++] = bytes[i] as number
  }
  return out.subarray(0, at)
}
