import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../support/index.ts'
import { freshClone } from './clone.ts'

const INSTALL = 'npm ci --ignore-scripts --no-audit --no-fund --loglevel=error'
const BUILD = ['build electron', 'build page', 'build preload']
const START = ['electron/launch.mjs', '.', 'a b']

test('npm start as the first command installs, builds and starts; again it only starts', async () => {
  const clone = freshClone()
  const folder = tempDir('here')
  const env = { npm_lifecycle_event: 'start', INIT_CWD: folder }
  const first = await clone.node(START, env)
  expect(first).toMatchObject({ code: 0, out: `${JSON.stringify([realpathSync(folder), '.', 'a b'])}\n` })
  expect(first.err).toBe('Installing what is missing…\nBuilding…\n')
  const [install, ...built] = clone.ran()
  expect([install, built.sort()]).toEqual([INSTALL, BUILD])

  expect(await clone.node(START, env)).toMatchObject({ code: 0, out: first.out, err: '' })
  expect(clone.ran()).toEqual([])
})

test('a changed source is built again, a changed test is not, a changed lock file is installed', async () => {
  const clone = freshClone()
  await clone.node(START)
  clone.ran()
  const changed = async (change: () => void) => {
    change()
    expect(await clone.node(START)).toMatchObject({ code: 0 })
    return clone.ran().sort()
  }
  expect(await changed(() => clone.write('shared/a.ts', 'export const a = 22\n'))).toEqual(BUILD)
  expect(await changed(() => clone.write('renderer/new.tsx', ''))).toEqual(BUILD)
  expect(await changed(() => rmSync(join(clone.dir, 'shared/a.ts')))).toEqual(BUILD)
  expect(await changed(() => clone.write('shared/a.test.ts', ''))).toEqual([])
  expect(await changed(() => rmSync(join(clone.dir, 'node_modules/.package-lock.json')))).toEqual([INSTALL])
  const before = { packages: { '': {}, 'node_modules/vite': { version: '8.0.0' } } }
  clone.write(
    'node_modules/.package-lock.json',
    JSON.stringify({ packages: { 'node_modules/vite': { version: '7.0.0' } } }),
  )
  expect(await changed(() => clone.write('package-lock.json', JSON.stringify(before)))).toEqual([...BUILD, INSTALL])
})

if (process.platform === 'linux')
  test('a Node that is too old hands over to the one that npm installed', async () => {
    const clone = freshClone()
    expect(await clone.node(START, clone.old)).toMatchObject({
      code: 0,
      err: 'Installing what is missing…\nBuilding…\n',
    })
    expect(clone.ran()).toHaveLength(4)
    expect(await clone.node(START, clone.old)).toMatchObject({ code: 0, err: '' })
  })

test('a Node that is too old without another is one line, as is an install that fails or cannot begin', async () => {
  const clone = freshClone({ ownNode: false })
  const said = `daybreak: Node 24 or newer is needed; this is ${process.version}.\n`
  for (const script of ['electron/launch.mjs', 'scripts/test.mjs']) {
    const { code, out, err } = await clone.node([script], clone.old)
    expect([code, out]).toEqual([1, ''])
    expect(err.replace('Installing what is missing…\n', '').replace('Building…\n', '')).toBe(said)
  }

  const offline = freshClone()
  offline.write('no-network', '')
  const { code, err } = await offline.node(START)
  expect(code).toBe(1)
  expect(err).toMatch(/^Installing what is missing…\ndaybreak: .*npm-cli\.js ci .* ended with 1\n$/)
  const none = await offline.node(START, { npm_execpath: '', PATH: tempDir('empty') })
  expect(none).toMatchObject({ code: 1 })
  expect(none.err).toMatch(/^Installing what is missing…\ndaybreak: npm could not be started: .*\n$/)
  expect(offline.ran()).toEqual([INSTALL])
})

test('without npm run, the npm on PATH installs', async () => {
  const clone = freshClone()
  const ran = await clone.node(START, { npm_execpath: '', PATH: `${clone.npm}:/usr/bin:/bin` })
  expect(ran).toMatchObject({ code: 0 })
  expect(clone.ran()[0]).toBe(INSTALL)
})

