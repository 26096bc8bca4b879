import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../support/index.ts'

const root = resolve(import.meta.dirname, '../..')

/** What Playwright would run of the smoke spec where Electron is in `dist`. */
function listed(dist: string): Promise<string> {
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  const env = { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: dist }
  return new Promise((settle) => {
    execFile(
      process.execPath,
      [cli, 'test', '--list', '--reporter=list', 'e2e/shell/launch.spec.ts'],
      { cwd: root, env },
      (_, out) => settle(out),
    )
  })
}

test('the smoke spec is there exactly where a binary is', async () => {
  const dist = tempDir('electron')
  expect(await listed(dist)).toContain('Total: 0 tests')
  writeFileSync(join(dist, 'electron'), '')
  const out = await listed(dist)
  expect(out).toContain('the desktop app opens a repository in a window of its own')
  expect(out).toContain('Total: 1 test')
})
