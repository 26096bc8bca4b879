import { describe, expect, it } from 'vitest'
import { buildRepo, type Entry, memoryHtml, png, RUN } from '../../../e2e/support/index.ts'
import type { Change } from '../../../shared/model/review.ts'
import { diffTrees } from '../git/diffTree.ts'
import { createGit } from '../git/process.ts'
import { type FileContent, readFileContent } from './reviewFile.ts'
import { classifyAll } from './reviewFiles.ts'
import { reviewItems } from './reviewItems.ts'

/** Both sides of one file as a review shows them. */
async function change(path: string, old: Entry, now: Entry): Promise<FileContent> {
  const found = await changes({ [path]: [old, now] })
  return found.get(path) as FileContent
}

async function changes(files: Record<string, readonly [Entry, Entry]>): Promise<Map<string, FileContent>> {
  const { git, classified } = await changed(files)
  const out = new Map<string, FileContent>()
  for (const one of classified) out.set(one.item.path, await readFileContent(git, one))
  return out
}

async function changed(files: Record<string, readonly [Entry, Entry]>) {
  const side = (at: 0 | 1) =>
    Object.fromEntries(
      Object.entries(files).flatMap(([path, both]) => (at === 0 && both[0] === null ? [] : [[path, both[at]]])),
    )
  const repo = buildRepo(undefined, {
    commits: [
      { message: 'Base', files: { keep: 'x', ...side(0) } },
      { on: RUN, message: 'Night', files: side(1) },
    ],
    bare: true,
  })
  const git = createGit({ cwd: repo.dir, env: process.env })
  const items = reviewItems(await diffTrees(git, repo.oid('main'), repo.oid(RUN)))
  return { git, classified: await classifyAll(git, items, (item) => item.generated) }
}

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
const rows = (count: number, end = '\n') => Array.from({ length: count }, (_, at) => `row ${at}${end}`).join('')
const hunks = (file: FileContent) =>
  file.raw.map((part) =>
    part.part === 'lines' ? [part.oldStart, part.oldLines, part.newStart, part.newLines] : part.part,
  )
const whole = (file: FileContent) => file.raw.map((part) => (part.part === 'whole' ? part.text : part.part))

describe('the text of a file', () => {
  it('comes with hunks that a unified diff would have', async () => {
    const file = await change('a.txt', 'one\ntwo\nthree\n', 'zero\none\n2\nthree\n')
    expect(hunks(file)).toEqual([
      [0, 0, 1, 1],
      [2, 1, 3, 1],
    ])
    expect(file.old).toMatchObject({
      text: 'one\ntwo\nthree\n',
      lines: 3,
      eol: 'lf',
      finalNewline: true,
      encoding: 'utf-8',
    })
  })

  it('is whole for a created, deleted, binary or moved file and for a submodule', async () => {
    const found = await changes({
      'new.txt': [null, 'quite\nnew\n'],
      'gone.txt': ['went away\n', null],
      'bytes.bin': [Buffer.from([0, 1]), Buffer.from([0, 1, 2])],
      'run.sh': ['x\n', { content: 'x\n', mode: '100755' }],
      sub: [{ submodule: '1'.repeat(40) }, { submodule: '2'.repeat(40) }],
      'empty.txt': [null, ''],
    })
    const texts = Object.fromEntries([...found].map(([path, file]) => [path, whole(file)[0]]))
    expect(texts).toEqual({
      'new.txt': 'Created, 2 lines',
      'gone.txt': 'Deleted, it had 1 line',
      'bytes.bin': '2 bytes → 3 bytes',
      'run.sh': 'It is executable now (mode 100644 → 100755).',
      sub: 'Submodule 1111111 → 2222222',
      'empty.txt': 'Created, 0 lines',
    })
    expect(found.get('bytes.bin')?.new).toMatchObject({ text: null, encoding: 'binary', size: 3 })
    expect(found.get('gone.txt')?.new).toBeNull()
  })

  it.each([
    ['UTF-16', utf16('é\n'), utf16('ü\n'), 'utf-16le', 'ü\n'],
    ['UTF-8 with a mark', Buffer.from('\ufeffa\n'), Buffer.from('\ufeffb\n'), 'utf-8-bom', 'b\n'],
    ['invalid UTF-8', Buffer.from('caf\xe9\n', 'latin1'), Buffer.from('th\xe9\n', 'latin1'), 'latin1', 'thé\n'],
  ] as const)('is read in its encoding: %s', async (_, old, now, encoding, text) => {
    const file = await change('a.txt', old, now)
    expect(file.new).toMatchObject({ encoding, text })
    expect(file.raw[0]?.part).toBe('lines')
  })

  it('shows images as data addresses', async () => {
    const file = await change('shot.png', png(3, [1, 2, 3]), png(5, [1, 2, 3]))
    expect(file.new?.image).toBe(`data:image/png;base64,${png(5, [1, 2, 3]).toString('base64')}`)
    expect(file.old?.image?.startsWith('data:image/png')).toBe(true)
    const fake = await change('fake.png', 'no image\n', 'still none\n')
    expect(fake.new).toMatchObject({ image: null, text: 'still none\n' })
    const svg = await change('a.svg', '<svg/>\n', '<svg id="x"/>\n')
    expect(svg.new?.image?.startsWith('data:image/svg+xml')).toBe(true)
    expect(svg.new?.text).toBe('<svg id="x"/>\n')
  })
})

