import { rmSync } from 'node:fs'
import { expect, shareApp, test } from './fixtures.ts'
import { type Accept, type Choice, ResolverPage } from './pages/resolver.ts'
import { expectSettled, expectUntouched, outside } from './resolverProof.ts'
import {
  buildConflict,
  type ConflictRepo,
  conflictSides,
  type Files,
  joinSides,
  ownLines,
  type Sides,
  withLines,
} from './support/index.ts'

const LONG = withLines({}, 30)
const OTHER = LONG.replaceAll('line', 'other')
const MODIFIED = withLines({ 2: 'a\n', 3: 'b\n', 7: 'c\n' })
const half = (text: string) =>
  Buffer.concat([Buffer.from(`\ufeff${text}`, 'utf16le'), Buffer.from([0x3d, 0xd8, 10, 0])])

interface Case {
  readonly name: string
  readonly sides: Sides
  /** The name that the page gives it, without its folder. */
  readonly path: string
  /** What the sentence says of it. */
  readonly says: RegExp
  readonly choose: Choice | RegExp
  /** What is decided of its lines, where they count. */
  readonly accept?: readonly Accept[]
  /** All that its folder holds then. */
  readonly result: Files
  /** A file of the result whose lines are those of base but for these. */
  readonly untouched?: readonly [file: string, base: string, touched: Readonly<Record<number, number>>]
}

const { modifyDelete, deleteModify, renameRename, renameRenameSame, renameTwoToOne, renameDelete } = conflictSides
const { deleteRename, renameAdd, fileToSymlink, fileToSubmodule, symlinks, mode, modeAndText } = conflictSides
const { fileDirectory, directoryFile, binary, image, submodule, lfs } = conflictSides

const fileOf = (sides: Files, path: string) => sides[path] ?? null

