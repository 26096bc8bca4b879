import { execFileSync } from 'node:child_process'
import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectUntouched, openCore, remember } from '../../../e2e/support/core.ts'
import {
  buildBranch,
  copyRepo,
  layouts,
  PATHS,
  RUN,
  storeDbFile,
  stores,
  type TestRepo,
  tempDir,
} from '../../../e2e/support/index.ts'

let clean: TestRepo
beforeAll(() => {
  clean = stores.clean()
})

const approveParams = { branch: RUN, except: [], bringMainIn: false }

async function approved(repo: TestRepo, env?: NodeJS.ProcessEnv): Promise<void> {
  const [main, tip, before] = [repo.oid('main'), repo.oid(RUN), remember(repo)]
  const { ask, close } = await openCore(repo, env ? { env } : {})
  expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true, to: tip })
  expectUntouched(repo, before, { moved: [main, tip], status: [] })
  await close()
}

describe('approve with odd content', () => {
  const odd = [
    'a\nb.md',
    '-dash.md',
    '"quoted".md',
    'emoji \u{1f600}.md',
    'a -> b.md',
    'caf\udce9.md',
    ' blank .md',
    'tab\there.md',
  ]
  const all = (text: string) => Object.fromEntries(odd.map((path) => [path, text]))

  it('paths of every sort are written, changed and removed', async () => {
    const created = buildBranch(undefined, { 'x.md': 'x\n' }, all('new\n'))
    await approved(created)
    for (const path of odd) expect(created.read(path).toString()).toBe('new\n')
    await approved(buildBranch(undefined, all('old\n'), all('new\n')))
    await approved(
      buildBranch(undefined, { ...all('old\n'), 'x.md': 'x\n' }, Object.fromEntries(odd.map((path) => [path, null]))),
    )
  })

  it('with autocrlf a file whose blob has CRLF is not taken for changed when only its time stamp is', async () => {
    const repo = buildBranch(undefined, { 'a.md': 'one\r\n' }, { 'a.md': 'two\r\n' })
    repo.git('config', 'core.autocrlf', 'true')
    utimesSync(join(repo.dir, 'a.md'), 1000, 1000)
    await approved(repo)
  })

  it('a file deleted behind assume-unchanged is a local change; one left out by skip-worktree is none', async () => {
    for (const [flag, answer] of [
      ['--assume-unchanged', { refusal: { refusal: 'dirty-tree', worktrees: [{ paths: ['a.md'] }] } }],
      ['--skip-worktree', { approved: true }],
    ] as const) {
      const repo = buildBranch(undefined, { 'a.md': 'one\n', 'b.md': 'b\n' }, { 'a.md': 'two\n' })
      repo.git('update-index', flag, 'a.md')
      repo.write('a.md', null)
      const { ask, close } = await openCore(repo)
      expect(await ask('sleep.approve', approveParams)).toMatchObject(answer)
      expect(repo.status()).toBe('')
      await close()
    }
  })

  it('odd paths with local changes are named', async () => {
    const repo = buildBranch(undefined, all('old\n'), all('new\n'))
    for (const path of odd) repo.write(path, 'mine\n')
    const before = remember(repo)
    const { ask, close } = await openCore(repo)
    const refusal = { refusal: 'dirty-tree', worktrees: [{ worktree: repo.dir, paths: [...odd].sort() }] }
    expect(await ask('sleep.approve', approveParams)).toEqual({ approved: false, refusal })
    expectUntouched(repo, before)
    await close()
  })

  it('symbolic links, modes, a file that becomes a folder and back, binary content', async () => {
    const repo = buildBranch(
      undefined,
      { link: { symlink: 'old' }, run: 'x\n', 'dir/x': 'x\n', file: 'f\n', bin: Uint8Array.of(0, 1, 255) },
      {
        link: { symlink: 'new' },
        run: { content: 'x\n', mode: '100755' },
        'dir/x': null,
        dir: 'a file now\n',
        file: null,
        'file/inside': 'a folder now\n',
        bin: Uint8Array.of(255, 0, 13, 10),
      },
    )
    await approved(repo)
  })

  it('a submodule entry moves without anything being fetched or run', async () => {
    const [one, two] = ['1'.repeat(40), '2'.repeat(40)]
    const repo = buildBranch(
      undefined,
      { lib: { submodule: one }, 'a.md': 'a\n' },
      { lib: { submodule: two }, 'a.md': 'b\n' },
    )
    repo.git('config', 'submodule.recurse', 'true')
    const [tip, before] = [repo.oid(RUN), remember(repo)]
    const { ask, close } = await openCore(repo)
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true, to: tip })
    expectUntouched(repo, before, { moved: ['main@{1}', 'main'] })
    await close()
  })

  it('a sparse checkout stays sparse', async () => {
    const repo = buildBranch(
      undefined,
      { 'in/a.md': 'a\n', 'out/b.md': 'b\n' },
      { 'in/a.md': 'aa\n', 'out/b.md': 'bb\n', 'out/c.md': 'c\n' },
    )
    repo.git('sparse-checkout', 'set', '--no-cone', '/in/')
    expect(existsSync(join(repo.dir, 'out/b.md'))).toBe(false)
    await approved(repo)
    expect(existsSync(join(repo.dir, 'out/b.md'))).toBe(false)
    expect(existsSync(join(repo.dir, 'out/c.md'))).toBe(false)
    expect(repo.read('in/a.md').toString()).toBe('aa\n')
  })

  it("filters of the person's own configuration run where files are written out", async () => {
    const config = join(tempDir('person'), 'gitconfig')
    writeFileSync(config, '[filter "case"]\n\tclean = tr A-Z a-z\n\tsmudge = tr a-z A-Z\n')
    const repo = buildBranch(
      undefined,
      { '.gitattributes': 'a.md filter=case\n', 'x.txt': 'x\n' },
      { 'a.md': 'words\n' },
    )
    const { ask, close } = await openCore(repo, { env: { GIT_CONFIG_GLOBAL: config } })
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true })
    expect(repo.read('a.md').toString()).toBe('WORDS\n')
    expect(repo.gitBytes(['status', '--porcelain=v2'], { env: { GIT_CONFIG_GLOBAL: config } }).toString()).toBe('')
    repo.fsck()
    await close()
  })

  it('a file whose time stamp alone differs is no local change', async () => {
    const repo = copyRepo(clean)
    for (const path of [PATHS.claim, PATHS.body]) repo.write(path, repo.read(path))
    await approved(repo)
  })

  it('names that differ in case alone cannot both be there where case does not count', async () => {
    const repo = buildBranch(undefined, { 'a.md': 'a\n' }, { 'A.md': 'another\n' })
    repo.git('config', 'core.ignoreCase', 'true')
    const before = remember(repo)
    const { ask, close } = await openCore(repo)
    const refusal = { refusal: 'path-clash', clashes: [{ file: 'a.md', inside: 'A.md' }] }
    expect(await ask('sleep.approve', approveParams)).toEqual({ approved: false, refusal })
    expectUntouched(repo, before)
    await close()
    const renamed = buildBranch(undefined, { 'a.md': 'a\n' }, { 'a.md': null, 'A.md': 'another\n' })
    renamed.git('config', 'core.ignoreCase', 'true')
    await approved(renamed)
  })
})

