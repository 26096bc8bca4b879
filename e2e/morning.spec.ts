import { expect, test } from './fixtures.ts'
import { expectApproved, expectOnDisk, expectSound } from './proof.ts'
import { approveUnviewed } from './steps.ts'
import { dumpStoreDbs, PATHS, RUN, storeSql, stores } from './support/index.ts'

test('a person approves a night: inbox, review, the button, and main has it', async ({ launch }) => {
  const repo = stores.clean()
  const [main, tip] = [repo.oid('main'), repo.oid(RUN)]
  const app = await launch(repo)
  await expect(app.group('Sleep branches').getByRole('link')).toHaveCount(1)
  await expect(app.item(RUN)).toHaveAccessibleName(/ready/i)

  const sleep = await app.review(RUN)
  await expect(sleep.changes.getByText('Claim changed')).toBeVisible()
  await expect(sleep.viewedCount).toContainText(/^0 of \d+ viewed/)
  await expect(sleep.marks).toContainText('orders-api')
  expect(repo.oid('main')).toBe(main)

  await sleep.approve.click()
  const dialog = app.page.getByRole('dialog')
  await expect(dialog).toContainText(/not viewed|not looked at/i)
  await dialog.getByRole('button', { name: /approve/i }).click()
  await expect(app.toast.getByRole('button', { name: 'Undo' })).toBeVisible()

  expectApproved(repo, tip)
  expectSound(repo)
  for (const path of [PATHS.claim, PATHS.foldedTo, PATHS.movedTo, 'index.html']) expectOnDisk(repo, path, tip)
  const dump = dumpStoreDbs(repo.dir)
  expect(dump['index.sleep_runs']).toMatchObject([{ run_id: RUN, status: 'merged' }])
  expect(dump['state.edge_corroboration']).toMatchObject([{ promoted: 1, confirmed: 1 }])
  expect(dump['state.entity_corroboration']).toMatchObject([{ promoted: 1, confirmed: 1 }])
  expect(dump['index.trace_consolidations']).toHaveLength(1)
  await expect(app.group('Sleep branches').getByRole('link')).toHaveCount(0)
})

test('Undo in the toast puts back main, the branch, the files, the marks and the run', async ({ launch }) => {
  const repo = stores.clean()
  const refs = repo.refs()
  const dump = dumpStoreDbs(repo.dir)
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await approveUnviewed(app, sleep)
  await app.toast.getByRole('button', { name: 'Undo' }).click()
  await expect(app.item(RUN)).toBeVisible()
  await expect.poll(() => repo.refs()).toEqual(refs)
  await expect.poll(() => dumpStoreDbs(repo.dir)).toEqual(dump)
  expectSound(repo)
  expectOnDisk(repo, PATHS.claim, 'main')
})

test('an approval is undone from the history after a restart', async ({ launch }) => {
  const repo = stores.clean()
  const refs = repo.refs()
  const first = await launch(repo)
  await approveUnviewed(first, await first.review(RUN))
  await first.quit()

  const app = await launch(repo)
  const history = await app.history()
  await expect(history).toContainText(RUN)
  await history.getByRole('button', { name: /^Undo/ }).first().click()
  await expect(app.item(RUN)).toBeVisible()
  await expect.poll(() => repo.refs()).toEqual(refs)
  expectSound(repo)
})

test('with HEAD on the sleep branch, as the store’s own tool leaves it, HEAD ends on main', async ({ launch }) => {
  const repo = stores.headOnSleep()
  const tip = repo.oid(RUN)
  const app = await launch(repo)
  await approveUnviewed(app, await app.review(RUN))
  expectApproved(repo, tip)
  expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main')
  expectSound(repo)
})

test('a night that is fully viewed is approved without a question', async ({ launch }) => {
  const repo = stores.clean()
  const tip = repo.oid(RUN)
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await expect(sleep.viewedCount).toContainText(/^0 of/)
  const total = Number(/of (\d+)/.exec((await sleep.viewedCount.textContent()) ?? '')?.[1])
  expect(total).toBeGreaterThan(10)
  for (let done = 1; done <= total; done++) {
    await app.page.keyboard.press('v')
    await expect(sleep.viewedCount).toContainText(`${done} of ${total} viewed`)
  }
  await sleep.approve.click()
  await expect(app.toast.getByRole('button', { name: 'Undo' })).toBeVisible()
  expectApproved(repo, tip)
})

test('viewed marks survive a restart and are reset where the content differs', async ({ launch }) => {
  const repo = stores.clean()
  const first = await launch(repo)
  const sleep = await first.review(RUN)
  await sleep.open(PATHS.claim)
  await sleep.viewed(PATHS.claim).check()
  await expect(sleep.viewedCount).toContainText(/^1 of/)
  await first.quit()

  const second = await launch(repo)
  const again = await second.review(RUN)
  await expect(again.viewedCount).toContainText(/^1 of/)
  repo.git('worktree', 'add', '-q', `${repo.dir}-side`, RUN)
  repo.git('-C', `${repo.dir}-side`, 'rm', '-q', PATHS.claim)
  repo.git('-C', `${repo.dir}-side`, 'commit', '-q', '-m', 'memhtml(write): other')
  await expect(again.viewedCount).toContainText(/^0 of/)
})

test('a run’s row and marks stay as they are when it is only reviewed', async ({ launch }) => {
  const repo = stores.clean()
  const dump = dumpStoreDbs(repo.dir)
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await sleep.open(PATHS.claim)
  await expect(app.page.getByText('60').first()).toBeVisible()
  expect(dumpStoreDbs(repo.dir)).toEqual(dump)
  expect(storeSql(repo.dir, 'state', 'PRAGMA journal_mode')).toMatchObject([{ journal_mode: 'delete' }])
})
