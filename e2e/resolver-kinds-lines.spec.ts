import { expect, shareApp, test } from './fixtures.ts'
import { type Accept, ResolverPage } from './pages/resolver.ts'
import { blobId, expectSettled, expectUntouched, outside } from './resolverProof.ts'
import { buildConflict, conflictSides, joinSides, type Sides, withLines } from './support/index.ts'

const bytes = (content: unknown) => Buffer.from(content as string | Uint8Array)
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
const utf16be = (text: string) => Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()])
const crlf = (text: string) => text.replaceAll('\n', '\r\n')

/** Three versions of one file of twelve lines, written by `as`; the fourth line is the conflict, and each side has a line of its own. */
const three = (path: string, as: (text: string) => string | Uint8Array): Sides => ({
  base: { [path]: as(withLines({})) },
  ours: { [path]: as(withLines({ 4: 'ours é\n', 8: 'ours alone\n' })) },
  theirs: { [path]: as(withLines({ 4: 'theirs ü\n', 11: 'theirs alone\n' })) },
})
const merged = (fourth: string) => withLines({ 4: fourth, 8: 'ours alone\n', 11: 'theirs alone\n' })
const ALONE = { 8: 1, 11: 1 } as const

/** Bytes of which some are no UTF-8, and too many are for a legacy file. */
const damaged = (text: string) =>
  Buffer.concat([Buffer.from(`äöü äöü äöü\n${text}`), Buffer.from([0xff, 0xc3, 0x0a]), Buffer.from('ß\n')])

interface Case {
  readonly name: string
  readonly sides: Sides
  /** The file, and what is decided of its conflicts in order. */
  readonly path: string
  readonly accept: readonly Accept[]
  /** What the file is then, and which lines of base a side touched, with the number of lines in their place. */
  readonly result: string | Uint8Array
  readonly touched: Readonly<Record<number, number>>
  readonly unit?: Uint8Array
  readonly mode?: '100755'
  /** What the proof says of how the result is written. */
  readonly facts?: RegExp
}

