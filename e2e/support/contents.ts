import { deflateSync } from 'node:zlib'
import { type MemorySpec, memoryHtml } from './memory.ts'
import { RUN } from './night.ts'
import { buildRepo, type RepoSpec, type TestRepo } from './repo.ts'
import type { Entry, Files } from './stream.ts'

/** Names that break tools: quotes, newlines, dashes, arrows, pathspec magic, emoji, bytes that are no UTF-8. */
export const ODD_PATHS = [
  '-x.md',
  '--.github',
  'sp ace.md',
  'quo"te.md',
  "apos'trophe.md",
  'back\\slash.md',
  'new\nline.md',
  'tab\there.md',
  'é ü.md',
  ' -> arrow.md',
  'a -> b.md',
  '😀.md',
  ':(glob)x.md',
  '*.md',
  '[a].md',
  '$HOME.md',
  '<b>bold</b>.md',
  'not-utf8-\udcff\udc80.md',
  'deep/er/ trailing ',
  'CON',
] as const

/** A repository with `base` on main and `night` on the sleep branch in one commit without trailers. */
export function buildBranch(
  dir: string | undefined,
  base: Files,
  night: Files,
  more: Partial<RepoSpec> = {},
): TestRepo {
  return buildRepo(dir, {
    commits: [
      { message: 'Base', files: { 'README.md': 'Notes.\n', ...base } },
      { on: RUN, message: 'Night', files: night },
    ],
    ...more,
  })
}

const map = (paths: readonly string[], entry: (path: string) => string | null): Files =>
  Object.fromEntries(paths.map((path) => [path, entry(path)]))

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  let crc = 0xffffffff
  for (const byte of body) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE((crc ^ 0xffffffff) >>> 0, body.length + 4)
  return out
}

/** A PNG of one colour, `size` pixels square. */
export function png(size: number, rgb: readonly [number, number, number]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.concat(Array.from({ length: size }, () => Buffer.from(rgb)))])
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: size }, () => row)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
const lines = (count: number, eol = '\n') => Array.from({ length: count }, (_, at) => `line ${at + 1}${eol}`).join('')
const PARTED: MemorySpec = { title: 'Parted', claim: 'Short.' }

