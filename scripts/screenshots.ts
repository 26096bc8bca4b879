import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { CHROMIUM_ARGS, chromiumPath, VIEWPORT } from '../e2e/browser.ts'
import { AppPage } from '../e2e/pages/app.ts'
import { runCli, startServer } from '../e2e/server.ts'
import { tempDir, withHome } from '../e2e/support/index.ts'

/** Makes the README's pictures from the sample repository: each screen, light and dark. */

const IMAGES = resolve(import.meta.dirname, '../docs/images')

async function picture(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.fonts.ready.then(() => {}))
  const path = resolve(IMAGES, `${name}.png`)
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
  console.log(path)
}

/** Viewed in the pictures, so that a review under way is seen. */
const VIEWED = ['resources/courier/offline-scans.html', 'resources/infra/connection-pool.html']
const SHOWN = 'resources/oncall/heartbeats.html'

async function screens(page: Page, scheme: string): Promise<void> {
  const app = new AppPage(page)
  const item = app.group('Sleep branches').getByRole('link').first()
  const branch = /^\S+?(?=,)/.exec((await item.getAttribute('aria-label')) ?? '')?.[0] ?? ''
  const sleep = await app.review(branch)
  for (const path of VIEWED) {
    await sleep.row(path).click()
    await sleep.viewed(path).check()
  }
  await sleep.row(SHOWN).click()
  await sleep.viewed(SHOWN).waitFor()
  await picture(page, `review-${scheme}`)
  await app.inbox.getByRole('link', { name: 'Inbox', exact: true }).click()
  await page.getByRole('heading', { name: /waits? for you/ }).waitFor()
  await picture(page, `inbox-${scheme}`)
}

const home = withHome()
mkdirSync(IMAGES, { recursive: true })
const made = await runCli(home, tempDir('screenshots'), ['demo', '--json', '--no-open'])
if (!made.envelope) throw new Error(made.stderr)
const { path } = made.envelope.data as { path: string }
const executablePath = chromiumPath()
const browser = await chromium.launch({ args: [...CHROMIUM_ARGS], ...(executablePath ? { executablePath } : {}) })
try {
  for (const scheme of ['light', 'dark'] as const) {
    const server = await startServer(home, path)
    try {
      const context = await browser.newContext({ viewport: VIEWPORT, colorScheme: scheme, reducedMotion: 'reduce' })
      const page = await context.newPage()
      await page.goto(server.url)
      await screens(page, scheme)
      await context.close()
    } finally {
      await server.stop()
    }
  }
} finally {
  await browser.close()
}
