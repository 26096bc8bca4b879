import { describe, expect, it } from 'vitest'
import { parseLedger } from './ledger.ts'

const bytes = (text: string) => Buffer.from(text, 'utf8')
const entity =
  '{"kind":"entity-promoted","entityType":"service","aliasName":"orders-db","canonicalName":"checkout","at":"2026-12-02T00:00:00Z"}'
const edge =
  '{"kind":"edge-promoted","srcPath":"a/x.html","rel":"contradicts","dstPath":"a/y.html","at":"2026-12-02T00:00:00Z"}'

describe('parseLedger', () => {
  it('reads every kind of mark', () => {
    const session = '{"kind":"session-consolidated","sessionId":"s1","runId":"sleep/x","at":"2026-12-02"}'
    const floor =
      '{"kind":"commitment-below-floor","sessionId":"s1","statement":"will do","confidence":0.4,"resolved":false,"runId":"sleep/x","at":"2026-12-02T00:00:00Z"}'
    const marks = parseLedger(bytes(`${entity}\n${edge}\n${session}\n${floor}\n`))
    expect(marks.map((mark) => mark.kind)).toEqual([
      'entity-promoted',
      'edge-promoted',
      'session-consolidated',
      'commitment-below-floor',
    ])
    expect(marks[0]).toEqual(JSON.parse(entity))
    expect(marks[3]).toEqual(JSON.parse(floor))
  })

  it('shows a malformed line as such, with its number and why, and keeps the others', () => {
    const lines = [
      entity,
      '{"kind":"entity-promoted"',
      '[]',
      '{"kind":"constructor"}',
      '{"kind":"edge-promoted","srcPath":"","rel":"r","dstPath":"d","at":"2026-12-02T00:00:00Z"}',
      '{"kind":"edge-promoted","srcPath":"s","rel":"r","dstPath":"d","at":"yesterday"}',
      edge,
    ]
    const marks = parseLedger(bytes(lines.join('\n')))
    expect(marks.map((mark) => (mark.kind === 'malformed' ? [mark.line, mark.why] : mark.kind))).toEqual([
      'entity-promoted',
      [2, 'it is not JSON'],
      [3, 'it is not an object'],
      [4, 'its kind is not known'],
      [5, 'srcPath is not a text that is not empty'],
      [6, 'at is not an instant such as 2026-11-30T00:00:00Z'],
      'edge-promoted',
    ])
    expect(marks[1]).toMatchObject({ text: '{"kind":"entity-promoted"' })
  })

  it('shows bytes that are not UTF-8 and cuts a huge line', () => {
    const broken = Buffer.concat([
      bytes(`${edge}\n`),
      Buffer.from([0xff, 0xfe, 0x41, 0x0a]),
      bytes('x'.repeat(100_000)),
    ])
    const marks = parseLedger(broken)
    expect(marks.map((mark) => mark.kind)).toEqual(['edge-promoted', 'malformed', 'malformed'])
    expect(marks[1]).toMatchObject({ line: 2, why: 'it is not UTF-8' })
    expect(marks[2]?.kind === 'malformed' && marks[2].text.length).toBe(2000)
  })

  it('reads nothing from an empty ledger and passes over empty lines', () => {
    expect(parseLedger(bytes(''))).toEqual([])
    expect(parseLedger(bytes(`\n${entity}\r\n\n`))).toHaveLength(1)
  })

  it('takes only the fields of the kind and no inherited ones', () => {
    const [mark] = parseLedger(bytes(edge.replace('{', '{"__proto__":{"x":1},"extra":1,')))
    expect(Object.keys(mark ?? {})).toEqual(['kind', 'srcPath', 'rel', 'dstPath', 'at'])
  })
})
