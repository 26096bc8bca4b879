import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { buildRepo, copyRepo, type TestRepo, tempDir, withHome } from '../../e2e/support/index.ts'
import type { Method, Params, Reply, Result } from '../../shared/contract/index.ts'
import { draftModel, emptyDraft } from '../../shared/merge/draft/index.ts'
import type { MergeView } from '../../shared/model/index.ts'

const MAIN = resolve(import.meta.dirname, 'main.ts')
const COMMAND = `'${process.execPath}' --no-warnings '${MAIN}' mergetool "$BASE" "$LOCAL" "$REMOTE" "$MERGED"`
const home = withHome()
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
})

/** A merge that stopped at one file with two conflicts, executable, in a folder. */
let conflicted: TestRepo
beforeAll(() => {
  const file = (one: string, two: string) => `#!/bin/sh\n${one}\nb\nc\nd\n${two}\nend\n`
  conflicted = buildRepo(undefined, { commits: [{ message: 'base', files: { 'bin/run.sh': file('a', 'e') } }] })
  chmodSync(join(conflicted.dir, 'bin/run.sh'), 0o755)
  conflicted.git('add', '.')
  conflicted.git('commit', '-qm', 'executable')
  conflicted.git('checkout', '-qb', 'side')
  writeFileSync(join(conflicted.dir, 'bin/run.sh'), file('theirs 1', 'theirs 2'))
  conflicted.git('commit', '-qam', 'theirs')
  conflicted.git('checkout', '-q', 'main')
  writeFileSync(join(conflicted.dir, 'bin/run.sh'), file('ours 1', 'ours 2'))
  conflicted.git('commit', '-qam', 'ours')
  try {
    conflicted.git('merge', '-q', 'side')
  } catch {
    // It stops in conflict.
  }
  conflicted.git('config', 'mergetool.daybreak.cmd', COMMAND)
  conflicted.git('config', 'mergetool.daybreak.trustExitCode', 'true')
  conflicted.git('config', 'mergetool.keepBackup', 'false')
})

interface Page {
  ask<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>
  socket: WebSocket
}

