import { expect, test } from './fixtures.ts'
import { expectApproved, expectSound } from './proof.ts'
import { approveUnviewed } from './steps.ts'
import { buildContents, buildRepo, contents, ODD_PATHS, RUN } from './support/index.ts'

/** A page that answers nobody for so long is frozen; a busy machine alone does not do that. */
const FROZEN_MS = 5000

test('every odd name is listed, shown and landed', async ({ launch }) => {
  const repo = contents.oddPathsChanged()
  const tip = repo.oid(RUN)
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await expect(sleep.viewedCount).toContainText(`0 of ${ODD_PATHS.length} viewed`)
  for (let seen = 1; seen <= ODD_PATHS.length; seen++) {
    await app.page.keyboard.press('v')
    await expect(sleep.viewedCount).toContainText(`${seen} of ${ODD_PATHS.length} viewed`)
  }
  await sleep.approve.click()
  await expect(app.toast.getByRole('button', { name: 'Undo' })).toBeVisible()
  expectApproved(repo, tip)
  expectSound(repo)
  for (const path of ODD_PATHS) expect(repo.read(path).toString(), JSON.stringify(path)).toBe('new\n')
  await app.toast.getByRole('button', { name: 'Undo' }).click()
  await expect(app.item(RUN)).toBeVisible()
  for (const path of ODD_PATHS) expect(repo.read(path).toString(), JSON.stringify(path)).toBe('old\n')
  expectSound(repo)
})

test('what a memory holds is text: nothing of it runs', async ({ launch }) => {
  const app = await launch(contents.hostile())
  const sleep = await app.review(RUN)
  for (const path of ['areas/evil.html', 'areas/raw.html']) {
    await sleep.open(path)
    await expect(app.page.getByText('onerror=').first()).toBeVisible()
    expect(await app.page.evaluate(() => Reflect.get(window, 'hostile'))).toBeUndefined()
  }
  await app.page
    .getByRole('radio', { name: 'Inline' })
    .or(app.page.getByRole('button', { name: 'Inline' }))
    .click()
  await expect(app.page.locator('.monaco-diff-editor')).toBeVisible()
  expect(await app.page.evaluate(() => Reflect.get(window, 'hostile'))).toBeUndefined()
})

test('a line of 10 MB is readable and never freezes the page', async ({ launch }) => {
  const app = await launch(contents.hugeLine())
  const sleep = await app.review(RUN)
  await longestFrame(app.page)
  await sleep.open('huge.txt')
  await expect(app.page.getByText(/large/i).first()).toBeVisible()
  expect(await longestFrame(app.page)).toBeLessThan(FROZEN_MS)
  await sleep.viewed('huge.txt').check()
  await expect(sleep.viewedCount).toContainText('1 of 1 viewed')
})

test('a file of 60,000 lines is readable and never freezes the page', async ({ launch }) => {
  const app = await launch(contents.manyLines())
  const sleep = await app.review(RUN)
  await longestFrame(app.page)
  await sleep.open('many.txt')
  await expect(app.page.getByText(/large/i).first()).toBeVisible()
  expect(await longestFrame(app.page)).toBeLessThan(FROZEN_MS)
})

test('the last of 1.8 million lines can be scrolled to, and every line on the way', async ({ launch }) => {
  const app = await launch(contents.tallest())
  const sleep = await app.review(RUN)
  await sleep.open('tall.txt')
  const text = app.page.getByRole('region', { name: 'Differences of tall.txt' })
  await expect(text.getByText('the last line')).toBeVisible()
  await text.focus()
  await app.page.keyboard.press('Home')
  await expect(text.getByText('the last line')).toHaveCount(0)
  await expect(text.getByText('1', { exact: true }).first()).toBeVisible()
  // A turn of the wheel moves by what a person can read, though a pixel of the scroll bar is more than one line.
  await text.hover()
  await app.page.mouse.wheel(0, 400)
  await expect(text.getByText('21', { exact: true }).first()).toBeVisible()
  await app.page.keyboard.press('End')
  await expect(text.getByText('1800001', { exact: true })).toBeVisible()
  await expect(text.getByText('the last line')).toBeVisible()
})

