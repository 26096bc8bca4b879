import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { downloadElectron, electronBinary } from './electronBinary.ts'
import { appHome } from './home.ts'
import { createLog } from './log.ts'
import { addressFor, openerOf } from './opener.ts'
import { pickHost } from './pickHost.ts'
import { appRoot } from './root.ts'
import { VERSION } from './version.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daybreak-host-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the version is that of package.json', () => {
  const manifest = resolve(import.meta.dirname, '../../package.json')
  expect(JSON.parse(readFileSync(manifest, 'utf8')).version).toBe(VERSION)
  expect(join(appRoot(), 'package.json')).toBe(manifest)
})

test('the data folder is where the system keeps such data, or where DAYBREAK_HOME says', () => {
  expect(appHome({ DAYBREAK_HOME: '/elsewhere' }, 'linux')).toBe('/elsewhere')
  expect(appHome({ XDG_DATA_HOME: '/data' }, 'linux')).toBe('/data/daybreak')
  expect(appHome({}, 'linux')).toMatch(/\/\.local\/share\/daybreak$/)
  expect(appHome({}, 'darwin')).toMatch(/\/Library\/Application Support\/Daybreak$/)
  expect(appHome({ APPDATA: '/roaming' }, 'win32')).toBe('/roaming/Daybreak')
})

describe('the host', () => {
  const display = { DISPLAY: ':0' }
  const pick = (facts: Partial<Parameters<typeof pickHost>[0]>) =>
    pickHost({ asked: undefined, platform: 'linux', env: display, root: false, ...facts })

  test('is Electron where windows can be shown', () => {
    expect(pick({})).toEqual({ host: 'electron', asked: false })
    expect(pick({ env: { WAYLAND_DISPLAY: 'wayland-0' } })).toEqual({ host: 'electron', asked: false })
    expect(pick({ platform: 'darwin', env: {} })).toEqual({ host: 'electron', asked: false })
    expect(pick({ platform: 'win32', env: {}, root: true })).toEqual({ host: 'electron', asked: false })
  })
  test('is the browser without a display, or as root, and says why', () => {
    expect(pick({ env: {} })).toMatchObject({ host: 'serve', why: expect.stringContaining('no display') })
    expect(pick({ root: true })).toMatchObject({ host: 'serve', why: expect.stringContaining('root') })
  })
  test('is the one that is asked for, whatever there is', () => {
    expect(pick({ asked: 'serve' })).toEqual({ host: 'serve', why: null })
    expect(pick({ asked: 'electron', env: {}, root: true })).toEqual({ host: 'electron', asked: true })
    expect(pick({ asked: 'other' })).toBeNull()
  })
})

describe('the Electron binary', () => {
  const put = (file: string, text = '') => {
    mkdirSync(resolve(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), text)
    return join(folder, file)
  }
  test('is found by the files of its package, never by loading that', () => {
    expect(electronBinary(folder, {})).toBeNull()
    put('node_modules/electron/path.txt', 'electron')
    expect(electronBinary(folder, {})).toBeNull()
    const binary = put('node_modules/electron/dist/electron')
    expect(electronBinary(folder, {})).toBe(binary)
    const other = put('elsewhere/electron')
    expect(electronBinary(folder, { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'elsewhere') })).toBe(other)
    expect(electronBinary(folder, { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'nowhere') })).toBeNull()
  })
  test('is fetched by its own installer, and null where that fails', async () => {
    expect(await downloadElectron(folder, process.env)).toBeNull()
    const installer = (text: string) => put('node_modules/electron/install.js', text)
    installer('process.exit(1)')
    expect(await downloadElectron(folder, process.env)).toBeNull()
    installer(`const fs = require('fs'), p = require('path')
      fs.mkdirSync(p.join(__dirname, 'dist')); fs.writeFileSync(p.join(__dirname, 'dist/electron'), '')
      fs.writeFileSync(p.join(__dirname, 'path.txt'), 'electron')`)
    expect(await downloadElectron(folder, process.env)).toBe(join(folder, 'node_modules/electron/dist/electron'))
  })
})

describe('the log', () => {
  test('has the stack and cause of a bug under the reference that people are told', () => {
    const log = createLog(folder)
    const reference = log.report(new Error('outer', { cause: new Error('inner') }), 'inbox.get')
    const text = readFileSync(join(folder, 'logs/daybreak.log'), 'utf8')
    expect(text).toContain(`${reference} inbox.get: Error: outer`)
    expect(text).toContain('inner')
  })
  test('starts anew before it grows without end', () => {
    const log = createLog(folder)
    const file = join(folder, 'logs/daybreak.log')
    mkdirSync(join(folder, 'logs'))
    writeFileSync(file, 'x'.repeat(1_000_001))
    log.line('after')
    expect(statSync(file).size).toBeLessThan(200)
    expect(statSync(`${file}.old`).size).toBe(1_000_001)
  })
  test('that cannot be written costs nobody their work', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => createLog(join(folder, 'file')).line('x')).not.toThrow()
    expect(existsSync(join(folder, 'file', 'logs'))).toBe(false)
  })
})

test('an address opens with what the system has for it', () => {
  expect(openerOf('http://x/', 'linux')).toEqual({ command: 'xdg-open', args: ['http://x/'] })
  expect(openerOf('http://x/', 'darwin')).toEqual({ command: 'open', args: ['http://x/'] })
  expect(openerOf('http://x/?a&b', 'win32').args).toContain('http://x/?a&b')
})

test('the address that others can see lets no mere bearer in', () => {
  const link = { url: 'http://x/?token=open&"<', ownUrl: 'http://x/?token=own' }
  expect(addressFor(link, 'linux')?.address).toBe(link.ownUrl)
  expect(addressFor(link, 'win32')?.address).toBe(link.url)
  const page = addressFor(link, 'darwin')
  const file = fileURLToPath(page?.address ?? '')
  expect(readFileSync(file, 'utf8')).toContain('content="0;url=http://x/?token=open&amp;&quot;&lt;"')
  expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700])
  page?.remove()
  expect(existsSync(dirname(file))).toBe(false)
})
