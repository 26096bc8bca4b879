import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { startAgent } from '../e2e/agents.ts'
import { CHROMIUM_ARGS, chromiumPath, VIEWPORT } from '../e2e/browser.ts'
import { AppPage } from '../e2e/pages/app.ts'
import { CandidatePage } from '../e2e/pages/candidate.ts'
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

const PLAN = 'projects/release-plan.md'

/** What two agents wrote of one document, from the same version of it. */
const plan = (freeze: string, owner: string, steps: readonly string[]) => `# Release of the courier app

The code freeze is on ${freeze}. ${owner} signs the release off.

## Before the freeze

${steps.map((step) => `- ${step}`).join('\n')}

## After the release

Watch the crash rate for two days. Roll back above 0.5 percent.
`
const STEPS = ['Offline scans work without a network for a day.', 'The depot list loads in under a second.']

/** Two agents write one document at the same time; the one that was second hands what it met to the person. */
async function twoAgents(repo: string): Promise<void> {
  const at = { dir: repo }
  const [planner, researcher] = await Promise.all(['planner', 'researcher'].map((name) => startAgent(name, at, home)))
  if (!planner || !researcher) return
  await planner.publish(PLAN, plan('12 December', 'Ines', STEPS), 0, 'Plan the release')
  const measured = [...STEPS, 'Battery use stays below 4 percent a shift.']
  await researcher.publish(PLAN, plan('15 December', 'Ines', measured), 1, 'Move the freeze to after the load test')
  const own = plan('11 December', 'Ines', [STEPS[0] ?? '', 'The depot list loads in 600 ms.'])
  const { id } = await planner.meet(PLAN, own, 1, 'Freeze a day earlier')
  const reason = 'The load test says the 15th, the depot wants the 11th: which counts?'
  await planner.call('candidate_escalate', { candidate_id: id, reason })
  await planner.close()
  await researcher.close()
}

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
  const candidate = new CandidatePage(page)
  await candidate.open(PLAN)
  await picture(page, `candidate-${scheme}`)
  // The next look begins where this one ends.
  await candidate.leave()
}

const home = withHome()
mkdirSync(IMAGES, { recursive: true })
const made = await runCli(home, tempDir('screenshots'), ['demo', '--json', '--no-open'])
if (!made.envelope) throw new Error(made.stderr)
const { path } = made.envelope.data as { path: string }
await twoAgents(path)
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
