import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildRepo, tempDir } from '../../../e2e/support/index.ts'
import { driverOverrides } from './drivers.ts'
import { gitEnvironment } from './environment.ts'
import { locateGit } from './locate.ts'
import { createObjectReader } from './objects.ts'
import { openPorcelain } from './porcelain.ts'
import { createGit } from './process.ts'

const base = () => buildRepo(undefined, { commits: [{ message: 'Base', files: { a: 'one\n', b: 'two\n' } }] })
const program = (folder: string, text: string) => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
}

describe('the git that runs', () => {
  it('is never one that lies in the opened repository, whatever PATH says', async () => {
    const repo = base()
    program(repo.dir, 'echo captured')
    program(join(repo.dir, 'bin'), 'echo captured')
    const env = { ...process.env, PATH: ['', '.', 'bin', process.env.PATH].join(delimiter) }
    expect(await createGit({ cwd: repo.dir, env }).text(['version'])).toMatch(/^git version /)
    expect(gitEnvironment(env).PATH).toBe(process.env.PATH)
  })

  it('is found where it was installed meanwhile', () => {
    const folder = join(tempDir('later'), 'bin')
    expect(locateGit(folder)).toBeNull()
    program(folder, 'echo')
    expect(locateGit(folder)).toBe(join(folder, 'git'))
  })

  it('tells a folder that is gone from a git that is missing', async () => {
    const gone = tempDir('gone')
    rmSync(gone, { recursive: true })
    await expect(createGit({ cwd: gone, env: process.env }).text(['version'])).rejects.toMatchObject({
      code: 'ERR_PATH_NOT_FOUND',
    })
    const env = { PATH: tempDir('empty') }
    await expect(createGit({ cwd: '/', env }).text(['version'])).rejects.toMatchObject({ code: 'ERR_GIT_MISSING' })
  })

  it('can be ended', async () => {
    const controller = new AbortController()
    const waits = createGit({ cwd: base().dir, env: process.env }).run(['hash-object', '--stdin-paths'], {
      signal: controller.signal,
      // Waits for its input to end, which takes a while.
      input: Buffer.alloc(64 * 1024 * 1024, 'a'),
    })
    controller.abort()
    await expect(waits).rejects.toMatchObject({ code: 'ERR_CANCELLED' })
  })
})

describe('driverOverrides', () => {
  const local = (key: string, value: string) => ({ scope: 'local', key, value }) as const
  const read = (env: Record<string, string>) =>
    Array.from({ length: Number(env.GIT_CONFIG_COUNT) }, (_, n) => [
      env[`GIT_CONFIG_KEY_${n}`],
      env[`GIT_CONFIG_VALUE_${n}`],
    ])

  it('puts local drivers out of force and leaves the person’s own and a literal `true`', () => {
    const entries = [
      local('filter.a=b.c.clean', 'evil'),
      local('merge.ours.driver', 'true'),
      local('merge.bad.driver', 'evil'),
      { scope: 'global', key: 'filter.lfs.clean', value: 'git-lfs clean -- %f' } as const,
    ]
    const keys = read(driverOverrides(entries))
    expect(keys).toEqual(
      expect.arrayContaining([
        ['filter.a=b.c.clean', ''],
        ['filter.a=b.c.smudge', ''],
        ['filter.a=b.c.process', ''],
        ['filter.a=b.c.required', 'false'],
        ['merge.bad.driver', 'false'],
      ]),
    )
    expect(keys.flat().filter((text) => text?.includes('lfs') || text?.includes('ours'))).toEqual([])
  })

  it('holds for simple-git too, which gets the same environment', async () => {
    const repo = base()
    repo.git('config', 'filter.x=y.clean', 'evil')
    const overrides = driverOverrides([local('filter.x=y.clean', 'evil')])
    const git = createGit({ cwd: repo.dir, env: { ...process.env, EDITOR: 'vi', PAGER: 'less' }, extraEnv: overrides })
    const porcelain = await openPorcelain(git)
    expect(await porcelain.raw(['config', 'filter.x=y.clean'])).toBe('\n')
    expect(await porcelain.raw(['config', 'core.fsmonitor'])).toBe('false\n')
    await expect(porcelain.raw(['rev-list', 'no-such-thing', '--'])).rejects.toMatchObject({ code: 'ERR_GIT' })
  })
})

describe('the object reader', () => {
  it('reads many at once, in order, missing ones as null', async () => {
    const repo = base()
    const reader = createObjectReader(createGit({ cwd: repo.dir, env: process.env }))
    const got = await reader.readMany(['main:a', 'main:none', 'main:b', '0'.repeat(40), 'main'])
    expect(got.map((one) => one?.bytes.toString() ?? null).slice(0, 4)).toEqual(['one\n', null, 'two\n', null])
    expect(got[4]?.type).toBe('commit')
    reader.close()
  })

  it('asks again for what waited behind an object over which git ended', async () => {
    const repo = base()
    const real = createGit({ cwd: repo.dir, env: process.env })
    let starts = 0
    // Ends at the word `boom`, as git does over a promised object that it may not fetch.
    const git = {
      ...real,
      start: (args: readonly string[]) => {
        starts += 1
        if (starts > 2) return real.start(args)
        const script = 'while read line; do case $line in boom) exit 128;; *) echo "$line missing";; esac; done'
        const env = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'alias.trap', GIT_CONFIG_VALUE_0: `!${script}` }
        return real.start(['trap'], { env })
      },
    }
    const reader = createObjectReader(git)
    const asked = await Promise.allSettled(['x', 'boom', 'boom', 'main:a'].map((name) => reader.read(name)))
    expect(asked.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(starts).toBe(3)
    reader.close()
  })

  it('lets nobody wait for ever once it is closed', async () => {
    const reader = createObjectReader(createGit({ cwd: base().dir, env: process.env }))
    const waiting = reader.read('main:a')
    reader.close()
    await expect(waiting).rejects.toMatchObject({ code: 'ERR_CANCELLED' })
  })
})
