import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { PATHS, RUN, stores } from './support/index.ts'

/**
 * Axe's rules, but for the one that takes every visible text of a control for its label, also a count, a tag or keys
 * that stand beside it; that the label itself is in the name has a test of its own.
 */
async function expectAccessible(page: Page, where: string): Promise<void> {
  const found = await new AxeBuilder({ page }).disableRules('label-content-name-mismatch').analyze()
  const lines = found.violations.flatMap((v) =>
    v.nodes.map((node) => `${v.id}: ${node.target.join(' ')}: ${node.failureSummary}`),
  )
  expect.soft(lines, where).toEqual([])
}

const THEMES = [
  { name: 'light', colorScheme: 'light', forcedColors: 'none' },
  { name: 'dark', colorScheme: 'dark', forcedColors: 'none' },
] as const

for (const theme of THEMES) {
  test(`every screen passes axe in the ${theme.name} theme`, async ({ launch }) => {
    const app = await launch(null, { context: { colorScheme: theme.colorScheme } })
    await expect(app.openRepository).toBeVisible()
    await expectAccessible(app.page, 'landing')
    await app.trySample.click()
    const item = app.group('Sleep branches').getByRole('link').first()
    await expect(item).toBeVisible()
    await expectAccessible(app.page, 'inbox')
    await item.click()
    await expect(app.page.getByRole('region', { name: 'Changes' }).getByText('Claim changed')).toBeVisible()
    await expectAccessible(app.page, 'review')
    await app.page.keyboard.press('ControlOrMeta+Shift+P')
    await expect(app.page.getByRole('combobox')).toBeFocused()
    await expectAccessible(app.page, 'palette')
    await app.page.keyboard.press('Escape')
    await app.page.keyboard.press('?')
    await expect(app.page.getByRole('dialog', { name: /shortcuts/i })).toBeVisible()
    await expectAccessible(app.page, 'shortcuts')
    await app.page.keyboard.press('Escape')
    await app.page.keyboard.press('ControlOrMeta+,')
    await expect(app.dialog('Settings').getByRole('textbox', { name: 'Trunk branch' })).toBeEnabled()
    await expectAccessible(app.page, 'settings')
    await app.page.keyboard.press('Escape')
    await app.page.keyboard.press('ControlOrMeta+Enter')
    await expect(app.dialog(/^Approve/)).toBeVisible()
    await expectAccessible(app.page, 'question before an approval')
    await app.page.keyboard.press('Escape')
    await app.history()
    await expectAccessible(app.page, 'history')
  })
}

test('landmarks and headings say where one is', async ({ launch }) => {
  const app = await launch(stores.clean())
  const sleep = await app.review(RUN)
  await expect(app.page.getByRole('main')).toHaveCount(1)
  await expect(app.page.getByRole('navigation', { name: 'Inbox' })).toHaveCount(1)
  await expect(app.page.getByRole('banner')).toHaveCount(1)
  await expect(app.page.getByRole('heading', { level: 1 })).toHaveCount(1)
  for (const name of ['Changes', 'Commits', 'Pending marks'])
    await expect(app.page.getByRole('region', { name })).toHaveCount(1)
  for (const group of ['Sleep branches', 'Merge candidates', 'Conflicts', 'History'])
    await expect(app.group(group)).toHaveCount(1)
  await expect(sleep.heading).toBeVisible()
  expect(await app.page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
  await expect(app.page).toHaveTitle(new RegExp(RUN))
})

test('what a control shows as its label is in its accessible name', async ({ launch }) => {
  const app = await launch(stores.clean())
  const sleep = await app.review(RUN)
  await expect(sleep.rows.first()).toBeVisible()
  for (const control of await app.page.locator('a[aria-label], button[aria-label]').all()) {
    const label = (await control.innerText()).split('\n')[0]?.trim() ?? ''
    if (label === '') continue
    const name = ((await control.getAttribute('aria-label')) ?? '').toLowerCase()
    expect.soft(name).toContain(label.toLowerCase())
  }
})

test('a button that cannot be pressed says why', async ({ launch }) => {
  const app = await launch(stores.mainAdvancedDisjoint())
  const sleep = await app.review(RUN)
  await expect(sleep.approve).toBeDisabled()
  await expect(sleep.approve).toHaveAccessibleDescription(/main/i)
})

test('the app is usable at 200 % zoom and in high contrast', async ({ launch }) => {
  const app = await launch(stores.clean(), { context: { viewport: { width: 640, height: 400 } } })
  const sleep = await app.review(RUN)
  await expect(sleep.approve).toBeInViewport()
  await app.page.getByRole('button', { name: /^Appearance/ }).click()
  await app.page.getByRole('menuitemradio', { name: 'High contrast' }).click()
  await sleep.open(PATHS.claim)
  await expectAccessible(app.page, 'high contrast')
})