const cases: readonly Case[] = [
  {
    name: 'changed by us and deleted by them: deleted',
    sides: modifyDelete(),
    path: 'gone.md',
    says: /researcher deleted this file; planner changed 3 lines of it/,
    choose: 'theirs',
    result: {},
  },
  {
    name: 'changed by us and deleted by them: kept',
    sides: modifyDelete(),
    path: 'gone.md',
    says: /researcher deleted this file/,
    choose: 'ours',
    result: { 'gone.md': MODIFIED },
    untouched: ['gone.md', withLines({}), { 2: 1, 3: 1, 7: 1 }],
  },
  {
    name: 'changed by us and deleted by them: as it was',
    sides: modifyDelete(),
    path: 'gone.md',
    says: /researcher deleted this file/,
    choose: 'base',
    result: { 'gone.md': withLines({}) },
  },
  {
    name: 'deleted by us and changed by them: kept',
    sides: deleteModify(),
    path: 'gone.md',
    says: /planner deleted this file; researcher changed 3 lines of it/,
    choose: 'theirs',
    result: { 'gone.md': MODIFIED },
    untouched: ['gone.md', withLines({}), { 2: 1, 3: 1, 7: 1 }],
  },
  {
    name: 'deleted by us and changed by them: deleted',
    sides: deleteModify(),
    path: 'gone.md',
    says: /planner deleted this file/,
    choose: 'ours',
    result: {},
  },
  {
    name: 'renamed to two names: their name, our line',
    sides: renameRename(),
    path: 'ours-name.md',
    says: /planner renamed old\.md to ours-name\.md; researcher renamed it to theirs-name\.md/,
    choose: 'theirs',
    accept: ['ours'],
    result: { 'theirs-name.md': withLines({ 5: 'ours 5\n' }, 30) },
    untouched: ['theirs-name.md', LONG, { 5: 1 }],
  },
  {
    name: 'renamed to two names: both names, both lines',
    sides: renameRename(),
    path: 'ours-name.md',
    says: /planner renamed old\.md to ours-name\.md/,
    choose: 'both',
    accept: ['both'],
    result: {
      'ours-name.md': withLines({ 5: 'ours 5\ntheirs 5\n' }, 30),
      'theirs-name.md': withLines({ 5: 'ours 5\ntheirs 5\n' }, 30),
    },
    untouched: ['ours-name.md', LONG, { 5: 2 }],
  },
  {
    name: 'renamed to two names: the old name',
    sides: renameRename(),
    path: 'ours-name.md',
    says: /researcher renamed it to theirs-name\.md/,
    choose: 'base',
    accept: ['theirs'],
    result: { 'old.md': withLines({ 5: 'theirs 5\n' }, 30) },
    untouched: ['old.md', LONG, { 5: 1 }],
  },
  {
    name: 'renamed to two names, unchanged: our name',
    sides: renameRenameSame(),
    path: 'ours-name.md',
    says: /planner renamed old\.md to ours-name\.md/,
    choose: 'ours',
    result: { 'ours-name.md': LONG },
  },
  {
    name: 'two files renamed to one name: both kept apart',
    sides: renameTwoToOne(),
    path: 'both.md',
    says: /planner renamed a\.md to both\.md; researcher renamed b\.md to both\.md/,
    choose: 'both',
    result: { 'both.md': LONG, 'b.md': OTHER },
  },
  {
    name: 'two files renamed to one name: theirs',
    sides: renameTwoToOne(),
    path: 'both.md',
    says: /researcher renamed b\.md to both\.md/,
    choose: 'theirs',
    result: { 'both.md': OTHER },
  },
  {
    name: 'two files renamed to one name: one file of both',
    sides: renameTwoToOne(),
    path: 'both.md',
    says: /researcher renamed b\.md to both\.md/,
    choose: /^Accept both, Make one file of both, line by line$/,
    accept: ['both'],
    result: { 'both.md': `${LONG}${OTHER}` },
  },
  {
    name: 'renamed by us and deleted by them: kept',
    sides: renameDelete(),
    path: 'new.md',
    says: /planner renamed old\.md to new\.md; researcher deleted it/,
    choose: 'ours',
    result: { 'new.md': LONG },
  },
  {
    name: 'renamed by us and deleted by them: deleted',
    sides: renameDelete(),
    path: 'new.md',
    says: /researcher deleted it/,
    choose: 'theirs',
    result: {},
  },
  {
    name: 'deleted by us and renamed by them: kept',
    sides: deleteRename(),
    path: 'new.md',
    says: /researcher renamed old\.md to new\.md; planner deleted it/,
    choose: 'theirs',
    result: { 'new.md': LONG },
  },
  {
    name: 'deleted by us and renamed by them: as it was',
    sides: deleteRename(),
    path: 'new.md',
    says: /planner deleted it/,
    choose: 'base',
    result: { 'old.md': LONG },
  },
  {
    name: 'renamed onto a new file: both kept apart',
    sides: renameAdd(),
    path: 'new.md',
    says: /planner renamed old\.md to new\.md; researcher created a file of that name/,
    choose: 'both',
    result: { 'old.md': withLines({ 5: 'ours 5\n' }, 30), 'new.md': withLines({}, 9).replaceAll('line', 'added') },
  },
  {
    name: 'renamed onto a new file: ours',
    sides: renameAdd(),
    path: 'new.md',
    says: /researcher created a file of that name/,
    choose: 'ours',
    result: { 'new.md': withLines({ 5: 'ours 5\n' }, 30) },
    untouched: ['new.md', LONG, { 5: 1 }],
  },
  {
    name: 'a file against a symbolic link: the link',
    sides: fileToSymlink(),
    path: 'thing',
    says: /planner has a file with 1 changed line here; researcher has a symbolic link here/,
    choose: 'theirs',
    result: { thing: { symlink: 'elsewhere' } },
  },
  {
    name: 'a file against a symbolic link: the file',
    sides: fileToSymlink(),
    path: 'thing',
    says: /researcher has a symbolic link here/,
    choose: 'ours',
    result: { thing: withLines({ 5: 'ours 5\n' }, 30) },
    untouched: ['thing', LONG, { 5: 1 }],
  },
  {
    name: 'a symbolic link against a file: both',
    sides: { base: fileToSymlink().base, ours: fileToSymlink().theirs, theirs: fileToSymlink().ours },
    path: 'thing',
    says: /planner has a symbolic link here; researcher has a file with 1 changed line here/,
    choose: 'both',
    result: { thing: { symlink: 'elsewhere' }, 'thing~infra_pg17': withLines({ 5: 'ours 5\n' }, 30) },
  },
  {
    name: 'a file against a submodule: the submodule',
    sides: fileToSubmodule(),
    path: 'lib',
    says: /planner has a file with 1 changed line here; researcher has a submodule here/,
    choose: 'theirs',
    result: { lib: { submodule: 'a'.repeat(40) } },
  },
  {
    name: 'a symbolic link to two places',
    sides: symlinks(),
    path: 'link',
    says: /planner points this symbolic link at ours, researcher at theirs/,
    choose: 'theirs',
    result: { link: { symlink: 'theirs' } },
  },
  {
    name: 'a symbolic link to two places: as it was',
    sides: symlinks(),
    path: 'link',
    says: /planner points this symbolic link at ours/,
    choose: 'base',
    result: { link: { symlink: 'one' } },
  },
  {
    name: 'a mode',
    sides: mode(),
    path: 'run.sh',
    says: /with the same content; only researcher made it executable/,
    choose: 'theirs',
    result: { 'run.sh': { content: 'echo hi\n', mode: '100755' } },
  },
  {
    name: 'a mode: left as ours is',
    sides: mode(),
    path: 'run.sh',
    says: /only researcher made it executable/,
    choose: 'ours',
    result: { 'run.sh': 'echo hi\n' },
  },
  {
    name: 'a mode and lines',
    sides: modeAndText(),
    path: 'run.sh',
    says: /both created this file, each with other lines: 1 conflict/,
    choose: 'theirs',
    accept: ['ours'],
    result: { 'run.sh': { content: 'echo ours\n', mode: '100755' } },
  },
  {
    name: 'bytes that are no text',
    sides: binary(),
    path: 'data.bin',
    says: /both changed this file, which is no text: 8 bytes and 8 bytes/,
    choose: 'theirs',
    result: binary().theirs,
  },
  {
    name: 'UTF-16 with half a character',
    sides: {
      base: { 'wide.txt': half(withLines({})) },
      ours: { 'wide.txt': half(withLines({ 4: 'ours\n' })) },
      theirs: { 'wide.txt': half(withLines({ 4: 'theirs\n' })) },
    },
    path: 'wide.txt',
    says: /both changed this file, which is no text/,
    choose: 'ours',
    result: { 'wide.txt': half(withLines({ 4: 'ours\n' })) },
  },
  {
    name: 'an image',
    sides: image(),
    path: 'logo.png',
    says: /planner and researcher both changed this image/,
    choose: 'ours',
    result: image().ours,
  },
  {
    name: 'an image: as it was',
    sides: image(),
    path: 'logo.png',
    says: /both changed this image/,
    choose: 'base',
    result: image().base,
  },
  {
    name: 'a submodule',
    sides: submodule(),
    path: 'lib',
    says: /moved this submodule to different commits: 2222222 and 3333333/,
    choose: 'theirs',
    result: submodule().theirs,
  },
  {
    name: 'a pointer of Git LFS',
    sides: lfs(),
    path: 'big.psd',
    says: /which Git LFS keeps elsewhere: 200 bytes and 300 bytes/,
    choose: 'theirs',
    result: lfs().theirs,
  },
  {
    name: 'a file against a folder: the file',
    sides: fileDirectory(),
    path: 'thing',
    says: /planner has a file here; researcher has a folder with 1 file of the same name/,
    choose: 'ours',
    result: { thing: 'a file\n' },
  },
  {
    name: 'a file against a folder: the folder',
    sides: fileDirectory(),
    path: 'thing',
    says: /researcher has a folder with 1 file/,
    choose: 'theirs',
    result: { 'thing/inside.md': 'in a folder\n' },
  },
  {
    name: 'a file against a folder: both',
    sides: fileDirectory(),
    path: 'thing',
    says: /planner has a file here/,
    choose: 'both',
    result: { 'thing/inside.md': 'in a folder\n', 'thing~HEAD': 'a file\n' },
  },
  {
    name: 'a folder against a file: the file',
    sides: directoryFile(),
    path: 'thing',
    says: /researcher has a file here; planner has a folder with 1 file of the same name/,
    choose: 'theirs',
    result: { thing: 'a file\n' },
  },
  {
    name: 'deleted or renamed by both: left deleted',
    sides: { base: { 'lost.md': 'lost\n' }, ours: {}, theirs: {} },
    path: 'lost.md',
    says: /planner and researcher both deleted or renamed this file/,
    choose: 'neither',
    result: {},
  },
  {
    name: 'deleted or renamed by both: as it was',
    sides: { base: { 'lost.md': 'lost\n' }, ours: {}, theirs: {} },
    path: 'lost.md',
    says: /both deleted or renamed this file/,
    choose: 'base',
    result: { 'lost.md': 'lost\n' },
  },
]

