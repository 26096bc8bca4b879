import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildRepo, copyRepo, git as raw, rawGitEnvironment, type TestRepo } from '../../../../e2e/support/index.ts'
import type { ConflictStage } from '../../../../shared/model/index.ts'
import { createGit } from '../../git/process.ts'
import { lookAtItem } from './asGitWrote.ts'

const lines = (change: Record<number, string> = {}, end = '\n') =>
  Array.from({ length: 12 }, (_, at) => change[at] ?? `line ${at} of the note`).join(end) + end

let base: TestRepo
beforeAll(() => {
  base = buildRepo(undefined, {
    commits: [
      { message: 'base', files: { 'a.md': lines(), 'crlf.txt': lines({}, '\r\n') } },
      { on: 'side', message: 'side', files: { 'a.md': lines({ 5: 'theirs' }), 'crlf.txt': lines({ 5: 'T' }, '\r\n') } },
      {
        on: 'main',
        message: 'ours',
        files: { 'a.md': lines({ 5: 'ours', 10: 'ours too' }), 'crlf.txt': lines({ 5: 'O' }, '\r\n') },
      },
    ],
  })
})

const stagesOf = (repo: TestRepo): ConflictStage[] =>
  repo
    .git('ls-files', '-u')
    .split('\n')
    .map((row) => {
      const [head = '', path = ''] = row.split('\t')
      const [mode = '', oid = '', stage = ''] = head.split(' ')
      return { path, mode, oid, stage: Number(stage) as 1 | 2 | 3 }
    })

function look(repo: TestRepo, path: string, config: Record<string, string> = {}) {
  const git = createGit({ cwd: repo.dir, env: { ...rawGitEnvironment(), ...config } })
  const stages = stagesOf(repo).filter((one) => one.path === path)
  return lookAtItem({ git, gitDir: repo.gitDir, commonDir: repo.gitDir }, [path], stages)
}

function stopped(...args: string[]): TestRepo {
  const repo = copyRepo(base)
  expect(repo.code('merge', ...args, 'side')).toBe(1)
  return repo
}

describe('what git wrote itself', () => {
  it.each(['merge', 'diff3', 'zdiff3'])('is known in the style %s', async (style) => {
    const repo = copyRepo(base)
    repo.git('config', 'merge.conflictStyle', style)
    repo.code('merge', 'side')
    expect(await look(repo, 'a.md')).toMatchObject({ state: 'git', digest: null, edited: [] })
    expect((await look(repo, 'crlf.txt')).state).toBe('git')
  })

  it('is known without a note of it, with any labels, and in a style other than the configured one', async () => {
    for (const style of ['merge', 'diff3']) {
      const repo = stopped()
      repo.git('checkout', `--conflict=${style}`, '--', 'a.md')
      repo.write('.git/AUTO_MERGE', null)
      expect((await look(repo, 'a.md')).state).toBe('git')
      const marked = repo.read('a.md').toString()
      repo.write('a.md', marked.replace(/^<{7} ours$/m, '<<<<<<< a branch of mine'))
      expect((await look(repo, 'a.md')).state).toBe('git')
    }
  })

  it('is known from the older strategy, and as a side taken whole', async () => {
    expect((await look(stopped('-s', 'recursive'), 'a.md')).state).toBe('git')
    for (const side of ['--ours', '--theirs']) {
      const repo = stopped()
      repo.git('checkout', side, '--', 'a.md')
      expect((await look(repo, 'a.md')).state).toBe('git')
    }
  })

  it('is known with converted line endings and another marker size', async () => {
    const repo = copyRepo(base)
    repo.write('.git/info/attributes', 'a.md text eol=crlf conflict-marker-size=15\n')
    repo.code('merge', 'side')
    expect(repo.read('a.md').includes('\r\n')).toBe(true)
    expect(repo.read('a.md').includes('<<<<<<<<<<<<<<< HEAD')).toBe(true)
    repo.write('.git/AUTO_MERGE', null)
    expect((await look(repo, 'a.md')).state).toBe('git')
  })

  it('is known where rerere put a recorded resolution in its place, other lines changed since', async () => {
    const repo = copyRepo(base)
    repo.git('config', 'rerere.enabled', 'true')
    repo.code('merge', 'side')
    repo.write('a.md', lines({ 5: 'both', 10: 'ours too' }))
    repo.write('crlf.txt', lines({ 5: 'B' }, '\r\n'))
    repo.git('commit', '-qam', 'merged')
    repo.git('reset', '-q', '--hard', 'HEAD~1')
    repo.commit('more', { 'a.md': lines({ 0: 'first', 5: 'ours', 10: 'ours too' }) })
    repo.code('merge', 'side')
    expect(repo.read('a.md').toString()).toBe(lines({ 0: 'first', 5: 'both', 10: 'ours too' }))
    expect((await look(repo, 'a.md')).state).toBe('git')
  })

  it('is missing where the file was removed', async () => {
    const repo = stopped()
    repo.write('a.md', null)
    expect((await look(repo, 'a.md')).state).toBe('missing')
  })
})

describe('what someone edited', () => {
  it.each([
    ['a line outside the conflict', (text: string) => text.replace('line 1 of', 'LINE 1 of')],
    ['a line inside it', (text: string) => text.replace('\nours\n', '\nours, edited\n')],
    ['one space at the end', (text: string) => `${text} `],
    ['the line endings', (text: string) => text.replaceAll('\n', '\r\n')],
    ['the markers removed', (text: string) => text.replace(/^[<=>]{7}.*\n/gm, '')],
  ])('is seen: %s', async (_, edit) => {
    const repo = stopped()
    repo.write('a.md', edit(repo.read('a.md').toString()))
    const seen = await look(repo, 'a.md')
    expect(seen).toMatchObject({ state: 'edited', edited: ['a.md'], digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
    repo.write('a.md', `${edit(repo.read('a.md').toString())}more`)
    expect((await look(repo, 'a.md')).digest).not.toBe(seen.digest)
  })

  it('writes nothing into the repository while looking', async () => {
    const repo = stopped()
    repo.write('a.md', 'mine\n')
    const before = execFileSync('find', ['.git', '-type', 'f'], { cwd: repo.dir }).toString()
    await look(repo, 'a.md')
    expect(execFileSync('find', ['.git', '-type', 'f'], { cwd: repo.dir }).toString()).toBe(before)
    expect(raw(repo.dir, ['count-objects'])).toBe(raw(repo.dir, ['count-objects']))
  })
})
