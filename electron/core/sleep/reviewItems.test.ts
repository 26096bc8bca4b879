import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { diffTrees } from '../git/diffTree.ts'
import { createGit } from '../git/process.ts'
import { countItems, type ReviewItem, reviewItems, unarchived } from './reviewItems.ts'

const memory = (claim: string) => `<!doctype html>\n<article>\n<p><mark>${claim}</mark></p>\n</article>\n`
const strange = ['with "quotes".html', 'new\nline.html', '-dash.html', '😀 -> x.html']

let folder: string
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const move = (from: string, to: string) => {
  mkdirSync(dirname(join(folder, to)), { recursive: true })
  renameSync(join(folder, from), join(folder, to))
}

let items: Map<string, ReviewItem>
let base: string
let tip: string
let latin: Buffer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'daybreak-items-'))
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'T')
  git('config', 'user.email', 't@example.com')
  for (const name of [
    'both',
    'both-2',
    'fades',
    'taken',
    'moves',
    'changes',
    'goes',
    'rewritten',
    'back',
    'placed',
    'twice',
  ])
    write(`areas/${name}.html`, memory(name.repeat(9)))
  write('archive/2026/areas/taken.html', memory('an older one'))
  write('archive/2025/areas/returned.html', memory('asleep'))
  write('areas/index.html', memory('a list of things'.repeat(9)))
  write('empty/a.txt', '')
  for (const name of strange) write(`areas/${name}`, memory(name))
  latin = Buffer.from(join(folder, 'areas/caf\xe9.html'), 'latin1')
  writeFileSync(latin, 'x')
  git('add', '-A')
  git('commit', '-qm', 'base')
  base = git('rev-parse', 'HEAD')
  move('areas/fades.html', 'archive/2026/areas/fades.html')
  write('archive/2026/areas/fades.html', 'entirely other bytes, nothing alike at all\n')
  move('areas/both.html', 'archive/2026/areas/both.html')
  move('areas/both-2.html', 'archive/2026/areas/both-2.html')
  move('areas/taken.html', 'archive/2026/areas/taken-2.html')
  move('areas/moves.html', 'resources/moves.html')
  move('archive/2025/areas/returned.html', 'areas/returned.html')
  write('areas/returned.html', 'awake, and not alike\n')
  move('areas/placed.html', 'resources/infra/placed.html')
  write('resources/infra/placed.html', 'kept its name, and nothing else of it is as it was before\n')
  rmSync(join(folder, 'areas/twice.html'))
  for (const to of ['projects', 'resources'])
    write(`${to}/twice.html`, `one of two in ${to}, neither of them like it\n`)
  write('areas/changes.html', memory('other'))
  rmSync(join(folder, 'areas/goes.html'))
  move('areas/index.html', 'resources/index.html')
  move('empty/a.txt', 'empty/b.txt')
  write('.memhtml/sleep/sleep-1.html', 'report')
  write('new.html', 'a file that is new\n')
  for (const name of strange) write(`areas/${name}`, memory('changed'))
  writeFileSync(latin, 'y')
  git('add', '-A')
  git('commit', '-qm', 'night')
  tip = git('rev-parse', 'HEAD')
  const changes = await diffTrees(createGit({ cwd: folder, env: process.env }), base, tip)
  items = new Map(reviewItems(changes).map((item) => [item.path, item]))
  expect(countItems(changes)).toBe(items.size)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const shape = (path: string) => {
  const item = items.get(path)
  return item && [item.change, item.fromPath]
}