const cases: readonly Case[] = [
  {
    name: 'text',
    sides: conflictSides.text(),
    path: 'notes.md',
    accept: ['ours', 'theirs', 'both'],
    result: withLines(
      { 3: 'ours 3\n', 8: 'ours alone\n', 14: 'theirs 14\n', 20: 'theirs alone\n', 26: 'ours 26\ntheirs 26\n' },
      30,
    ),
    touched: { 3: 1, 8: 1, 14: 1, 20: 1, 26: 2 },
  },
  {
    name: 'text, the other ways',
    sides: conflictSides.text(),
    path: 'notes.md',
    accept: ['base', 'both, theirs first', 'theirs'],
    result: withLines({ 8: 'ours alone\n', 14: 'theirs 14\nours 14\n', 20: 'theirs alone\n', 26: 'theirs 26\n' }, 30),
    touched: { 8: 1, 14: 2, 20: 1, 26: 1 },
  },
  {
    name: 'add-add',
    sides: conflictSides.addAdd(),
    path: 'new.md',
    accept: ['both, theirs first'],
    result: 'same\ntheirs\nours\nend\n',
    touched: {},
  },
  {
    name: 'headings that look like markers',
    sides: conflictSides.setext(),
    path: 'readme.md',
    accept: ['both'],
    result: 'Roadmap\n=======\ntheirs\nSummary\n=======\nours\n',
    touched: { 1: 6 },
  },
  {
    name: 'UTF-8 with a byte order mark',
    sides: three('bom.txt', (text) => `\ufeff${text}`),
    path: 'bom.txt',
    accept: ['both'],
    result: `\ufeff${merged('ours é\ntheirs ü\n')}`,
    touched: { ...ALONE, 4: 2 },
    facts: /BOM/,
  },
  {
    name: 'UTF-16, little end first',
    sides: three('wide.txt', utf16),
    path: 'wide.txt',
    accept: ['theirs'],
    result: utf16(merged('theirs ü\n')),
    touched: { ...ALONE, 4: 1 },
    unit: Buffer.from('\n', 'utf16le'),
    facts: /UTF-16/,
  },
  {
    name: 'UTF-16, big end first, CRLF',
    sides: three('wide.txt', (text) => utf16be(crlf(text))),
    path: 'wide.txt',
    accept: ['both'],
    result: utf16be(crlf(merged('ours é\ntheirs ü\n'))),
    touched: { ...ALONE, 4: 2 },
    unit: Buffer.from('\n', 'utf16le').swap16(),
    facts: /UTF-16/,
  },
  {
    name: 'a legacy single-byte file',
    sides: three('umlaut.txt', (text) => Buffer.from(`äöü\n${text}ß\n`, 'latin1')),
    path: 'umlaut.txt',
    accept: ['both'],
    result: Buffer.from(`äöü\n${merged('ours é\ntheirs ü\n')}ß\n`, 'latin1'),
    touched: { 5: 2, 9: 1, 12: 1 },
  },
  {
    name: 'bytes that cannot be decoded among UTF-8',
    sides: three('damaged.txt', damaged),
    path: 'damaged.txt',
    accept: ['ours'],
    result: damaged(merged('ours é\n')),
    touched: { 5: 1, 9: 1, 12: 1 },
  },
  {
    name: 'CRLF',
    sides: three('dos.txt', crlf),
    path: 'dos.txt',
    accept: ['theirs'],
    result: crlf(merged('theirs ü\n')),
    touched: { ...ALONE, 4: 1 },
    facts: /CRLF/,
  },
  {
    name: 'every line ending turned by one side',
    sides: conflictSides.crlfFlip(),
    path: 'flip.txt',
    accept: [],
    result: crlf(withLines({ 4: 'ours\n', 9: 'theirs\n' })),
    touched: Object.fromEntries(Array.from({ length: 12 }, (_, at) => [at + 1, 1])),
    facts: /CRLF/,
  },
  {
    name: 'made executable by us, with lines in conflict',
    sides: {
      base: { 'run.sh': withLines({}) },
      ours: { 'run.sh': { content: withLines({ 4: 'ours\n' }), mode: '100755' } },
      theirs: { 'run.sh': withLines({ 4: 'theirs\n' }) },
    },
    path: 'run.sh',
    accept: ['theirs'],
    result: withLines({ 4: 'theirs\n' }),
    mode: '100755',
    touched: { 4: 1 },
  },
  {
    name: 'made executable by them, with lines in conflict',
    sides: {
      base: { 'run.sh': withLines({}) },
      ours: { 'run.sh': withLines({ 4: 'ours\n' }) },
      theirs: { 'run.sh': { content: withLines({ 4: 'theirs\n' }), mode: '100755' } },
    },
    path: 'run.sh',
    accept: ['ours'],
    result: withLines({ 4: 'ours\n' }),
    mode: '100755',
    touched: { 4: 1 },
  },
  {
    name: 'no final newline',
    sides: {
      base: { 'eof.txt': `${withLines({})}last` },
      ours: { 'eof.txt': `${withLines({})}ours last` },
      theirs: { 'eof.txt': `${withLines({})}theirs last\n` },
    },
    path: 'eof.txt',
    accept: ['ours'],
    result: `${withLines({})}ours last`,
    touched: { 13: 1 },
    facts: /without final newline/,
  },
  {
    name: 'no final newline, kept by one side alone',
    sides: {
      base: { 'eof.txt': `${withLines({})}last` },
      ours: { 'eof.txt': `${withLines({})}ours last` },
      theirs: { 'eof.txt': `${withLines({})}theirs last\n` },
    },
    path: 'eof.txt',
    accept: ['both'],
    result: `${withLines({})}ours last\ntheirs last\n`,
    touched: { 13: 2 },
  },
]

const folderOf = (name: string) => name.replaceAll(/[^a-zA-Z0-9]+/g, '-')

test.describe('conflicts in lines, in one merge', () => {
  const app = shareApp(() =>
    buildConflict(joinSides(Object.fromEntries(cases.map((one) => [folderOf(one.name), one.sides])))),
  )

  for (const { name, sides, path, accept, result, mode, touched, unit, facts } of cases)
    test(name, async () => {
      const { repo } = app
      const folder = folderOf(name)
      const before = outside(repo, folder)
      const resolver = new ResolverPage(app.page)
      await resolver.overview('Merging infra/pg17 into main')
      await resolver.open(`${folder}/${path}`)
      await expect(resolver.left).toHaveText(`${accept.length} of ${accept.length} conflicts left`)
      await resolver.accept(...accept)
      await expect(resolver.left).toHaveText(`0 of ${accept.length} conflicts left`)
      await expect(resolver.proof).toContainText('nothing is open')
      await expect(resolver.proof).toContainText(blobId(result).slice(0, 7))
      if (facts) await expect(resolver.proof).toContainText(facts)
      await resolver.markResolved(`${folder}/${path}`)
      expectSettled(repo, folder, { [path]: mode ? { content: result, mode } : result }, before)
      const base = sides.base[path]
      if (base !== undefined) expectUntouched(bytes(result), bytes(base), touched, unit)
    })
})
