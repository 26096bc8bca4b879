import { expect, test } from './fixtures.ts'
import { expectApproved, expectOnDisk, expectSound } from './proof.ts'
import { approveUnviewed } from './steps.ts'
import { contents, lockStoreDb, PATHS, RUN, snapshot, snapshotDiff, storeSql, stores } from './support/index.ts'

const gate = (run: string) => ({ '.daybreak.yml': `gate: { run: ${JSON.stringify(run)}, timeout: 1m }\n` })

test('a gate runs once its exact text was trusted, and its failure moves nothing', async ({ launch }) => {
  const repo = stores.clean(undefined, {
    files: gate('echo looked at; test ! -e areas/inbox/20261129-queue-drain.html'),
  })
  const main = repo.oid('main')
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await expect(sleep.approve).toBeDisabled()
  await app.page.getByRole('button', { name: 'Show what would run' }).click()
  const dialog = app.page.getByRole('dialog')
  await expect(dialog).toContainText('echo looked at')
  await dialog.getByRole('button', { name: 'Trust', exact: true }).click()
  await expect(sleep.approve).toBeEnabled()
  await sleep.approve.click()
  await app.page
    .getByRole('dialog')
    .getByRole('button', { name: /approve/i })
    .click()
  const output = app.page.getByRole('region', { name: 'Gate output' })
  await expect(output).toContainText('looked at')
  await expect(output).toContainText('exit code 1')
  expect(repo.oid('main')).toBe(main)
  expectSound(repo)
})

test('a gate that passes lets the night land', async ({ launch }) => {
  const repo = stores.clean(undefined, { files: gate('test -e areas/inbox/20261129-queue-drain.html') })
  const tip = repo.oid(RUN)
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await app.page.getByRole('button', { name: 'Show what would run' }).click()
  await app.page.getByRole('dialog').getByRole('button', { name: 'Trust', exact: true }).click()
  await expect(sleep.approve).toBeEnabled()
  await approveUnviewed(app, sleep)
  expectApproved(repo, tip)
  expectSound(repo)
})

test('links that would dangle are named first, with the offer to leave both out', async ({ launch }) => {
  const repo = stores.clean()
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await sleep.open(PATHS.foldedTo)
  await sleep.include(PATHS.foldedTo).uncheck()
  await sleep.approve.click()
  const dialog = app.page.getByRole('dialog')
  await expect(dialog).toContainText(PATHS.claim)
  await expect(dialog).toContainText(PATHS.foldedTo)
  await dialog.getByRole('button', { name: 'Leave both out' }).click()
  await dialog.getByRole('button', { name: 'Approve sleep merge' }).click()
  await expect(app.toast.getByRole('button', { name: 'Undo' })).toBeVisible()
  for (const path of [PATHS.claim, PATHS.folded]) expect(repo.show('main', path)).toEqual(repo.show('main~12', path))
  expectOnDisk(repo, PATHS.movedTo, 'main')
  expectSound(repo)
})

test('a file and a folder of one name are refused, naming both', async ({ launch }) => {
  const repo = contents.fileFolderSwap()
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await sleep.open('thing')
  await sleep.include('thing').uncheck()
  await expect(app.page.getByText(/thing\/x/).first()).toBeVisible()
  await expect(sleep.approve).toBeDisabled()
})

test('the store’s own files cannot be left out, and say so', async ({ launch }) => {
  const app = await launch(stores.clean())
  const sleep = await app.review(RUN)
  const path = '.memhtml/state/access.jsonl'
  await sleep.open(path)
  await expect(sleep.include(path)).toBeDisabled()
})

test('a malformed line of the ledger is shown as such, and the others are applied', async ({ launch }) => {
  const repo = stores.malformedLedger()
  const tip = repo.oid(RUN)
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await expect(sleep.marks.getByText(/cannot be read/)).toHaveCount(2)
  await approveUnviewed(app, sleep)
  expectApproved(repo, tip)
  await expect(app.toast).toContainText('4 marks applied')
})

test('a run that is on main already is approved as a success that says so', async ({ launch }) => {
  const repo = stores.alreadyMerged()
  const main = repo.oid('main')
  const app = await launch(repo)
  await expect(app.item(RUN)).toHaveAccessibleName(/merged/i)
  const sleep = await app.review(RUN)
  await sleep.approve.click()
  await expect(app.toast).toContainText(/already/i)
  expect(repo.oid('main')).toBe(main)
  expectSound(repo)
})

test('a run without a commit says that there is nothing to approve', async ({ launch }) => {
  const repo = stores.emptyRun()
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await expect(sleep.approve).toBeDisabled()
  await expect(app.page.getByText(/nothing to approve|no commit/i).first()).toBeVisible()
  await sleep.abort.click()
  await expect(app.item(RUN)).toHaveCount(0)
  expectSound(repo)
})

test('an aborted branch comes back under another name when its own is taken', async ({ launch }) => {
  const repo = stores.clean()
  const tip = repo.oid(RUN)
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await sleep.abort.click()
  await expect(app.toast.getByRole('button', { name: 'Undo' })).toBeVisible()
  repo.git('branch', RUN, 'main')
  await expect(app.item(RUN)).toBeVisible()
  await app.toast.getByRole('button', { name: 'Undo' }).click()
  await expect(app.item(`${RUN}-2`)).toBeVisible()
  expect(repo.oid(`${RUN}-2`)).toBe(tip)
})

test('a clean worktree that holds the branch does not hold up an abort; a dirty one does', async ({ launch }) => {
  const clean = stores.inWorktree()
  const app = await launch(clean)
  const sleep = await app.review(RUN)
  await sleep.abort.click()
  await expect(app.item(RUN)).toHaveCount(0)
  clean.fsck()

  const dirty = stores.inWorktree()
  dirty.git('-C', dirty.worktree, 'rm', '-q', PATHS.claim)
  const other = await launch(dirty)
  const there = await other.review(RUN)
  const before = snapshot(dirty.worktree)
  await there.abort.click()
  await expect(other.page.getByText(/local changes/i).first()).toBeVisible()
  expect(dirty.refs()).toHaveProperty([`refs/heads/${RUN}`])
  expect(snapshotDiff(before, snapshot(dirty.worktree))).toEqual([])
})

test('the commits of a night are walked one by one', async ({ launch }) => {
  const app = await launch(stores.clean())
  const sleep = await app.review(RUN)
  await sleep.commits.getByRole('button', { name: /Show all/ }).click()
  await sleep.commits.getByRole('button', { name: /retention-triage/ }).click()
  await expect(sleep.rows).toHaveCount(1)
  await expect(sleep.row(PATHS.evictedTo)).toBeVisible()
})

test('marks that a locked database held up are kept, shown, and applied again', async ({ launch }) => {
  const repo = stores.clean()
  const tip = repo.oid(RUN)
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  const release = lockStoreDb(repo.dir, 'state')
  await sleep.approve.click()
  await app.page
    .getByRole('dialog')
    .getByRole('button', { name: /approve/i })
    .click()
  await expect(app.toast).toContainText('not applied', { timeout: 25_000 })
  release()
  expectApproved(repo, tip)
  expectSound(repo)
  expect(storeSql(repo.dir, 'state', 'SELECT promoted FROM edge_corroboration')).toMatchObject([{ promoted: 0 }])
  const history = await app.history()
  await history.getByRole('button', { name: /^Apply marks again/ }).click()
  await expect.poll(() => storeSql(repo.dir, 'state', 'SELECT promoted FROM edge_corroboration')[0]?.promoted).toBe(1)
  await expect(app.group('Sleep branches').getByRole('link')).toHaveCount(0)
})
