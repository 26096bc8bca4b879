import { spawnSync } from 'node:child_process'
import { chmodSync, linkSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { tempDir, withHome } from '../../../e2e/support/temp.ts'
import { runMergeFile } from './run.ts'

const { env } = withHome()
const MAIN = join(import.meta.dirname, '..', 'main.ts')

async function ours(cwd: string, ...argv: string[]) {
  const out: Uint8Array[] = []
  const err: string[] = []
  const code = await runMergeFile(argv, {
    env,
    cwd,
    out: async (bytes) => void out.push(Buffer.from(bytes)),
    err: async (text) => void err.push(text),
  })
  return { code, out: Buffer.concat(out), err: err.join('') }
}

function git(cwd: string, ...argv: string[]) {
  const { status, stdout, stderr } = spawnSync('git', argv, { cwd, env })
  return { code: status, out: stdout, err: stderr.toString() }
}

function folder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const dir = tempDir('merge-file')
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(dir, name), bytes)
  return dir
}

describe('merge-file', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('').map((c) => `${c} ${c}\n`)
  const edited = (edits: Readonly<Record<number, string>>) => letters.map((line, i) => edits[i] ?? line).join('')
  const sets = {
    conflict: [edited({ 3: 'D\n', 9: 'J\n', 20: '' }), edited({}), edited({ 3: 'dd\n', 11: 'L\n', 21: 'V\n' })],
    clean: [edited({ 3: 'D\n' }), edited({}), edited({ 11: 'L\n' })],
    'no newline': ['1\n2\n3x', '1\n2\n3', '1\n2\n3y'],
    crlf: ['1\r\n2\r\n4', '1\r\n2\r\n3', '1\r\n2\r\n5'],
    'both created': ['k\na\nz\n', '', 'k\nb\nz\n'],
    'near conflicts': ['A\nx\n\n}\nB\n', 'a\nx\n\n}\nb\n', '1\nx\n\n}\n2\n'],
    bytes: [Buffer.from([0xff, 10, 0xe4, 10]), Buffer.from([0xfe, 10, 0xe4, 10]), Buffer.from([0xfd, 10, 0xe4, 10])],
  } as const
  const argvs = [
    ['-p'],
    ['--stdout', '--diff3'],
    ['-p', '--zdiff3', '--marker-size=10'],
    ['-p', '--ours'],
    ['-p', '--theirs'],
    ['-p', '--union'],
    ['-q', '-p', '-L', 'mine', '-L', 'old', '-L', 'yours', '--diff3'],
    ['-p', '-L', 'mine', '--marker-size', '3'],
  ]
  for (const [name, [o, b, t]] of Object.entries(sets)) {
    it(`prints and exits as git does: ${name}`, async () => {
      const dir = folder({ 'ours file': o, base: b, theirs: t })
      for (const argv of argvs) {
        const names = [...argv, 'ours file', 'base', 'theirs']
        const expected = git(dir, 'merge-file', ...names)
        const found = await ours(dir, ...names)
        expect([argv, found.code, found.out.toString('latin1')]).toEqual([
          argv,
          expected.code,
          expected.out.toString('latin1'),
        ])
      }
    })
  }

  it('caps the number of conflicts at 127', async () => {
    const lines = (mark: string) =>
      Array.from({ length: 1200 }, (_, i) => (i % 6 === 0 ? `${mark}\n` : `l${i}\n`)).join('')
    const dir = folder({ o: lines('o'), b: lines('b'), t: lines('t') })
    expect((await ours(dir, '-p', 'o', 'b', 't')).code).toBe(127)
  })

  it('writes the result into the first file, which keeps its mode', async () => {
    const dir = folder({ o: 'a\nB\n', b: 'a\nb\n', t: 'a\nb\n\nc\n' })
    chmodSync(join(dir, 'o'), 0o755)
    symlinkSync('o', join(dir, 'link'))
    expect((await ours(dir, '-q', 'link', 'b', 't')).code).toBe(1)
    const twin = folder({ o: 'a\nB\n', b: 'a\nb\n', t: 'a\nb\n\nc\n' })
    git(twin, 'merge-file', '-q', '-L', 'link', 'o', 'b', 't')
    expect(readFileSync(join(dir, 'o'))).toEqual(readFileSync(join(twin, 'o')))
    expect(statSync(join(dir, 'o')).mode & 0o777).toBe(0o755)
    linkSync(join(dir, 'b'), join(dir, 'other'))
    expect((await ours(dir, 'b', 't', 'b')).code).toBe(0)
    expect(statSync(join(dir, 'b')).nlink).toBe(2)
  })

  it('refuses binary files and files that are not there, and writes nothing', async () => {
    const dir = folder({ o: 'a\n', b: Buffer.from([97, 0, 10]), t: 'c\n' })
    expect(await ours(dir, 'o', 'b', 't')).toMatchObject({ code: 255, err: 'error: Cannot merge binary files: b\n' })
    expect((await ours(dir, 'o', 'none', 't')).code).toBe(255)
    expect((await ours(dir, '-q', 'o', 'none', 't')).err).toBe('')
    expect(readFileSync(join(dir, 'o'), 'utf8')).toBe('a\n')
  })

  it('says how it is called', async () => {
    for (const argv of [
      [],
      ['a', 'b'],
      ['a', 'b', 'c', 'd'],
      ['--none', 'a', 'b', 'c'],
      ['--marker-size=x', 'a', 'b', 'c'],
    ]) {
      const { code, err } = await ours('.', ...argv)
      expect([argv, code]).toEqual([argv, 129])
      expect(err).toContain('usage: daybreak merge-file')
    }
  })

  it('gives hunks, losses and what is needed to run it again as JSON', async () => {
    const dir = folder({ o: 'a\nB\nc\n', b: 'a\nb\nc\n', t: 'a\nX\nc\n' })
    const { code, out } = await ours(dir, '-p', '--repro', 'o', 'b', 't')
    expect(code).toBe(1)
    expect(JSON.parse(out.toString())).toMatchObject({
      apiVersion: '1',
      type: 'merge-file',
      data: {
        conflicts: 1,
        written: false,
        exact: true,
        hunks: [{ kind: 'conflict', ours: { firstLine: 2, lines: 1, text: 'B\n' } }],
        merged: { text: 'a\n<<<<<<< o\nB\n=======\nX\n>>>>>>> t\nc\n' },
        repro: { base: { text: 'a\nb\nc\n' }, options: { markerSize: 7, labels: { ours: 'o' } } },
      },
    })
    const clean = await ours(dir, '--json', '-p', 'o', 'b', 'b')
    expect(JSON.parse(clean.out.toString()).data).toMatchObject({ conflicts: 0, loss: { lost: [] }, warnings: [] })
  })
})

