import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finish } from './finish.ts'
import { decodeLegacy, encodeLegacy } from './legacy.ts'
import { type Prepared, prepare } from './prepare.ts'
import { shown, written } from './show.ts'

const SEED = 20261202
console.log(`fast-check seed ${SEED}`)

const utf8 = (text: string) => Buffer.from(text)
const latin = (text: string) => Buffer.from(text, 'latin1')
const wide = (text: string, mark = true) => Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le')
const wideBig = (text: string) => wide(text).swap16()
const marked = (text: string) => Buffer.from(`\ufeff${text}`)
const ready = (base: Uint8Array | null, ours: Uint8Array, theirs: Uint8Array) =>
  prepare({ base, ours, theirs }) as Prepared

describe('how the sides of a conflict are read', () => {
  it('takes UTF-8 as it is, and sets its mark aside', () => {
    const plain = ready(utf8('é\n'), utf8('è\n'), utf8('ê\n'))
    expect(plain).toMatchObject({ reading: 'utf-8', result: { encoding: 'utf-8', bom: false, ending: null } })
    const withMark = ready(marked('a\n'), marked('b\n'), marked('c\n'))
    expect(withMark.result).toEqual({ encoding: 'utf-8-bom', bom: true, ending: null })
    expect(Buffer.from(withMark.input.ours).toString()).toBe('b\n')
    expect(finish(withMark, withMark.input.ours)).toEqual(new Uint8Array(marked('b\n')))
  })

  it('reads UTF-16 with and without mark, and writes the same bytes back', () => {
    for (const [base, ours, theirs, encoding, bom] of [
      [wide('a\n'), wide('b€😀\n'), wide('c\n'), 'utf-16le', true],
      [wideBig('a\n'), wideBig('b€😀\n'), wideBig('c\n'), 'utf-16be', true],
      [wide('plain\n', false), wide('other\n', false), wide('third\n', false), 'utf-16le', false],
    ] as const) {
      const found = ready(base, ours, theirs)
      expect(found.result).toMatchObject({ encoding, bom })
      for (const [name, bytes] of [
        ['base', base],
        ['ours', ours],
        ['theirs', theirs],
      ] as const)
        expect(Buffer.from(finish(found, found.input[name]) ?? []).equals(bytes)).toBe(true)
    }
  })

  it('does not take for text what would not come back: odd lengths, lone surrogates, UTF-32, NUL', () => {
    const text = utf8('a\n')
    for (const bytes of [
      Buffer.from([0xff, 0xfe, 0x41]),
      Buffer.from([0xff, 0xfe, 0x00, 0xd8]),
      Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]),
      Buffer.from([0, 1, 2, 3]),
      Buffer.from([1, 0, 0, 0, 2, 0, 0, 0]),
      Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
    ])
      expect(prepare({ base: text, ours: bytes, theirs: text })).toBeNull()
  })

  it('shows every one of the 256 bytes of a legacy file and gives it back', () => {
    const all = Uint8Array.from({ length: 256 }, (_, i) => i)
    expect(encodeLegacy(decodeLegacy(all))).toEqual(all)
    expect(new Set(decodeLegacy(all)).size).toBe(256)
    expect(decodeLegacy(Uint8Array.of(0x80, 0x93, 0xe4))).toBe('€“ä')
    expect(encodeLegacy('→')).toBeNull()
    const found = ready(latin('\xe4\n'), latin('\xf6\n'), latin('x\n'))
    expect(found).toMatchObject({ reading: 'legacy', result: { encoding: 'legacy' } })
    expect(shown(found, found.input.ours)).toBe('ö\n')
  })

  it('keeps UTF-8 readable where a few bytes of it are none', () => {
    const odd = Buffer.concat([utf8('Grüße für alle\n'), Buffer.from([0x80, 10])])
    const found = ready(utf8('Grüße\n'), odd, utf8('Grüße\n'))
    expect(found).toMatchObject({ reading: 'escaped', result: { encoding: 'utf-8' } })
    const text = shown(found, odd)
    expect(text).toBe('Grüße für alle\n\udc80\n')
    expect(written(found, text)).toEqual(odd)
  })

  it('merges what differs as a whole by itself: who changed it wins, and ours where both did', () => {
    expect(ready(utf8('a\n'), marked('b\n'), utf8('c\n')).result.bom).toBe(true)
    expect(ready(marked('a\n'), marked('b\n'), utf8('c\n')).result.bom).toBe(false)
    expect(ready(null, marked('b\n'), utf8('c\n')).result.bom).toBe(true)
    expect(ready(wide('a\n'), utf8('b\n'), wide('c\n')).result).toMatchObject({ encoding: 'utf-8', bom: false })
    expect(ready(latin('\xe4\n'), latin('\xf6\n'), utf8('ä\n')).result.encoding).toBe('utf-8')
    expect(ready(latin('\xe4\n'), latin('\xf6\n'), utf8('a\n')).result.encoding).toBe('legacy')
    expect(ready(null, latin('\xf6\n'), utf8('ä\n')).result.encoding).toBe('legacy')
  })

  it('settles line endings that one side changed throughout apart from the lines', () => {
    const found = ready(utf8('a\nb\n'), utf8('a\r\nb\r\n'), utf8('a\nc\n'))
    expect(found.result.ending).toBe('crlf')
    expect(Buffer.from(found.input.ours).toString()).toBe('a\nb\n')
    expect(Buffer.from(finish(found, found.input.theirs) ?? []).toString()).toBe('a\r\nc\r\n')
    expect(ready(utf8('a\r\n'), utf8('b\n'), utf8('c\n')).result.ending).toBe('lf')
    // Where a side has both kinds no line is touched.
    const mixed = ready(utf8('a\nb\r\n'), utf8('a\r\nb\r\n'), utf8('a\nc\n'))
    expect(mixed.result.ending).toBeNull()
    expect(Buffer.from(mixed.input.ours).toString()).toBe('a\r\nb\r\n')
  })

  it('shows a carriage return within a line as a mark that no side holds', () => {
    const found = ready(utf8('a\n'), utf8('x\ry\r\r\n'), utf8('␍\n'))
    expect(shown(found, found.input.ours)).toBe('x↵y↵\n')
    expect(Buffer.from(written(found, 'x↵y') ?? []).toString()).toBe('x\ry')
  })

  it('gives back any three files of one kind byte for byte', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', '\r', 'é', '😀', '€', '\0'), maxLength: 12 })
    const how = fc.constantFrom(
      (t: string) => utf8(t),
      marked,
      (t: string) => wide(t),
      wideBig,
      latin,
    )
    fc.assert(
      fc.property(how, text, text, text, (encode, base, ours, theirs) => {
        const sides = { base: encode(base), ours: encode(ours), theirs: encode(theirs) }
        const found = prepare(sides)
        if (found === null || found.result.ending !== null) return
        for (const name of ['base', 'ours', 'theirs'] as const)
          if (sides[name].length > 0 || !found.result.bom)
            expect(Buffer.from(finish(found, found.input[name]) ?? [9]).equals(sides[name])).toBe(true)
      }),
      { seed: SEED, numRuns: 2000 },
    )
  })
})