describe('what a line diff shows badly, in words', () => {
  it.each([
    [
      'line endings',
      rows(37),
      rows(37, '\r\n'),
      ['Line endings changed from LF to CRLF (37 lines); nothing else did.'],
    ],
    [
      'line endings among other changes',
      `${rows(3)}old\n`,
      `${rows(3, '\r\n')}new\r\n`,
      ['Line endings changed from LF to CRLF (3 lines).'],
    ],
    ['whitespace', 'a b\nc\n', 'a  b\nc\n', ['Only whitespace changed (1 place).']],
    ['some whitespace', 'a b\nc\nd\n', 'a  b\nc\ne\n', ['1 change of 2 is whitespace only.']],
    [
      'a newline that went',
      'a\nb\n',
      'a\nb',
      ['The newline at the end of the file was removed.', 'Only whitespace changed (1 place).'],
    ],
    ['a newline that came', 'a\nb', 'a\nc\n', ['A newline was added at the end of the file.']],
    [
      'mixed endings',
      'a\nb\n',
      'a\nb\r\n',
      ['Its line endings are mixed.', 'Line endings changed from LF to mixed (1 line); nothing else did.'],
    ],
    ['a byte order mark', 'a\n', '\ufeffa\n', ['Encoding changed from UTF-8 to UTF-8 with a byte order mark.']],
    [
      'another encoding',
      'a\n',
      utf16('b\n'),
      ['UTF-16 (little endian) text, shown decoded.', 'Encoding changed from UTF-8 to UTF-16 (little endian).'],
    ],
    ['two bytes a character', utf16('a\n'), utf16('b\n'), ['UTF-16 (little endian) text, shown decoded.']],
    ['where a link leads', { symlink: 'x' } as Entry, { symlink: 'y' } as Entry, ['Symbolic link: x → y.']],
    [
      'bytes that are no UTF-8',
      'a\n',
      Buffer.from('\xe9\n', 'latin1'),
      ['Encoding changed from UTF-8 to Latin-1.', 'Not valid UTF-8: shown as Latin-1, saved bytes stay as they are.'],
    ],
    [
      'an executable',
      'a\n',
      { content: 'b\n', mode: '100755' } as Entry,
      ['It is executable now (mode 100644 → 100755).'],
    ],
    ['a link', 'a\n', { symlink: 'x' } as Entry, ['It was a file and is a symbolic link now.', 'Symbolic link to x.']],
    ['nothing of the kind', 'a\n', 'b\n', []],
  ] as const)('%s', async (_, old, now, notes) => {
    expect((await change('a.txt', old, now)).notes).toEqual(notes)
  })
})