describe('merge-file in a repository', () => {
  let dir: string
  beforeAll(() => {
    dir = folder({ 'n.md': 'a\nb\nc\nd\ne\n' })
    git(dir, 'init', '-q', '-b', 'main')
    git(dir, 'config', 'user.name', 'Test')
    git(dir, 'config', 'user.email', 'test@example.invalid')
    git(dir, 'add', '.')
    git(dir, 'commit', '-qm', 'base')
    git(dir, 'switch', '-qc', 'side')
    writeFileSync(join(dir, 'n.md'), 'a\nb\nc\nd\nE\n')
    git(dir, 'commit', '-qam', 'side')
    git(dir, 'switch', '-q', 'main')
    writeFileSync(join(dir, 'n.md'), 'A\nb\nc\nd\ne\n')
    git(dir, 'commit', '-qam', 'main')
  })

  it('reads objects and writes one', async () => {
    const names = ['main:n.md', 'main~1:n.md', 'side:n.md']
    const printed = await ours(dir, '-p', '--object-id', ...names)
    expect(printed.out.toString()).toBe('A\nb\nc\nd\nE\n')
    const { code, out } = await ours(dir, '--object-id', ...names)
    expect(code).toBe(0)
    expect(git(dir, 'cat-file', 'blob', out.toString().trim()).out.toString()).toBe('A\nb\nc\nd\nE\n')
    expect((await ours(dir, '--object-id', 'main:none', ...names.slice(1))).code).toBe(255)
  })

  it("follows git's setting of the style", async () => {
    writeFileSync(join(dir, 'o'), 'x\n')
    writeFileSync(join(dir, 'b'), 'y\n')
    writeFileSync(join(dir, 't'), 'z\n')
    git(dir, 'config', 'merge.conflictStyle', 'diff3')
    const found = await ours(dir, '-p', 'o', 'b', 't')
    expect(found.out).toEqual(git(dir, 'merge-file', '-p', 'o', 'b', 't').out)
    expect(found.out.toString()).toContain('||||||| b\ny\n')
    git(dir, 'config', '--unset', 'merge.conflictStyle')
  })

  it('is a merge driver', () => {
    const driver = `'${process.execPath}' '${MAIN}' merge-file --marker-size=%L %A %O %B`
    git(dir, 'config', 'merge.daybreak.driver', driver)
    writeFileSync(join(dir, '.git', 'info', 'attributes'), '*.md merge=daybreak\n')
    expect(git(dir, 'merge', '-q', '--no-edit', 'side')).toMatchObject({ code: 0 })
    expect(readFileSync(join(dir, 'n.md'), 'utf8')).toBe('A\nb\nc\nd\nE\n')
  })
})