const folderOf = (name: string) => name.replaceAll(/[^a-zA-Z0-9]+/g, '-')
const own = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, entry]) => [path, ownLines(folder, entry)]))

/** One merge with all of them; of a file that both deleted, stage 1 alone is left, as plumbing tools leave it. */
function build(): ConflictRepo {
  const repo = buildConflict(joinSides(Object.fromEntries(cases.map((one) => [folderOf(one.name), one.sides]))))
  for (const { name, path } of cases.filter((one) => one.path === 'lost.md')) {
    const whole = `${folderOf(name)}/${path}`
    const blob = repo.git('rev-parse', `:0:${whole}`)
    const rows = `0 ${'0'.repeat(40)}\t${whole}\x00100644 ${blob} 1\t${whole}\0`
    repo.gitBytes(['update-index', '-z', '--index-info'], { input: rows })
    rmSync(repo.file(folderOf(name)), { recursive: true })
  }
  return repo
}

test.describe('conflicts that are no matter of lines, in one merge', () => {
  const app = shareApp(build)

  for (const { name, path, says, choose, accept, result, untouched } of cases)
    test(name, async () => {
      const { repo } = app
      const folder = folderOf(name)
      const before = outside(repo, folder)
      const resolver = new ResolverPage(app.page)
      await resolver.overview('Merging infra/pg17 into main')
      await resolver.open(`${folder}/${path}`)
      await expect(resolver.sentence).toContainText(says)
      await expect(resolver.complete).toHaveAttribute('aria-disabled', 'true')
      await resolver.choose(choose)
      await resolver.accept(...(accept ?? []))
      await resolver.markResolved(`${folder}/${path}`)
      const files = own(folder, result)
      expectSettled(repo, folder, files, before)
      if (untouched) {
        const [file, base, touched] = untouched
        const [made, old] = [fileOf(files, file), ownLines(folder, base)]
        expectUntouched(Buffer.from(made as string), Buffer.from(old as string), touched)
      }
    })
})
