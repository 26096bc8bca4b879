import { resolve } from 'node:path'
import { _electron, expect, test } from '@playwright/test'
import { electronBinary } from '../../electron/host/electronBinary.ts'
import { stores, withHome } from '../support/index.ts'

const root = resolve(import.meta.dirname, '../..')
const executablePath = electronBinary(root, process.env)

// Registered only where the Electron binary is; `npm test` names this file at its end where it is not.
if (executablePath !== null) {
  test('the desktop app opens a repository in a window of its own', async () => {
    const { dir } = stores.clean()
    const { env, home } = withHome()
    // Chromium has no sandbox as root; only this test starts it so.
    const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    const app = await _electron.launch({
      executablePath,
      args: [...flags, root, dir],
      env: { ...(env as Record<string, string>), DAYBREAK_HOME: home },
    })
    const page = await app.firstWindow()
    await expect(page.getByRole('navigation', { name: 'Inbox' })).toBeVisible()
    expect(page.url()).toMatch(/^app:\/\/daybreak\//)
    const isolated = await page.evaluate(() => [
      typeof Reflect.get(window, 'require'),
      typeof Reflect.get(window, 'process'),
    ])
    expect(isolated).toEqual(['undefined', 'undefined'])
    await app.close()
  })
}