/** What a browser does with the link. */
async function openPage(link: string): Promise<Page> {
  const { origin, host } = new URL(link)
  const linked = await fetch(link, { redirect: 'manual' })
  const cookie = linked.headers.get('set-cookie')?.split(';')[0] ?? ''
  const html = await (await fetch(`${origin}/`, { headers: { cookie } })).text()
  const socket = new WebSocket(`ws://${host}/rpc`, { headers: { cookie, origin } })
  await new Promise((settle) => socket.once('open', settle))
  socket.send(JSON.stringify({ hello: /page-token" content="([^"]+)"/.exec(html)?.[1] }))
  let id = 0
  const waiting = new Map<number, (reply: Reply) => void>()
  socket.on('message', (data) => {
    const frame = JSON.parse(data.toString())
    if (frame.event === undefined) waiting.get(frame.id)?.(frame.reply)
  })
  const ask = async <M extends Method>(method: M, params: Params<M>): Promise<Result<M>> => {
    const reply = await new Promise<Reply>((settle) => {
      waiting.set(++id, settle)
      socket.send(JSON.stringify({ id, method, params }))
    })
    if (!reply.ok) throw new Error(reply.error.message)
    return reply.result as Result<M>
  }
  return { ask, socket }
}

function start(command: string, args: readonly string[], cwd: string) {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...bare } = home.env
  const child = spawn(command, args, { cwd, env: { ...bare, DAYBREAK_HOST: 'serve' } })
  children.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  const link = vi.waitFor(
    () => /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/.exec(said)?.[0] ?? Promise.reject(new Error(said)),
    { timeout: 20_000, interval: 20 },
  )
  const code = new Promise<number | null>((settle) => child.on('close', settle))
  return { child, link, code, said: () => said }
}

async function findItem(page: Page, dir: string) {
  const info = await page.ask('app.info', {})
  expect(info).toMatchObject({ tool: true })
  const { id: repoId } = await page.ask('repo.open', { path: info.initial ?? dir, background: false })
  const { sets } = await page.ask('conflicts.list', { repoId })
  const set = sets.find((one) => one.source.from === 'tool')
  if (set?.items[0] === undefined) throw new Error('no tool')
  return { repoId, set, item: set.items[0] }
}

const source = { from: 'tool' } as const

describe('git mergetool -y', () => {
  test('ends well once the file is resolved, with its bytes and its mode, and git stages it', async () => {
    const repo = copyRepo(conflicted)
    const tool = start('git', ['mergetool', '-y', '--tool=daybreak'], repo.dir)
    const page = await openPage(await tool.link)
    const { repoId, set, item } = await findItem(page, repo.dir)
    expect(item).toMatchObject({ path: 'bin/run.sh', kind: 'text', lines: true, state: 'open' })
    expect(set).toMatchObject({ operation: 'mergetool', ours: { branch: 'main' }, theirs: { branch: 'side' } })
    const lines = [
      { take: 'ours' as const, by: 'mine' as const },
      { take: 'text' as const, text: 'both\n', by: 'mine' as const },
    ]
    const draft = { version: 1 as const, lines, edits: [], choice: null, dropped: [] }
    const given = { repoId, source, item: item.id, fingerprint: item.fingerprint }
    const open = await page.ask('conflicts.resolve', {
      ...given,
      draft: { ...draft, lines: [null, null] },
      overDisk: null,
    })
    expect(open).toMatchObject({ resolved: false, refusal: { refusal: 'unresolved' } })
    const { audit, lost, ...checked } = await page.ask('conflicts.check', { ...given, draft })
    expect(checked).toMatchObject({ open: 0, holds: true })
    // Lines that went by hand are given up by their names, or nothing is written.
    expect(await page.ask('conflicts.resolve', { ...given, draft, overDisk: null })).toMatchObject({
      resolved: false,
      refusal: { refusal: 'lines-lost', lines: lost },
    })
    const dropped = audit.flatMap(({ needs, side, text }) => (needs && side !== 'result' ? [{ side, text }] : []))
    const dropping = { ...draft, dropped }
    expect(await page.ask('conflicts.resolve', { ...given, draft: dropping, overDisk: null })).toMatchObject({
      resolved: true,
      left: 0,
    })
    expect(await tool.code).toBe(0)
    const file = join(repo.dir, 'bin/run.sh')
    expect(readFileSync(file, 'utf8')).toBe('#!/bin/sh\nours 1\nb\nc\nd\nboth\nend\n')
    expect(lstatSync(file).mode & 0o777).toBe(0o755)
    expect(repo.git('ls-files', '-u')).toBe('')
    expect(repo.git('ls-files', '-s', 'bin/run.sh')).toContain('100755')
    expect(readdirSync(join(repo.dir, 'bin'))).toEqual(['run.sh'])
  })

  test('ends with 1 where it was given up: nothing is written, and the path stays unmerged', async () => {
    const repo = copyRepo(conflicted)
    const before = readFileSync(join(repo.dir, 'bin/run.sh'))
    const tool = start('git', ['mergetool', '-y', '--tool=daybreak'], repo.dir)
    const page = await openPage(await tool.link)
    const { repoId } = await findItem(page, repo.dir)
    expect(await page.ask('conflicts.proceed', { repoId, source })).toMatchObject({ done: false })
    expect(await page.ask('conflicts.abort', { repoId, source })).toMatchObject({ done: true })
    expect(await tool.code).toBe(1)
    expect(readFileSync(join(repo.dir, 'bin/run.sh'))).toEqual(before)
    expect(repo.git('ls-files', '-u')).not.toBe('')
  })
})

describe('daybreak mergetool', () => {
  const files = () => {
    const repo = buildRepo(undefined, { commits: [{ message: 'base', files: { 'a.txt': 'x\n' } }] })
    const write = (name: string, text: string | Buffer) => {
      writeFileSync(join(repo.dir, name), text)
      return name
    }
    write('LOCAL', 'ours\n')
    write('REMOTE', 'theirs\n')
    write('-m.txt', 'markers\n')
    return { repo, write }
  }
  const run = (dir: string, ...words: string[]) =>
    start(process.execPath, ['--no-warnings', MAIN, 'mergetool', ...words], dir)

  test('takes /dev/null for no base, and names that look like options', async () => {
    const { repo } = files()
    const tool = run(repo.dir, '/dev/null', 'LOCAL', 'REMOTE', '-m.txt')
    const page = await openPage(await tool.link)
    const { repoId, item } = await findItem(page, repo.dir)
    expect(item).toMatchObject({ path: '-m.txt', kind: 'add-add' })
    expect(item.stages.map((one) => one.stage)).toEqual([2, 3])
    await page.ask('conflicts.abort', { repoId, source })
    expect(await tool.code).toBe(1)
  })

  test('decides what is no text by side, and writes no link', async () => {
    const { repo, write } = files()
    write('LOCAL', Buffer.from([0, 1, 2]))
    const tool = run(repo.dir, 'a.txt', 'LOCAL', 'REMOTE', 'a.txt')
    const page = await openPage(await tool.link)
    const { repoId, item } = await findItem(page, repo.dir)
    expect(item).toMatchObject({
      kind: 'binary',
      lines: false,
      choices: [{ id: 'ours' }, { id: 'theirs' }, { id: 'base' }],
    })
    const draft = { ...emptyDraft(null), choice: 'ours' }
    const given = { repoId, source, item: item.id, fingerprint: item.fingerprint, draft, overDisk: null }
    rmSync(join(repo.dir, 'a.txt'))
    const outside = join(tempDir('outside'), 'kept')
    writeFileSync(outside, 'kept')
    const { symlinkSync } = await import('node:fs')
    symlinkSync(outside, join(repo.dir, 'a.txt'))
    expect(
      await page.ask('conflicts.resolve', { ...given, fingerprint: (await findItem(page, repo.dir)).item.fingerprint }),
    ).toMatchObject({
      resolved: false,
      refusal: { refusal: 'edited-on-disk' },
    })
    expect(readFileSync(outside, 'utf8')).toBe('kept')
    rmSync(join(repo.dir, 'a.txt'))
    const { item: now } = await findItem(page, repo.dir)
    expect(await page.ask('conflicts.resolve', { ...given, fingerprint: now.fingerprint })).toMatchObject({
      resolved: true,
    })
    expect(await tool.code).toBe(0)
    expect(readFileSync(join(repo.dir, 'a.txt'))).toEqual(Buffer.from([0, 1, 2]))
  })

  test('keeps what was decided over a kill, and says what it wants', async () => {
    const { repo } = files()
    const first = run(repo.dir, 'no-base', 'LOCAL', 'REMOTE', '-m.txt')
    const page = await openPage(await first.link)
    const { repoId, item } = await findItem(page, repo.dir)
    const given = { repoId, source, item: item.id, fingerprint: item.fingerprint }
    const view: MergeView = {
      base: 'x\n',
      ours: 'ours\n',
      theirs: 'theirs\n',
      regions: [['conflict', 0, 1, 0, 1, 0, 1]],
      conflicts: [{ combined: null, recorded: null }],
      exact: true,
    }
    const draft = { ...emptyDraft(draftModel(view)), lines: [{ take: 'theirs' as const, by: 'mine' as const }] }
    await page.ask('conflicts.saveDraft', { ...given, draft })
    first.child.kill('SIGKILL')
    await first.code
    const second = run(repo.dir, 'no-base', 'LOCAL', 'REMOTE', '-m.txt')
    const again = await openPage(await second.link)
    const found = await findItem(again, repo.dir)
    expect([item.left, found.item.left]).toEqual([1, 0])
    const kept = await again.ask('conflicts.get', { repoId: found.repoId, source, item: found.item.id })
    expect(kept).toMatchObject({ draft, carried: [], draftSavedAt: expect.any(String), merge: { ours: 'ours\n' } })
    expect(
      await again.ask('conflicts.resolve', { ...given, repoId: found.repoId, draft, overDisk: null }),
    ).toMatchObject({ resolved: true })
    expect(await second.code).toBe(0)
    expect(readFileSync(join(repo.dir, '-m.txt'), 'utf8')).toBe('theirs\n')

    const wrong = run(repo.dir, 'a.txt', 'LOCAL')
    wrong.link.catch(() => {})
    expect(await wrong.code).toBe(2)
    expect(wrong.said()).toContain('Four files are wanted')
    const outside = run(repo.dir, 'a.txt', 'LOCAL', 'REMOTE', join(tempDir('no-repository'), 'm.txt'))
    outside.link.catch(() => {})
    expect(await outside.code).toBe(1)
    expect(outside.said()).toContain('is not inside a git repository')
  })
})
