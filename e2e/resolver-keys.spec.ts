import AxeBuilder from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { expect, type RunningApp, shareApp, test } from './fixtures.ts'
import { ResolverPage } from './pages/resolver.ts'
import { buildConflict, conflictSides, joinSides } from './support/index.ts'

const TITLE = 'Merging infra/pg17 into main'
const build = () =>
  buildConflict(
    joinSides({
      keys: conflictSides.text(),
      inside: conflictSides.text(),
      other: conflictSides.text(),
      choice: conflictSides.modifyDelete(),
    }),
  )

/** Presses Tab until the element has the focus; fails where a keyboard never gets there. */
async function tabTo(page: Page, target: Locator, most = 80): Promise<void> {
  for (let steps = 0; steps < most; steps++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}

const focusedName = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement
    return at === null || at === document.body ? null : (at.getAttribute('aria-label') ?? at.textContent ?? '').trim()
  })

test.describe('by keyboard', () => {
  test.describe.configure({ mode: 'default' })
  const app = shareApp(build)

  test('a merge is decided without a mouse, from the inbox to the last file, and each step is said', async () => {
    const { page, repo } = app
    const resolver = new ResolverPage(page)
    const press = (keys: string) => page.keyboard.press(keys)
    await tabTo(page, resolver.inbox.getByRole('link', { name: new RegExp(`^${TITLE}`) }))
    await press('Enter')
    await expect(resolver.heading).toHaveText(TITLE)
    // Going on is refused with the reason, said.
    await press('ControlOrMeta+Enter')
    expect(repo.git('ls-files', '-u')).not.toBe('')
    await tabTo(page, resolver.file('choice/gone.md'))
    await press('Enter')
    await resolver.shown('choice/gone.md')
    await press('2')
    await expect(resolver.radio('theirs')).toBeChecked()
    await press('1')
    await expect(resolver.radio('ours')).toBeChecked()
    await expect(resolver.left).toHaveText('0 of 1 conflicts left')
    await resolver.checked()
    await press('ControlOrMeta+Enter')
    await expect(resolver.app.toast.filter({ hasText: 'choice/gone.md resolved; ' })).toBeVisible()
    await expect(resolver.said).toContainText(/^Next file: /)
    // The next open file is shown by itself; brackets go from file to file.
    await expect(resolver.heading).not.toHaveText('choice/gone.md')
    await press('[')
    await press(']')
    while ((await resolver.heading.innerText()) !== 'keys/notes.md') {
      const before = await resolver.heading.innerText()
      await press(before < 'keys/notes.md' ? ']' : '[')
      await expect(resolver.heading).not.toHaveText(before)
    }
    await expect(resolver.result).toBeAttached()
    await resolver.checked()

    for (const [key, at] of [
      ['n', 2],
      ['F7', 3],
      ['p', 2],
      ['Shift+F7', 1],
    ] as const) {
      await press(key)
      await expect(resolver.current).toHaveAccessibleName(`Conflict ${at} of 3`)
      await expect(resolver.said).toHaveText(`Conflict ${at} of 3, open`)
    }
    await press('1')
    await expect(resolver.said).toHaveText(/^Conflict 1 of 3: planner taken\. 2 left\. Now at conflict 2 of 3, open\.$/)
    await press('3')
    await expect(resolver.left).toHaveText('1 of 3 conflicts left')
    await press('0')
    await expect(resolver.left).toHaveText('0 of 3 conflicts left')
    await expect(resolver.said).toHaveText('Conflict 3 of 3: base kept. No conflict of this file is open.')
    await press('ControlOrMeta+z')
    await expect(resolver.left).toHaveText('1 of 3 conflicts left')
    await expect(resolver.said).toHaveText(/^Undone: /)
    await press('ControlOrMeta+Shift+z')
    await expect(resolver.left).toHaveText('0 of 3 conflicts left')
    await press('ControlOrMeta+z')
    await press('2')
    await expect(resolver.left).toHaveText('0 of 3 conflicts left')

    const base = page.getByRole('textbox', { name: 'Base', exact: true })
    await press('b')
    await expect(base).toHaveCount(0)
    await press('b')
    await expect(base).toHaveCount(1)

    await resolver.checked()
    await resolver.settleLosses()
    await press('ControlOrMeta+Enter')
    await expect(resolver.app.toast.filter({ hasText: 'keys/notes.md resolved; ' })).toBeVisible()
    const written = repo.read('keys/notes.md').toString()
    expect(written).toContain('ours 3\n')
    expect(written).toContain('ours 14\ntheirs 14\n')
    expect(written).toContain('theirs 26\n')
  })

  test('inside an editor letters and digits are text, and the keys with Alt and F7 act', async () => {
    const { page, repo } = app
    const resolver = new ResolverPage(page)
    await resolver.overview(TITLE)
    await resolver.open('inside/notes.md')
    await resolver.checked()
    await resolver.cursorAt(1)
    await page.keyboard.type('n1p2b]')
    await resolver.shows('line 1n1p2b]')
    await expect(resolver.left).toHaveText('3 of 3 conflicts left')
    await resolver.result.focus()
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(() => resolver.resultText()).not.toContain('line 1n1p2b]')

    await page.keyboard.press('F7')
    await expect(resolver.current).toHaveAccessibleName('Conflict 2 of 3')
    await page.keyboard.press('Shift+F7')
    await expect(resolver.current).toHaveAccessibleName('Conflict 1 of 3')
    for (const [key, left] of [
      ['Alt+1', 2],
      ['Alt+2', 1],
      ['Alt+3', 0],
    ] as const) {
      await resolver.result.focus()
      await page.keyboard.press(key)
      await expect(resolver.left).toHaveText(`${left} of 3 conflicts left`)
    }
    await resolver.checked()
    await resolver.settleLosses()
    await resolver.result.focus()
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(resolver.app.toast.filter({ hasText: 'inside/notes.md resolved; ' })).toBeVisible()
    expect(repo.read('inside/notes.md').toString()).toMatch(/ours 3\n.*theirs 14\n.*ours 26\ntheirs 26\n/s)
  })

  test('the focus goes through the page in its order, through the editors and out again, and F6 tells the editor', async () => {
    const { page } = app
    const resolver = new ResolverPage(page)
    await resolver.overview(TITLE)
    await resolver.open('other/notes.md')
    await resolver.checked()
    const order = [
      resolver.complete,
      resolver.next,
      page.getByRole('textbox', { name: 'Ours: planner' }),
      page.getByRole('textbox', { name: 'Base', exact: true }),
      page.getByRole('textbox', { name: 'Theirs: researcher' }),
      resolver.result,
      resolver.acceptOf(1, 'ours'),
    ]
    await page.getByRole('button', { name: 'Command palette' }).focus()
    for (const target of order) await tabTo(page, target, 30)
    // Out of the end of the page, with no trap, and back in from behind.
    await expect
      .poll(async () => {
        await page.keyboard.press('Tab')
        return focusedName(page)
      })
      .toBe(null)
    await page.keyboard.press('Shift+Tab')
    for (const target of [...order].reverse().slice(1)) {
      for (let steps = 0; steps < 40; steps++) {
        if (await target.evaluate((element) => element === document.activeElement)) break
        await page.keyboard.press('Shift+Tab')
      }
      await expect(target).toBeFocused()
    }

    await resolver.result.focus()
    for (const label of ['Ours: planner', 'Base', 'Theirs: researcher', 'Result']) {
      await page.keyboard.press('F6')
      await expect(page.getByRole('textbox', { name: label, exact: true })).toBeFocused()
      await expect(page.getByRole('status').filter({ hasText: new RegExp(`^${label}$`) })).toBeAttached()
    }
    // Escape leaves an editor for its frame, from where single keys act.
    await page.keyboard.press('Escape')
    await expect(page.getByRole('region', { name: 'Editor Result' })).toBeFocused()
    await page.keyboard.press('n')
    await expect(resolver.current).toHaveAccessibleName('Conflict 2 of 3')
  })
})

