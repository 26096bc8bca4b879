import type { WebSocketRoute } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { DISJOINT, PATHS, RUN, stores } from './support/index.ts'

/** How soon the list shows what happened to refs, in milliseconds. */
const REFS_WITHIN = 2000

test('a sleep branch that appears, moves or goes outside is seen within two seconds', async ({ launch }) => {
  const repo = stores.noNight()
  const app = await launch(repo)
  await expect(app.page.getByText('Nothing waits for you').first()).toBeVisible()
  repo.git('branch', RUN, 'main')
  await expect(app.item(RUN)).toBeVisible({ timeout: REFS_WITHIN })
  repo.git('branch', '-D', RUN)
  await expect(app.item(RUN)).toHaveCount(0, { timeout: REFS_WITHIN })
})

test('an agent’s commit on main while a night is open is seen within two seconds', async ({ launch }) => {
  const repo = stores.clean()
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await expect(sleep.approve).toBeEnabled()
  repo.commit('memhtml(write): Backup window', DISJOINT.files)
  await expect(sleep.approve).toBeDisabled({ timeout: REFS_WITHIN })
  await expect(sleep.bringMainIn).toBeVisible()
})

test('packed refs, a moved HEAD and a new worktree are seen too', async ({ launch }) => {
  const repo = stores.clean()
  const app = await launch(repo)
  await expect(app.item(RUN)).toBeVisible()
  repo.git('pack-refs', '--all', '--prune')
  repo.git('branch', 'sleep/2026-11-29', 'main~1')
  await expect(app.item('sleep/2026-11-29')).toBeVisible({ timeout: REFS_WITHIN })
  repo.git('worktree', 'add', '-q', `${repo.dir}-side`, RUN)
  await expect(app.item(RUN)).toHaveAccessibleName(/worktree|checked out/i, { timeout: REFS_WITHIN })
})

test('a local change in the working tree is seen on focus', async ({ launch }) => {
  const repo = stores.clean()
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await expect(sleep.approve).toBeEnabled()
  repo.write(PATHS.claim, 'a person was here\n')
  await app.page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(sleep.approve).toBeDisabled({ timeout: REFS_WITHIN })
  await expect(app.page.getByText('1 local change').first()).toBeVisible()
})

test('a local change in the working tree is seen within ten seconds without focus', async ({ launch }) => {
  const repo = stores.clean()
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await expect(sleep.approve).toBeEnabled()
  repo.write(PATHS.claim, 'a person was here\n')
  await expect(sleep.approve).toBeDisabled({ timeout: 10_500 })
})

test('two windows on one repository show the same, and what one does the other sees', async ({ launch, browser }) => {
  const repo = stores.clean()
  const one = await launch(repo)
  const two = await launch(repo)
  const there = await two.review(RUN)
  await there.open(PATHS.claim)
  const here = await one.review(RUN)
  await here.open(PATHS.claim)
  await there.viewed(PATHS.claim).check()
  await expect(here.viewedCount).toContainText(/^1 of/)
  await one.page.keyboard.press('Escape')
  await here.abort.click()
  await expect(two.item(RUN)).toHaveCount(0)
  expect(browser.contexts().length).toBe(2)
})

test('without a connection the acts cannot be pressed and say why; back again, the page is read anew', async ({
  launch,
}) => {
  const repo = stores.clean()
  let socket: WebSocketRoute | null = null
  let reachable = true
  const app = await launch(repo, {
    before: (page) =>
      page.routeWebSocket(/./, (route) => {
        socket = route
        if (reachable) route.connectToServer()
        else void route.close()
      }),
  })
  const sleep = await app.review(RUN)
  await expect(sleep.approve).toBeEnabled()
  reachable = false
  await (socket as WebSocketRoute | null)?.close()
  await expect(app.alert).toContainText('The connection to Daybreak was lost')
  for (const act of [sleep.approve, sleep.abort]) {
    await expect(act).toBeDisabled()
    await expect(act).toHaveAccessibleDescription(/until the connection to Daybreak is back/)
  }
  await expect(sleep.viewed(PATHS.claim)).toBeDisabled()
  await app.page.keyboard.press('Control+Enter')
  await expect(app.dialog(/Approve/)).toHaveCount(0)
  repo.git('branch', 'sleep/2026-11-29', 'main~1')
  reachable = true
  await expect(sleep.approve).toBeEnabled()
  await expect(sleep.viewed(PATHS.claim)).toBeEnabled()
  await expect(app.alert).toHaveCount(0)
  await expect(app.item('sleep/2026-11-29')).toBeVisible()
})
