import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { layouts, PATHS, RUN, snapshot, snapshotDiff, stores, tempDir } from './support/index.ts'

test('an empty home shows the landing page, and the folder dialog opens a repository', async ({ launch }) => {
  const repo = stores.clean()
  const app = await launch(null)
  await expect(app.openRepository).toBeVisible()
  await expect(app.trySample).toBeVisible()
  // A browser does not tell where a dropped folder is.
  await expect(app.page.getByText('Or give its path.')).toBeVisible()
  await expect(app.page.getByText('drop a folder')).toHaveCount(0)
  await app.openRepository.click()
  const path = app.page.getByRole('textbox', { name: 'Repository path' })
  await expect(path).toBeFocused()
  await path.fill(join(repo.dir, 'resources'))
  await path.press('Enter')
  await expect(app.item(RUN)).toBeVisible()
})

test('the folder dialog lists folders, and is closed with Escape without a trace', async ({ launch, home }) => {
  const base = tempDir('folders')
  mkdirSync(join(base, 'plain'))
  stores.clean(join(base, 'a store'))
  const app = await launch(null, { env: { HOME: base } })
  await app.openRepository.click()
  const dialog = app.page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Repository path' }).fill(base)
  await expect(dialog.getByText('a store')).toBeVisible()
  await expect(dialog.getByText('plain')).toBeVisible()
  await app.page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(app.openRepository).toBeFocused()
  expect(home.home).toBeTruthy()
})

test('recent repositories come back after a restart; one that is gone is said to be', async ({ launch }) => {
  const gone = stores.clean()
  const repo = stores.clean()
  for (const one of [gone, repo]) {
    const app = await launch(one)
    await expect(app.item(RUN)).toBeVisible()
    await app.quit()
  }
  const app = await launch(null)
  await expect(app.item(RUN)).toBeVisible()
  rmSync(gone.dir, { recursive: true })
  await app.page.goto(`${app.server.origin}/#/`)
  const rows = app.recent.getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: gone.dir })).toContainText(/not there|moved or deleted|gone/i)
  await expect(rows.filter({ hasText: repo.dir })).not.toContainText(/not there|moved or deleted|gone/i)
})

test('the sample repository is built and opened from the landing page', async ({ launch }) => {
  const app = await launch(null)
  await app.trySample.click()
  const item = app.group('Sleep branches').getByRole('link').first()
  await expect(item).toBeVisible()
  await expect(app.page.getByText('harbor-notes').first()).toBeVisible()
})

test('a folder that is no repository says so, with the mend, and the app stays usable', async ({ launch }) => {
  const folder = layouts.plainFolder()
  const before = snapshot(folder)
  const app = await launch(folder)
  await expect(app.alert.filter({ hasText: 'is not inside a git repository' })).toBeVisible()
  await expect(app.alert.filter({ hasText: folder }).first()).toBeVisible()
  await app.page.keyboard.press('Escape')
  await expect(app.openRepository.first()).toBeVisible()
  expect(snapshotDiff(before, snapshot(folder))).toEqual([])
})

for (const [name, build] of Object.entries({
  'a linked worktree': layouts.linkedWorktree,
  'a bare repository': layouts.bare,
  'a detached HEAD': layouts.detached,
  'a .git file': layouts.gitFile,
  'a dirty tree': stores.dirtyTree,
})) {
  test(`${name} opens, is reviewed, and not a byte of it changes`, async ({ launch }) => {
    const repo = build()
    const before = snapshot(repo.dir)
    const app = await launch(repo)
    const sleep = await app.review(RUN)
    await expect(sleep.changes.getByText('Claim changed')).toBeVisible()
    expect(snapshotDiff(before, snapshot(repo.dir))).toEqual([])
  })
}

test('an unborn branch opens and says that nothing waits', async ({ launch }) => {
  const app = await launch(layouts.unborn())
  await expect(app.page.getByText('Nothing waits for you').first()).toBeVisible()
})

test('an object that is gone is an error of its own file; the rest is reviewed, and another repository opens after it', async ({
  launch,
}) => {
  const broken = layouts.lostObjects()
  const refs = broken.refs()
  const sound = stores.clean()
  const app = await launch(broken)
  const sleep = await app.review(RUN)
  await sleep.open(PATHS.claim)
  await expect(app.alert.filter({ hasText: /lacks an object/ }).first()).toBeVisible()
  await expect(sleep.approve).toBeDisabled()
  await expect(sleep.approve).toHaveAccessibleDescription(/lacks the object/)
  await sleep.open(PATHS.body)
  await sleep.viewed(PATHS.body).check()
  await expect(sleep.viewedCount).toContainText(/^1 of/)
  // What cannot be read can be left out, and then the rest can land.
  await sleep.open(PATHS.claim)
  await sleep.include(PATHS.claim).uncheck()
  await expect(sleep.approve).toBeEnabled()
  expect(broken.refs()).toEqual(refs)
  await app.page.keyboard.press('ControlOrMeta+o')
  const path = app.page.getByRole('textbox', { name: 'Repository path' })
  await path.fill(sound.dir)
  await path.press('Enter')
  await expect(sleep.row(PATHS.claim)).toHaveAccessibleName(/40 → 60/)
})

test('a path through a symbolic link opens the same repository', async ({ launch }) => {
  const repo = stores.clean()
  const link = join(tempDir('link'), 'to')
  symlinkSync(repo.dir, link)
  const app = await launch(link)
  await expect(app.item(RUN)).toBeVisible()
})

test('the theme is chosen, seen at once and kept', async ({ launch }) => {
  const repo = stores.clean()
  const app = await launch(repo)
  await expect(app.item(RUN)).toBeVisible()
  const background = () => app.page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await background()
  await app.page.getByRole('button', { name: /^Appearance/ }).click()
  await app.page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect.poll(background).not.toBe(light)
  const dark = await background()
  await app.quit()
  const again = await launch(repo)
  await expect(again.item(RUN)).toBeVisible()
  expect(await again.page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(dark)
})

test('the theme follows the system while it is left to it', async ({ launch }) => {
  const app = await launch(stores.clean())
  await expect(app.item(RUN)).toBeVisible()
  const background = () => app.page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await background()
  await app.page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(background).not.toBe(light)
})