describe('damaged repositories and stores', () => {
  it('a branch that lacks an object is an error that names it; nothing moves', async () => {
    const repo = layouts.lostObjects()
    const [refs, files] = [repo.refs(), remember(repo).files]
    const { ask, close } = await openCore(repo)
    const asked = ask('sleep.approve', approveParams)
    await expect(asked).rejects.toMatchObject({
      code: 'ERR_REPOSITORY_DAMAGED',
      data: { missing: expect.stringContaining(PATHS.claim) },
    })
    expect(repo.refs()).toEqual(refs)
    expect(remember(repo).files).toEqual(files)
    // What cannot be approved can still be aborted.
    expect(await ask('sleep.abort', { branch: RUN })).toMatchObject({ aborted: true })
    await close()
  })

  it('a branch whose commit is gone is a refusal', async () => {
    const repo = copyRepo(clean)
    repo.write('.git/refs/heads/sleep/2026-12-01', `${'1'.repeat(40)}\n`)
    const { ask, close } = await openCore(repo)
    const refusal = { refusal: 'branch-gone', branch: 'sleep/2026-12-01' }
    const outcome = await ask('sleep.approve', { ...approveParams, branch: 'sleep/2026-12-01' })
    expect(outcome).toEqual({ approved: false, refusal })
    await close()
  })

  it('a store whose databases are no databases: main moves, the marks wait and say why', async () => {
    const repo = copyRepo(clean)
    for (const plane of ['index', 'state'] as const)
      writeFileSync(storeDbFile(repo.dir, plane), 'this is no database\n'.repeat(400))
    const [main, tip, before] = [repo.oid('main'), repo.oid(RUN), remember(repo)]
    const { ask, close } = await openCore(repo)
    const outcome = await ask('sleep.approve', approveParams)
    expect(outcome).toMatchObject({
      approved: true,
      marks: { pending: 4, applied: 0, failure: expect.stringContaining('not a database') },
    })
    expectUntouched(repo, before, { moved: [main, tip], status: [] })
    expect((await ask('inbox.get', {})).marksWaiting).toHaveLength(1)
    await close()
  })
})

describe('where writing fails', () => {
  it('a read-only repository: a clear error, nothing lost, still readable', async () => {
    const repo = copyRepo(clean)
    const before = remember(repo)
    const script = join(import.meta.dirname, '../../../e2e/support/readOnly.main.ts')
    const out = execFileSync(
      'unshare',
      [
        '-m',
        'sh',
        '-c',
        'mount --bind -o ro "$1" "$1" && mount -o remount,bind,ro "$1" && exec "$2" --no-warnings "$3" "$1"',
        'sh',
        repo.dir,
        process.execPath,
        script,
      ],
      { encoding: 'utf8' },
    )
    expect(JSON.parse(out)).toEqual({ code: 'ERR_READ_ONLY', branches: [RUN] })
    expectUntouched(repo, before)
  })

  it('a full disk: a clear error, and everything is as it was', async () => {
    const repo = buildBranch(undefined, { 'a.md': 'a\n' }, { 'big.bin': 'x'.repeat(6_000_000), 'a.md': 'b\n' })
    const script = join(import.meta.dirname, '../../../e2e/support/fullDisk.main.ts')
    const mount = tempDir('small')
    const out = execFileSync(
      'unshare',
      [
        '-m',
        'sh',
        '-c',
        'mount -t tmpfs -o size=3m small "$1" && exec "$2" --no-warnings "$3" "$1" "$4"',
        'sh',
        mount,
        process.execPath,
        script,
        repo.dir,
      ],
      { encoding: 'utf8' },
    )
    expect(JSON.parse(out)).toEqual({ code: 'ERR_DISK_FULL', main: 'as before', status: '', locks: 0 })
  })
})