/** A claim and a title that would run if they were ever put into a page as markup. */
export const HOSTILE: MemorySpec = {
  title: '</title><script>window.hostile=1</script>',
  claim: '<img src=x onerror="window.hostile=1"><script>window.hostile=1</script>',
  body: [
    '<svg onload="window.hostile=1">',
    '{{constructor.constructor("window.hostile=1")()}}',
    'javascript:window.hostile=1',
  ],
}
const hostileRaw = (claim: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Raw</title><script>window.hostile=1</script></head>
<body onload="window.hostile=1"><article><p><mark>${claim}</mark><img src=x onerror="window.hostile=1"></p>
<iframe src="javascript:parent.hostile=1"></iframe></article></body></html>
`

type Pair = readonly [base: Files, night: Files]
const pair = (base: Files, night: Files): Pair => [base, night]

const PAIRS = {
  oddPathsCreated: () =>
    pair(
      {},
      map(ODD_PATHS, (path) => `new ${JSON.stringify(path)}\n`),
    ),
  oddPathsChanged: () =>
    pair(
      map(ODD_PATHS, () => 'old\n'),
      map(ODD_PATHS, () => 'new\n'),
    ),
  oddPathsDeleted: () =>
    pair(
      map(ODD_PATHS, () => 'old\n'),
      map(ODD_PATHS, () => null),
    ),
  /** `a -> b.md` becomes `c -> d.md`. */
  arrowRenamed: () => pair({ 'a -> b.md': lines(20) }, { 'a -> b.md': null, 'c -> d.md': lines(20) }),
  binary: () => pair({ 'data.bin': Buffer.from([0, 1, 2, 0, 255]) }, { 'data.bin': Buffer.from([0, 1, 3, 0, 254]) }),
  image: () => pair({ 'dot.png': png(8, [200, 30, 30]) }, { 'dot.png': png(8, [30, 30, 200]) }),
  crlf: () => pair({ 'a.md': lines(37) }, { 'a.md': lines(37, '\r\n') }),
  mixedEol: () => pair({ 'a.md': 'one\r\ntwo\nthree\r\n' }, { 'a.md': 'one\r\ntwo!\nthree\r\n' }),
  noFinalNewline: () => pair({ 'a.md': 'one\ntwo\n' }, { 'a.md': 'one\ntwo' }),
  whitespaceOnly: () => pair({ 'a.md': 'one two\n' }, { 'a.md': 'one  two \n' }),
  modeOnly: () => pair({ 'run.sh': 'echo\n' }, { 'run.sh': { content: 'echo\n', mode: '100755' } }),
  symlink: () => pair({ now: { symlink: 'README.md' } }, { now: { symlink: 'other.md' } }),
  fileToSymlink: () => pair({ now: 'text\n' }, { now: { symlink: 'README.md' } }),
  submodule: () => {
    const modules = '[submodule "lib"]\n\tpath = lib\n\turl = ./nowhere\n'
    return pair({ '.gitmodules': modules, lib: { submodule: '1'.repeat(40) } }, { lib: { submodule: '2'.repeat(40) } })
  },
  /** 10 MB in one line, changed in its middle. */
  hugeLine: () => {
    const half = 'word '.repeat(1024 * 1024)
    return pair({ 'huge.txt': `${half}old${half}\n` }, { 'huge.txt': `${half}new${half}\n` })
  },
  manyLines: () => pair({ 'many.txt': lines(60_000) }, { 'many.txt': `${lines(60_000)}more\n` }),
  /** More rows than a page element can be high. */
  tallest: () =>
    pair({ 'tall.txt': 'x\n'.repeat(1_800_000) }, { 'tall.txt': `${'x\n'.repeat(1_800_000)}the last line\n` }),
  invalidUtf8: () =>
    pair(
      { 'latin.txt': Buffer.from('caf\xe9 one\n', 'latin1') },
      { 'latin.txt': Buffer.from('caf\xe9 two\n', 'latin1') },
    ),
  utf16: () => pair({ 'wide.txt': utf16('one\r\n') }, { 'wide.txt': utf16('two\r\n') }),
  bom: () => pair({ 'a.md': 'one\n' }, { 'a.md': '\ufeffone\n' }),
  generated: () =>
    pair(
      { '.gitattributes': 'api/* linguist-generated\n', 'index.html': 'one\n', 'api/client.ts': 'one\n' },
      {
        'index.html': 'two\n',
        'sitemap.xml': '<urlset/>\n',
        'api/client.ts': 'two\n',
        '.memhtml/state/access.jsonl': '',
      },
    ),
  /** Archived by path, with no text in common. */
  dissimilarArchive: () =>
    pair(
      { 'areas/note.html': memoryHtml(PARTED) },
      {
        'areas/note.html': null,
        'archive/2026/areas/note.html': memoryHtml({ title: 'Wholly other', claim: lines(60).replaceAll('\n', '. ') }),
      },
    ),
  moved: () => pair({ 'a/note.md': lines(30) }, { 'a/note.md': null, 'b/note.md': lines(30) }),
  deleted: () => pair({ 'gone.md': lines(5) }, { 'gone.md': null }),
  caseOnlyRename: () => pair({ 'Note.md': lines(9) }, { 'Note.md': null, 'note.md': lines(9) }),
  /** A folder where a file was, and the other way round. */
  fileFolderSwap: () =>
    pair(
      { thing: 'file\n', 'other/x': 'in a folder\n' },
      { thing: null, 'thing/x': 'inside\n', 'other/x': null, other: 'another file\n' },
    ),
  frontMatter: () =>
    pair({ 'a.md': '---\nstatus: draft\n---\nBody.\n' }, { 'a.md': '---\nstatus: done\n---\nBody.\n' }),
  hostile: () =>
    pair(
      { 'areas/evil.html': memoryHtml({ title: 'Calm', claim: 'Calm.' }), 'areas/raw.html': hostileRaw('before') },
      { 'areas/evil.html': memoryHtml(HOSTILE), 'areas/raw.html': hostileRaw('after') },
    ),
} as const satisfies Record<string, () => Pair>

type Content = keyof typeof PAIRS

/** Plain repositories whose sleep branch brings one kind of content. Each takes a folder, default a fresh one. */
export const contents = Object.fromEntries(
  Object.entries(PAIRS).map(([name, files]) => [name, (dir?: string) => buildBranch(dir, ...files())]),
) as Record<Content, (dir?: string) => TestRepo>

/** Several kinds of content in one repository, each in a folder of its name. */
export function buildContents(names: readonly Content[], dir?: string): TestRepo {
  const [base, night]: [Record<string, Entry>, Record<string, Entry>] = [{}, {}]
  for (const name of names) {
    const [old, now] = PAIRS[name]()
    for (const [path, entry] of Object.entries(old)) base[`${name}/${path}`] = entry
    for (const [path, entry] of Object.entries(now)) night[`${name}/${path}`] = entry
  }
  return buildBranch(dir, base, night)
}