if (process.platform === 'linux')
  test('npm test as the first command installs, builds, gets a browser and adds up all suites in one last line', async () => {
    const clone = freshClone()
    const tools = tempDir('tools')
    symlinkSync('/bin/cat', join(tools, 'cat'))
    const env = { ...clone.old, PATH: tools }
    const { code, out } = await clone.node(['scripts/test.mjs'], env)
    const [install, ...ran] = clone.ran()
    expect(install).toBe(INSTALL)
    expect(ran.filter((line) => line.startsWith('build ')).sort()).toEqual(BUILD)
    expect(ran).toContain('playwright install chromium')
    const suites = ran.filter((line) => line.startsWith('suite '))
    for (const suite of [
      'biome',
      'tsc',
      'imports.ts',
      'knip',
      'e2e/shell',
      '.sweep.test.ts',
      'e2e/kill',
      'e2e/crowd',
      'playwright/test',
      'e2e/packaging',
    ])
      expect([suite, suites.some((line) => line.includes(suite))]).toEqual([suite, true])
    // Eight checks, four times three tests, two each of the kill suite and the crowd, five end to end.
    expect(out.trimEnd().split('\n').slice(-2)).toEqual([
      'Not run: e2e/shell/launch.spec.ts: the Electron binary is not on this machine',
      '29 passed, 0 failed',
    ])
    expect(out.match(/\d+ passed, \d+ failed/g)).toHaveLength(1)
    expect(code).toBe(0)

    clone.write('failing', 'tsconfig.core')
    const again = await clone.node(['scripts/test.mjs'], env)
    expect(again.code).toBe(1)
    expect(again.out.trimEnd().split('\n').slice(-2)).toEqual(['Failing: types: core', '28 passed, 1 failed'])
    expect(clone.ran().filter((line) => !line.startsWith('suite '))).toEqual(['try own browser'])
  })

/** Asks for a browser in a clone with what is installed there. */
async function browser(clone: ReturnType<typeof freshClone>, env: NodeJS.ProcessEnv, debian: boolean) {
  const script = `import { ensureBrowser } from './scripts/browser.mjs'
import { giveUp } from './scripts/setup.mjs'
await ensureBrowser(${debian}).catch(giveUp)`
  const ended = await clone.node(['--input-type=module', '-e', script], env)
  return { ...ended, ran: clone.ran() }
}

if (process.platform === 'linux')
  test('the browser is an installed one, else Playwright’s own, else the system’s where root on Debian', async () => {
    const clone = freshClone()
    const tools = tempDir('tools')
    const tool = (name: string, text: string) =>
      writeFileSync(join(tools, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    const env = { PATH: tools }
    await clone.node(START)
    clone.ran()
    tool('apt-get', 'echo "apt-get $*, $DEBIAN_FRONTEND" >> ran.log; exit 0')

    for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
      tool(name, '')
      expect(await browser(clone, env, true)).toMatchObject({ code: 0, ran: [] })
      rmSync(join(tools, name))
    }
    mkdirSync(join(tools, 'chromium'))
    const FETCH = ['try own browser', 'playwright install chromium', 'try own browser']
    expect(await browser(clone, env, true)).toMatchObject({ code: 0, ran: FETCH })
    expect(await browser(clone, env, true)).toMatchObject({ code: 0, ran: ['try own browser'] })

    rmSync(join(clone.dir, 'browser-is-there'))
    clone.write('no-download', '')
    const APT = [
      'apt-get update -q, noninteractive',
      'apt-get install -y -q --no-install-recommends chromium, noninteractive',
    ]
    expect(await browser(clone, env, true)).toMatchObject({ code: 0, ran: [...FETCH.slice(0, 2), ...APT] })
    const none = await browser(clone, env, false)
    expect(none).toMatchObject({ code: 1, ran: FETCH.slice(0, 2) })
    expect(none.err.trimEnd().split('\n').at(-1)).toMatch(
      /^daybreak: no browser for the .* name one in CHROMIUM_PATH\.$/,
    )
    expect(await browser(clone, { ...env, CHROMIUM_PATH: '/any' }, true)).toMatchObject({ code: 0, ran: [] })

    tool('apt-get', 'exit 100')
    const failed = await browser(clone, env, true)
    expect(failed.code).toBe(1)
    expect(failed.err.trimEnd().split('\n').at(-1)).toBe('daybreak: apt-get update -q ended with 100')
  })