test('a file that is new or gone shows its own lines and none besides', async ({ launch }) => {
  const repo = buildRepo(undefined, {
    commits: [
      { message: 'Base', files: { 'gone.txt': 'old one\nold two\n', 'README.md': 'x\n' } },
      { on: RUN, message: 'Night', files: { 'gone.txt': null, 'new.txt': 'new one\nnew two\n' } },
    ],
  })
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  for (const [path, lines] of [
    ['new.txt', ['new one', 'new two']],
    ['gone.txt', ['old one', 'old two']],
  ] as const) {
    await sleep.open(path)
    const text = app.page.getByRole('region', { name: `Differences of ${path}` })
    await expect(text.locator('.view-line')).toHaveText([...lines])
    await expect(text.locator('.line-numbers')).toHaveText(['1', '2'])
  }
})

const WORDS = [
  ['crlf', 'a.md', /line endings.*LF.*CRLF|CRLF/i],
  ['mixedEol', 'a.md', /mixed/i],
  ['noFinalNewline', 'a.md', /final newline|newline at the end/i],
  ['whitespaceOnly', 'a.md', /whitespace|spaces/i],
  ['modeOnly', 'run.sh', /executable|mode/i],
  ['binary', 'data.bin', /binary/i],
  ['submodule', 'lib', /submodule/i],
  ['symlink', 'now', /Symbolic link: README\.md → other\.md/],
  ['fileToSymlink', 'now', /symbolic link|link/i],
  ['bom', 'a.md', /BOM|byte order mark/i],
  ['utf16', 'wide.txt', /UTF-16.* text, shown decoded/],
  ['invalidUtf8', 'latin.txt', /latin|UTF-8/i],
  ['generated', 'api/client.ts', /generated/i],
] as const

test('what a line diff does not show is said in words', async ({ launch }) => {
  const app = await launch(buildContents(WORDS.map(([name]) => name)))
  const sleep = await app.review(RUN)
  for (const [name, path, words] of WORDS) {
    await sleep.open(`${name}/${path}`)
    const file = app.page.getByRole('article', { name: `${name}/${path}`, exact: true })
    await expect.soft(file.getByText(words).first(), name).toBeVisible()
  }
})

test('an image is shown on both sides', async ({ launch }) => {
  const app = await launch(contents.image())
  const sleep = await app.review(RUN)
  await sleep.open('dot.png')
  const images = app.page.getByRole('main').locator('img')
  await expect(images).toHaveCount(2)
  for (const image of await images.all())
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(8)
})

test('an archive pair of no likeness is one item; a rename in case only and a file in place of a folder land', async ({
  launch,
}) => {
  const archived = await launch(contents.dissimilarArchive())
  const sleep = await archived.review(RUN)
  await expect(sleep.viewedCount).toContainText('0 of 1 viewed')
  await expect(sleep.changes.getByText('Archived')).toBeVisible()
  for (const build of [contents.caseOnlyRename, contents.fileFolderSwap]) {
    const repo = build()
    const tip = repo.oid(RUN)
    const app = await launch(repo)
    await approveUnviewed(app, await app.review(RUN))
    expectApproved(repo, tip)
    expectSound(repo)
  }
})

/** The longest time that the page did not answer since this was last asked, in milliseconds. */
function longestFrame(page: import('@playwright/test').Page): Promise<number> {
  return page.evaluate(() => {
    const key = 'longestFrame'
    const worst = Number(Reflect.get(window, key) ?? 0)
    Reflect.set(window, key, 0)
    if (!Reflect.get(window, `${key}Watched`)) {
      Reflect.set(window, `${key}Watched`, true)
      let last = performance.now()
      const tick = () => {
        const now = performance.now()
        Reflect.set(window, key, Math.max(Number(Reflect.get(window, key)), now - last))
        last = now
        setTimeout(tick, 20)
      }
      setTimeout(tick, 20)
    }
    return worst
  })
}
