import { writeLinkFile } from '../electron/host/linkFile.ts'
import { expect, test } from './fixtures.ts'
import { expectSound } from './proof.ts'
import { startServer } from './server.ts'
import { RUN, stores, tempDir } from './support/index.ts'

test('two servers and the command line on one repository see each other’s acts, and none is lost', async ({
  launch,
  cli,
}) => {
  const repo = stores.clean()
  const refs = repo.refs()
  const tip = repo.oid(RUN)
  const one = await launch(repo)
  const two = await launch(repo)
  await expect(one.item(RUN)).toBeVisible()
  await expect(two.item(RUN)).toBeVisible()

  expect(await cli(repo, 'sleep', 'abort', RUN, '--json')).toMatchObject({ exitCode: 0 })
  await expect(one.item(RUN)).toHaveCount(0)
  await expect(two.item(RUN)).toHaveCount(0)

  expect(await cli(repo, 'sleep', 'undo', '--json')).toMatchObject({ exitCode: 0 })
  await expect(two.item(RUN)).toBeVisible()
  expect(repo.refs()).toEqual(refs)

  await (await one.review(RUN)).abort.click()
  await expect(two.item(RUN)).toHaveCount(0)
  expect(await cli(repo, 'sleep', 'undo', '--json')).toMatchObject({ exitCode: 0 })
  await expect(one.item(RUN)).toBeVisible()

  const both = await Promise.all([1, 2].map(() => cli(repo, 'sleep', 'approve', RUN, '--json')))
  expect(both.map((answer) => answer.exitCode)).toEqual([0, 0])
  const found = both.map((answer) => answer.envelope?.data as { alreadyMerged: boolean } | undefined)
  expect(found.map((data) => data?.alreadyMerged).toSorted()).toEqual([false, true])
  expect(repo.oid('main')).toBe(tip)
  await expect(one.item(RUN)).toHaveCount(0)
  await expect(two.item(RUN)).toHaveCount(0)
  expectSound(repo)

  // The second approval found the first one's work done, before it began or when it had to give way.
  for (const app of [one, two]) {
    const acts = (await app.history()).getByRole('list', { name: 'Acts' })
    await expect(acts.getByText(`Approved ${RUN}`)).toHaveCount(1)
    await expect(acts.getByText(`Aborted ${RUN}, undone`)).toHaveCount(2)
    await expect(acts.getByText(`Undid the last act on ${RUN}`)).toHaveCount(2)
  }
})

test('the page that a browser is sent to by a file lets it in, once', async ({ browser, home }) => {
  const server = await startServer(home, stores.clean().dir)
  const link = writeLinkFile(server.url, tempDir('link'))
  const [first, second] = [await browser.newContext(), await browser.newContext()]
  try {
    const page = await first.newPage()
    await page.goto(link.address)
    await expect(page.getByRole('navigation', { name: 'Inbox' })).toBeVisible()
    const late = await second.newPage()
    await late.goto(link.address)
    await expect(late.getByText('This link was used already')).toBeVisible()
  } finally {
    link.remove()
    await first.close()
    await second.close()
    await server.stop()
  }
})