async function expectAccessible(page: Page, where: string): Promise<void> {
  const found = await new AxeBuilder({ page }).disableRules('label-content-name-mismatch').analyze()
  const lines = found.violations.flatMap((v) =>
    v.nodes.map((node) => `${v.id}: ${node.target.join(' ')}: ${node.failureSummary}`),
  )
  expect.soft(lines, where).toEqual([])
}

/** Nothing of the page is cut off to the right. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

async function throughPages(app: RunningApp, look: (where: string) => Promise<void>): Promise<void> {
  const resolver = new ResolverPage(app.page)
  await app.page
    .getByRole('link', { name: new RegExp(TITLE) })
    .first()
    .click()
  await expect(resolver.files).toBeVisible()
  await look('overview')
  await resolver.open('keys/notes.md')
  await expect(resolver.result).toBeAttached()
  await resolver.checked()
  await expect(resolver.complete).toBeInViewport()
  await look('lines')
  await resolver.accept('theirs')
  await look('lines, one decided')
  await resolver.showAll()
  await resolver.open('choice/gone.md')
  await resolver.checked()
  await expect(resolver.complete).toBeInViewport()
  await look('choice')
}

for (const theme of ['light', 'dark'] as const)
  test(`the resolver passes axe in the ${theme} theme`, async ({ launch }) => {
    const app = await launch(build(), { context: { colorScheme: theme } })
    await throughPages(app, (where) => expectAccessible(app.page, where))
  })

test('the resolver fits into 640 pixels, which is 200 % zoom', async ({ launch }) => {
  const app = await launch(build(), {
    context: { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
  })
  await throughPages(app, async (where) => expect.soft(await overflow(app.page), where).toBe(0))
})
