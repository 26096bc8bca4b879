import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { extractAll, listPackage } from '@electron/asar'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { beforeAll, expect, test } from 'vitest'
import { TOOLS } from '../../electron/mcp/tools.ts'
import { stores, tempDir, withHome } from '../support/index.ts'
import { fusesOf, pack, root } from './pack.ts'

const require = createRequire(import.meta.url)
let app: string
let resources: string
let inside: string[]

beforeAll(() => {
  app = pack(tempDir('packed'))
  resources = join(app, 'resources')
  inside = listPackage(join(resources, 'app.asar'), { isPack: false })
  extractAll(join(resources, 'app.asar'), join(resources, 'extracted'))
  // Where the archive is unpacked, Electron finds native files by itself; plain Node needs them beside the rest.
  cpSync(join(resources, 'app.asar.unpacked'), join(resources, 'extracted'), { recursive: true })
})

const packed = (path: string) => inside.includes(path)

test('the configuration is valid for every target', async () => {
  const { getConfig, validateConfiguration } = require('app-builder-lib/out/util/config/config')
  const { DebugLogger } = require('builder-util')
  const config = await getConfig(root, null, null)
  await expect(validateConfiguration(config, new DebugLogger(false))).resolves.toBeUndefined()
  await expect(validateConfiguration({ ...config, noSuchKey: 1 }, new DebugLogger(false))).rejects.toThrow('noSuchKey')
  expect([...config.linux.target, ...config.mac.target, ...config.win.target]).toEqual([
    'AppImage',
    'deb',
    'dmg',
    'nsis',
  ])
})

test('all that runs is inside', () => {
  for (const path of [
    '/package.json',
    '/dist/electron/main.js',
    '/dist/electron/cli.js',
    '/dist/electron/textWorker.js',
    '/dist/electron/lookupWorker.js',
    '/dist/preload/preload.cjs',
    '/dist/renderer/index.html',
    '/node_modules/better-sqlite3/lib/index.js',
    '/node_modules/better-sqlite3/LICENSE',
  ])
    expect([path, packed(path)]).toEqual([path, true])
  for (const name of readdirSync(join(root, 'dist', 'electron', 'chunks')).filter((file) => file.endsWith('.js')))
    expect([name, packed(`/dist/electron/chunks/${name}`)]).toEqual([name, true])
  for (const name of readdirSync(join(root, 'dist', 'renderer', 'assets')))
    expect([name, packed(`/dist/renderer/assets/${name}`)]).toEqual([name, true])
  const prebuilt = join(
    resources,
    'app.asar.unpacked/node_modules/better-sqlite3/prebuilds',
    `linux-${process.arch}.node`,
  )
  expect(existsSync(prebuilt)).toBe(true)
  const { main } = JSON.parse(readFileSync(join(resources, 'extracted', 'package.json'), 'utf8'))
  expect(packed(`/${main}`)).toBe(true)
})

test('large merges find their worker', async () => {
  const worker = new Worker(join(resources, 'extracted', 'dist', 'electron', 'textWorker.js'))
  const bytes = (text: string) => new TextEncoder().encode(text)
  const sides = { base: bytes('a\n'), ours: bytes('b\n'), theirs: bytes('c\n') }
  worker.postMessage({ id: 1, job: { do: 'view', kept: null, input: { key: 'a', recorded: null, sides } } })
  const [message] = await once(worker, 'message')
  expect(message).toMatchObject({ id: 1, answer: { view: { regions: [['conflict', 0, 1, 0, 1, 0, 1]] } } })
  await worker.terminate()
})

test('nothing that only builds is inside', () => {
  const packages = new Set(inside.flatMap((path) => /^\/node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1] ?? []))
  expect([...packages]).toEqual(['better-sqlite3'])
  const prebuilt = inside.flatMap((path) => /prebuilds\/(.+)\.node$/.exec(path)?.[1] ?? [])
  expect(prebuilt.sort()).toEqual([`linux-${process.arch}`, `linuxmusl-${process.arch}`])
  const odd = inside.filter((path) => /\.(?:map|tsx?)$|\/(?:deps|src|e2e|bench|scripts)\/|\.gyp/.test(path))
  expect(odd).toEqual([])
})

test('the fuses are set', () => {
  expect(fusesOf(join(app, 'daybreak-desktop'))).toEqual({
    runAsNode: true,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  })
})

test('a review runs from the packed core, by the command line that ships with it, through a link', async () => {
  const folder = tempDir('links')
  mkdirSync(join(folder, 'bin'))
  symlinkSync(join(resources, 'bin', 'daybreak'), join(folder, 'first'))
  symlinkSync('../first', join(folder, 'bin', 'daybreak'))
  const repo = stores.clean()
  const home = withHome()
  const output = await new Promise<string>((resolve, reject) => {
    const options = { cwd: repo.dir, env: home.env, maxBuffer: 1 << 28 }
    execFile(join(folder, 'bin', 'daybreak'), ['sleep', 'review', '--json'], options, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}${stderr}${stdout}`)) : resolve(stdout),
    )
  })
  const envelope = JSON.parse(output)
  expect(envelope).toMatchObject({ apiVersion: '1', type: 'sleep.review' })
  expect(envelope.data.files.length).toBeGreaterThan(3)
})

test('the agents’ door opens from the packed core, and what it tells agents holds there', async () => {
  const repo = stores.clean()
  const { env } = withHome()
  const client = new Client({ name: 'an agent', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: join(resources, 'bin', 'daybreak'),
      args: ['mcp', '--repo', repo.dir],
      env: Object.fromEntries(
        Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
      ),
      stderr: 'inherit',
    }),
  )
  try {
    const { version } = JSON.parse(readFileSync(join(resources, 'extracted', 'package.json'), 'utf8'))
    expect(client.getServerVersion()).toMatchObject({ version })
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(TOOLS.map((tool) => tool.name))
    const list = await client.callTool({ name: 'mark_list', arguments: {} })
    expect(list.isError).toBeUndefined()
    const found = await client.callTool({ name: 'mark_lookup', arguments: { query: 'the' } })
    expect(found.isError).toBeUndefined()
  } finally {
    await client.close()
  }
})