describe('reviewItems', () => {
  it('pairs an archived file by the path mapping at any similarity (case 35)', () => {
    expect(shape('archive/2026/areas/fades.html')).toEqual(['archived', 'areas/fades.html'])
    expect(items.has('areas/fades.html')).toBe(false)
  })

  it('pairs an archived file whose name was taken and got an ordinal', () => {
    expect(shape('archive/2026/areas/taken-2.html')).toEqual(['archived', 'areas/taken.html'])
  })

  it('keeps apart two archived files of which one is named as the other with an ordinal', () => {
    expect(shape('archive/2026/areas/both.html')).toEqual(['archived', 'areas/both.html'])
    expect(shape('archive/2026/areas/both-2.html')).toEqual(['archived', 'areas/both-2.html'])
  })

  it('calls a move elsewhere moved, out of the archive too (case 35)', () => {
    expect(shape('resources/moves.html')).toEqual(['moved', 'areas/moves.html'])
    expect(shape('areas/returned.html')).toEqual(['moved', 'archive/2025/areas/returned.html'])
  })

  it('calls a memory that kept its name in another folder moved at any similarity, where only one has the name', () => {
    expect(shape('resources/infra/placed.html')).toEqual(['moved', 'areas/placed.html'])
    expect(items.has('areas/placed.html')).toBe(false)
    expect(shape('areas/twice.html')).toEqual(['deleted', null])
    expect(shape('projects/twice.html')).toEqual(['created', null])
  })

  it('never pairs generated lists or empty files', () => {
    expect(shape('areas/index.html')).toEqual(['deleted', null])
    expect(shape('resources/index.html')).toEqual(['created', null])
    expect(items.get('resources/index.html')?.generated).toBe(true)
    expect(shape('empty/a.txt')).toEqual(['deleted', null])
    expect(shape('empty/b.txt')).toEqual(['created', null])
    expect(items.get('.memhtml/sleep/sleep-1.html')?.generated).toBe(true)
  })

  it('tells modified, created and deleted apart, with objects and modes', () => {
    expect(shape('areas/changes.html')).toEqual(['modified', null])
    expect(shape('new.html')).toEqual(['created', null])
    expect(shape('areas/goes.html')).toEqual(['deleted', null])
    expect(items.get('new.html')).toMatchObject({ oldOid: null, oldMode: null, newMode: '100644' })
    expect(items.get('areas/goes.html')).toMatchObject({ newOid: null, newMode: null, oldMode: '100644' })
  })

  it('carries every path that git can hold', () => {
    for (const name of strange) expect(shape(`areas/${name}`)).toEqual(['modified', null])
    expect(shape('areas/caf\udce9.html')).toEqual(['modified', null])
  })

  it('is sorted by path and keyed by content alone', () => {
    const paths = [...items.keys()]
    expect(paths).toEqual([...paths].sort())
    expect(new Set([...items.values()].map((item) => item.contentKey)).size).toBe(items.size)
    expect(items.get('areas/changes.html')?.contentKey).toMatch(/^[0-9a-f]{32}$/)
  })

  it('reads all of a tree as created where there is no base', async () => {
    const all = reviewItems(await diffTrees(createGit({ cwd: folder, env: process.env }), null, tip))
    expect(all.every((item) => item.change === 'created')).toBe(true)
    expect(all.length).toBe(Number(git('ls-tree', '-r', '--name-only', '-z', tip).split('\0').length - 1))
  })

  it('does not let the configuration of the repository change what is found', async () => {
    const hostile = mkdtempSync(join(tmpdir(), 'daybreak-items-'))
    execFileSync('cp', ['-r', `${folder}/.`, hostile])
    const set = (key: string, value: string) => execFileSync('git', ['config', key, value], { cwd: hostile })
    set('diff.renames', 'false')
    set('diff.renameLimit', '1')
    set('diff.relative', 'true')
    set('diff.noprefix', 'true')
    set('core.quotePath', 'true')
    const found = reviewItems(await diffTrees(createGit({ cwd: join(hostile, 'areas'), env: process.env }), base, tip))
    expect(found).toEqual([...items.values()])
    rmSync(hostile, { recursive: true, force: true })
  })
})

describe('unarchived', () => {
  it('undoes one prefix', () => {
    expect(unarchived('archive/2026/archive/2025/a.html')).toBe('archive/2025/a.html')
    expect(unarchived('archive/26/a.html')).toBeNull()
    expect(unarchived('x/archive/2026/a.html')).toBeNull()
  })
})
