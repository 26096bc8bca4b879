import { expect, test } from './fixtures.ts'
import { expectApproved, expectSound } from './proof.ts'
import { PATHS, RUN, stores } from './support/index.ts'

test('the whole morning without a mouse: open, review, leave out, approve, undo', async ({ launch }) => {
  const repo = stores.clean()
  const refs = repo.refs()
  const tip = repo.oid(RUN)
  const app = await launch(null)
  const press = (keys: string) => app.page.keyboard.press(keys)

  await expect(app.openRepository).toBeVisible()
  await press('ControlOrMeta+o')
  const path = app.page.getByRole('textbox', { name: 'Repository path' })
  await expect(path).toBeFocused()
  await app.page.keyboard.type(repo.dir)
  await press('Enter')
  await expect(app.item(RUN)).toBeVisible()

  await tabTo(app.page, app.item(RUN))
  await press('Enter')
  const sleep = app.sleep(RUN)
  await expect(sleep.heading).toBeVisible()
  await expect(sleep.viewedCount).toContainText(/^0 of/)
  await press('v')
  await expect(sleep.viewedCount).toContainText(/^1 of/)
  await press(']')
  await press('[')
  await press('n')
  await press('p')

  await expect(sleep.approve).toBeEnabled()
  await press('ControlOrMeta+Enter')
  const dialog = app.page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await tabTo(app.page, dialog.getByRole('button', { name: /approve/i }))
  await press('Enter')
  await expect(app.toast.getByRole('button', { name: 'Undo' })).toBeVisible()
  expectApproved(repo, tip)
  expectSound(repo)

  await press('ControlOrMeta+z')
  await expect(app.item(RUN)).toBeVisible()
  await expect.poll(() => repo.refs()).toEqual(refs)
})

test('the command palette finds and runs what buttons do', async ({ launch }) => {
  const repo = stores.clean()
  const app = await launch(repo)
  await app.review(RUN)
  await app.page.keyboard.press('ControlOrMeta+Shift+P')
  await expect(app.page.getByRole('combobox')).toBeFocused()
  await app.page.keyboard.type('abort')
  await app.page.keyboard.press('Enter')
  await expect(app.toast.getByRole('button', { name: 'Undo' })).toBeVisible()
  expect(repo.refs()).not.toHaveProperty([`refs/heads/${RUN}`])
})

test('the sheet of shortcuts opens with ? and closes with Escape, and focus is where it was', async ({ launch }) => {
  const app = await launch(stores.clean())
  await app.item(RUN).focus()
  await app.page.keyboard.press('?')
  const sheet = app.page.getByRole('dialog', { name: /shortcuts/i })
  await expect(sheet).toBeVisible()
  await expect(sheet).toContainText('Approve sleep merge')
  await app.page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(app.item(RUN)).toBeFocused()
})

test('single letters do nothing while somebody types', async ({ launch }) => {
  const app = await launch(stores.clean())
  const sleep = await app.review(RUN)
  const filter = sleep.changes.getByRole('searchbox')
  await filter.focus()
  await app.page.keyboard.type('v][np?')
  await expect(filter).toHaveValue('v][np?')
  await expect(sleep.viewedCount).toContainText(/^0 of/)
})

test('the list of changes is walked and ticked with the keyboard', async ({ launch }) => {
  const app = await launch(stores.clean())
  const sleep = await app.review(RUN)
  await sleep.open(PATHS.body)
  await tabTo(app.page, sleep.viewed(PATHS.body))
  await app.page.keyboard.press('Space')
  await expect(sleep.viewed(PATHS.body)).toBeChecked()
  await expect(sleep.viewedCount).toContainText(/^1 of/)
})

/** Presses Tab until the element has the focus; fails where a keyboard never gets there. */
async function tabTo(page: import('@playwright/test').Page, target: import('@playwright/test').Locator): Promise<void> {
  for (let steps = 0; steps < 60; steps++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}
