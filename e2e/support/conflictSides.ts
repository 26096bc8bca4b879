import { png } from './contents.ts'
import type { Entry, Files } from './stream.ts'

/** What a conflict is made of: the files of the common ancestor, and what each side makes of them (null deletes). */
export interface Sides {
  readonly base: Files
  readonly ours: Files
  readonly theirs: Files
  /** Lines appended to the repository's configuration. */
  readonly config?: string
}

const numbered = (from: number, to: number, word = 'line') =>
  Array.from({ length: to - from + 1 }, (_, at) => `${word} ${from + at}\n`).join('')

/** Twelve lines with the given ones in the place of others, by number. */
export function withLines(changes: Readonly<Record<number, string>>, count = 12): string {
  return Array.from({ length: count }, (_, at) => changes[at + 1] ?? `line ${at + 1}\n`).join('')
}

const sides = (base: Files, ours: Files, theirs: Files, config = ''): Sides => ({ base, ours, theirs, config })
const bytes = (...values: number[]) => Uint8Array.from(values)
const binary = (last: number) => bytes(0, 1, 2, 3, 255, 254, 0, last)
const utf16 = (text: string) => Buffer.concat([bytes(0xff, 0xfe), Buffer.from(text, 'utf16le')])
const cp1252 = (text: string) => Buffer.from(text, 'latin1')
const crlf = (text: string) => text.replaceAll('\n', '\r\n')
export const lfsPointer = (letter: string, size: number) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${letter.repeat(64)}\nsize ${size}\n`

/** Names that break tools, all valid on every file system that tests run on. */
export const CONFLICT_NAMES = [
  '-x.md',
  '--.github',
  'sp ace.md',
  'quo"te.md',
  'back\\slash.md',
  'new\nline.md',
  'é ü.md',
  ' -> arrow.md',
  'a -> b.md',
  '😀.md',
  ':(glob)x.md',
  '*.md',
  'not-utf8-\udcff.md',
] as const

const named = (text: string): Files => Object.fromEntries(CONFLICT_NAMES.map((name) => [name, `${text}\n`]))
const LONG = numbered(1, 30)

/** Every kind of conflict by name, as the files of its three sides. */
export const conflictSides = {
  /** Three conflicts in one file, and a change of each side that merges. */
  text: () =>
    sides(
      { 'notes.md': LONG },
      { 'notes.md': withLines({ 3: 'ours 3\n', 8: 'ours alone\n', 14: 'ours 14\n', 26: 'ours 26\n' }, 30) },
      { 'notes.md': withLines({ 3: 'theirs 3\n', 14: 'theirs 14\n', 20: 'theirs alone\n', 26: 'theirs 26\n' }, 30) },
    ),
  /** Two files, so that one can be left open. */
  twoFiles: () =>
    sides(
      { 'a.md': 'one\n', 'sub/b.md': 'one\n' },
      { 'a.md': 'ours\n', 'sub/b.md': 'ours\n' },
      { 'a.md': 'theirs\n', 'sub/b.md': 'theirs\n' },
    ),
  addAdd: () => sides({}, { 'new.md': 'same\nours\nend\n' }, { 'new.md': 'same\ntheirs\nend\n' }),
  /** Ours changed three lines, theirs deleted the file. */
  modifyDelete: () =>
    sides(
      { 'gone.md': withLines({}) },
      { 'gone.md': withLines({ 2: 'a\n', 3: 'b\n', 7: 'c\n' }) },
      { 'gone.md': null },
    ),
  /** Ours deleted the file, theirs changed three lines. */
  deleteModify: () =>
    sides(
      { 'gone.md': withLines({}) },
      { 'gone.md': null },
      { 'gone.md': withLines({ 2: 'a\n', 3: 'b\n', 7: 'c\n' }) },
    ),
  /** One file, two new names, and a conflict in its lines. */
  renameRename: () =>
    sides(
      { 'old.md': LONG },
      { 'old.md': null, 'ours-name.md': withLines({ 5: 'ours 5\n' }, 30) },
      { 'old.md': null, 'theirs-name.md': withLines({ 5: 'theirs 5\n' }, 30) },
    ),
  /** One file, two new names, and nothing else. */
  renameRenameSame: () =>
    sides({ 'old.md': LONG }, { 'old.md': null, 'ours-name.md': LONG }, { 'old.md': null, 'theirs-name.md': LONG }),
  /** Two files, one new name. */
  renameTwoToOne: () =>
    sides(
      { 'a.md': LONG, 'b.md': numbered(1, 30, 'other') },
      { 'a.md': null, 'both.md': LONG },
      { 'b.md': null, 'both.md': numbered(1, 30, 'other') },
    ),
  /** Ours renamed the file, theirs deleted it. */
  renameDelete: () => sides({ 'old.md': LONG }, { 'old.md': null, 'new.md': LONG }, { 'old.md': null }),
  deleteRename: () => sides({ 'old.md': LONG }, { 'old.md': null }, { 'old.md': null, 'new.md': LONG }),
  /** Ours renamed a file to a name under which theirs added another. */
  renameAdd: () =>
    sides(
      { 'old.md': LONG },
      { 'old.md': null, 'new.md': withLines({ 5: 'ours 5\n' }, 30) },
      { 'new.md': numbered(1, 9, 'added') },
    ),
  fileToSymlink: () =>
    sides({ thing: LONG }, { thing: withLines({ 5: 'ours 5\n' }, 30) }, { thing: { symlink: 'elsewhere' } }),
  fileToSubmodule: () =>
    sides({ lib: LONG }, { lib: withLines({ 5: 'ours 5\n' }, 30) }, { lib: { submodule: 'a'.repeat(40) } }),
  symlinks: () => sides({ link: { symlink: 'one' } }, { link: { symlink: 'ours' } }, { link: { symlink: 'theirs' } }),
  /** Both added it with the same bytes, one of them executable. */
  mode: () => sides({}, { 'run.sh': 'echo hi\n' }, { 'run.sh': { content: 'echo hi\n', mode: '100755' } }),
  /** Both added it, with other bytes and another mode. */
  modeAndText: () => sides({}, { 'run.sh': 'echo ours\n' }, { 'run.sh': { content: 'echo theirs\n', mode: '100755' } }),
  /** A file on our side where theirs has a folder. */
  fileDirectory: () => sides({}, { thing: 'a file\n' }, { 'thing/inside.md': 'in a folder\n' }),
  directoryFile: () => sides({}, { 'thing/inside.md': 'in a folder\n' }, { thing: 'a file\n' }),
  binary: () => sides({ 'data.bin': binary(1) }, { 'data.bin': binary(2) }, { 'data.bin': binary(3) }),
  image: () =>
    sides(
      { 'logo.png': png(8, [0, 0, 255]) },
      { 'logo.png': png(8, [255, 0, 0]) },
      { 'logo.png': png(12, [0, 255, 0]) },
    ),
  /** Commits of a submodule that is not checked out. See `buildSubmoduleConflict` for one that is. */
  submodule: () =>
    sides(
      { lib: { submodule: '1'.repeat(40) } },
      { lib: { submodule: '2'.repeat(40) } },
      { lib: { submodule: '3'.repeat(40) } },
    ),
  lfs: () =>
    sides(
      { 'big.psd': lfsPointer('1', 100) },
      { 'big.psd': lfsPointer('2', 200) },
      { 'big.psd': lfsPointer('3', 300) },
    ),
  utf16: () =>
    sides(
      { 'wide.txt': utf16(withLines({})) },
      { 'wide.txt': utf16(withLines({ 4: 'ours ä\n' })) },
      { 'wide.txt': utf16(withLines({ 4: 'theirs ö\n' })) },
    ),
  utf8Bom: () =>
    sides(
      { 'bom.txt': `\ufeff${withLines({})}` },
      { 'bom.txt': `\ufeff${withLines({ 4: 'ours\n' })}` },
      { 'bom.txt': `\ufeff${withLines({ 4: 'theirs\n' })}` },
    ),
  crlf: () =>
    sides(
      { 'dos.txt': crlf(withLines({})) },
      { 'dos.txt': crlf(withLines({ 4: 'ours\n' })) },
      { 'dos.txt': crlf(withLines({ 4: 'theirs\n' })) },
    ),
  /** Theirs turned every line ending, ours changed one line. */
  crlfFlip: () =>
    sides(
      { 'flip.txt': withLines({}) },
      { 'flip.txt': withLines({ 4: 'ours\n' }) },
      { 'flip.txt': crlf(withLines({ 9: 'theirs\n' })) },
    ),
  cp1252: () =>
    sides(
      { 'umlaut.txt': cp1252(`äöü\n${withLines({})}ß\n`) },
      { 'umlaut.txt': cp1252(`äöü\n${withLines({ 4: 'unsere Ä\n' })}ß\n`) },
      { 'umlaut.txt': cp1252(`äöü\n${withLines({ 4: 'ihre Ö\n' })}ß\n`) },
    ),
  /** All eight combinations of a final newline in base, ours and theirs; `eof-101.txt`: base and theirs have one. */
  finalNewlines: () => {
    const all = ['000', '001', '010', '011', '100', '101', '110', '111']
    const files = (last: string, at: number): Files =>
      Object.fromEntries(all.map((has) => [`eof-${has}.txt`, `l1\n${last}${has[at] === '1' ? '\n' : ''}`]))
    return sides(files('l2', 0), files('ours', 1), files('theirs', 2))
  },
  /** Headings that look like the middle marker: the text on disk holds three. */
  setext: () =>
    sides(
      { 'readme.md': 'x\n' },
      { 'readme.md': 'Roadmap\n=======\ntheirs\n' },
      { 'readme.md': 'Summary\n=======\nours\n' },
    ),
  names: () => sides(named('base'), named('ours'), named('theirs')),
  markerSize: () =>
    sides(
      { '.gitattributes': '*.md conflict-marker-size=15\n', 'long.md': withLines({}) },
      { 'long.md': withLines({ 4: 'ours\n' }) },
      { 'long.md': withLines({ 4: 'theirs\n' }) },
    ),
  diff3: () => sides(...triple('styled.md'), '[merge]\n\tconflictStyle = diff3\n'),
  zdiff3: () => sides(...triple('styled.md'), '[merge]\n\tconflictStyle = zdiff3\n'),
  /** `core.autocrlf` and `core.safecrlf`: the working tree has CRLF, the repository LF. */
  safecrlf: () => sides(...triple('safe.txt'), '[core]\n\tautocrlf = true\n\tsafecrlf = true\n'),
} as const satisfies Record<string, () => Sides>

function triple(path: string): [Files, Files, Files] {
  return [
    { [path]: withLines({}) },
    { [path]: withLines({ 4: 'ours\n', 5: 'shared\n' }) },
    { [path]: withLines({ 4: 'theirs\n', 5: 'shared\n' }) },
  ]
}

export type ConflictKindName = keyof typeof conflictSides

/**
 * Several kinds in one repository, each in a folder of its name. Renames get lines of their own, so that git takes none
 * for another's.
 */
export function joinSides(kinds: readonly ConflictKindName[] | Readonly<Record<string, Sides>>): Sides {
  const named: readonly (readonly [string, Sides])[] = Array.isArray(kinds)
    ? (kinds as readonly ConflictKindName[]).map((name) => [name, conflictSides[name]()] as const)
    : Object.entries(kinds as Readonly<Record<string, Sides>>)
  const side = (which: 'base' | 'ours' | 'theirs'): Files =>
    Object.fromEntries(
      named.flatMap(([name, one]) =>
        Object.entries(one[which]).map(([path, entry]) => [`${name}/${path}`, ownLines(name, entry)]),
      ),
    )
  return {
    base: side('base'),
    ours: side('ours'),
    theirs: side('theirs'),
    config: named.map(([, one]) => one.config ?? '').join(''),
  }
}

/** A text of a folder whose name tells of a rename, each line with that name in front. */
export const ownLines = (folder: string, entry: Entry): Entry =>
  /rename/i.test(folder) && typeof entry === 'string'
    ? entry.replaceAll(/.*\n/g, (line) => `${folder}: ${line}`)
    : entry