describe('large files', () => {
  it('a line of ten megabytes neither freezes nor is refused', async () => {
    const line = 'some words '.repeat(910_000)
    const { git, classified } = await changed({ 'a.txt': [`${line}a\n`, `${line}b\n`] })
    let longest = 0
    let last = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }, 5)
    const file = await readFileContent(git, classified[0] as (typeof classified)[number])
    await new Promise((resolve) => setTimeout(resolve, 10))
    clearInterval(timer)
    expect(file.large).toBe(true)
    expect(hunks(file)).toEqual([[1, 1, 1, 1]])
    expect(file.new?.text?.length).toBe(line.length + 2)
    expect(longest).toBeLessThan(1000)
  })

  it('are flagged above two megabytes or fifty thousand lines', async () => {
    expect((await change('a.txt', rows(50_001), `${rows(50_001)}x\n`)).large).toBe(true)
    expect((await change('a.txt', rows(49_000), `${rows(49_000)}x\n`)).large).toBe(false)
    const big = memoryHtml({ title: 'Big', claim: 'c', body: ['y'.repeat(2_200_000)] })
    const memory = await change('areas/a.html', big, big.replace('<mark>c', '<mark>d'))
    expect(memory.large).toBe(true)
    expect(memory.memory).toEqual([])
    expect(memory.notes[0]).toMatch(/too large to be read as one \(over 2 MB/)
  })

  it('that share nothing are compared in bounded time', async () => {
    const shuffled = (seed: number) => {
      let state = seed
      return Array.from({ length: 40_000 }, () => {
        state = (state * 1103515245 + 12345) % 2147483648
        return `${state % 50}\n`
      }).join('')
    }
    const began = performance.now()
    const file = await change('a.txt', shuffled(1), shuffled(2))
    expect(file.raw.length).toBeGreaterThan(0)
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})

describe('the text view of a memory', () => {
  const spec = {
    title: 'Pool',
    claim: 'The ceiling is 40.',
    body: ['First words stay.', 'Second one goes.', 'Third is edited here.'],
  }
  const marked = (spans: readonly { op: string; text: string }[]) =>
    spans.map((span) => (span.op === 'equal' ? span.text : `[${span.text}]`)).join('')
  const shown = (part: Change) =>
    part.part === 'claim' || part.part === 'body'
      ? [part.part, marked(part.before), marked(part.after)]
      : part.part === 'fields'
        ? part.fields
        : part.part

  it('has claim, blocks and fields, word by word', async () => {
    const file = await change(
      'areas/a.html',
      memoryHtml(spec),
      memoryHtml({
        ...spec,
        claim: 'The ceiling is 60.',
        body: ['First words stay.', 'Third is changed here.', 'And a new one.'],
        metas: { confidence: '0.920' },
        links: [['supports', '/areas/b.html']],
      }),
    )
    expect(file.memory.map(shown)).toEqual([
      ['claim', 'The ceiling is [40].', 'The ceiling is [60].'],
      ['body', '[Second one goes.]', ''],
      ['body', 'Third is [edited] here.', 'Third is [changed] here.'],
      ['body', '', '[And a new one.]'],
      [
        { name: 'confidence', before: ['1.000'], after: ['0.920'] },
        { name: 'supports', before: [], after: ['/areas/b.html'] },
      ],
    ])
    expect(file.title).toEqual({ before: 'Pool', after: 'Pool' })
    expect(file.claim).toBeNull()
    expect(file.raw.length).toBeGreaterThan(1)
  })

  it('says which memory it is where its claim did not change, and what no field shows', async () => {
    const meta = await change('areas/a.html', memoryHtml(spec), memoryHtml({ ...spec, metas: { confidence: '0.920' } }))
    expect([meta.claim, meta.notes]).toEqual(['The ceiling is 40.', []])
    const indented = await change('areas/a.html', memoryHtml(spec), memoryHtml(spec).replaceAll('<p>', '  <p>'))
    expect(indented.notes[0]).toBe('Only the way it is written changed; what it says is the same.')
    const code = await change(
      'areas/a.html',
      memoryHtml(spec),
      memoryHtml(spec).replace('edited', '<code>edited</code>'),
    )
    expect(code.notes).toEqual(['Its text is the same; the markup around it changed.'])
  })

  it('shows a created one in full', async () => {
    const file = await change('areas/a.html', null, memoryHtml(spec))
    expect(file.memory.map((part) => part.part)).toEqual(['claim', 'body', 'body', 'body', 'fields'])
    expect(file.title).toEqual({ before: null, after: 'Pool' })
  })

  it('is not there for other files', async () => {
    expect((await change('a.txt', 'a\n', 'b\n')).memory).toEqual([])
  })

  it('gives every part a key of its own, the same wherever it stands', async () => {
    const twice = await change('a.txt', 'x\n1\n2\n3\nx\n', 'y\n1\n2\n3\ny\n')
    const keys = twice.raw.map((part) => part.key)
    expect(new Set(keys).size).toBe(2)
    const later = await change('a.txt', '0\nx\n1\n2\n3\nx\n', '0\ny\n1\n2\n3\ny\n')
    expect(later.raw.map((part) => part.key)).toEqual(keys)
    const other = await change('b.txt', 'x\n1\n2\n3\nx\n', 'y\n1\n2\n3\ny\n')
    expect(other.raw.some((part) => keys.includes(part.key))).toBe(false)
  })
})
