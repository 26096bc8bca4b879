import { expect, test } from './fixtures.ts'
import { expectApproved, expectOnDisk, expectSound } from './proof.ts'
import { approveUnviewed } from './steps.ts'
import {
  addCommits,
  dumpStoreDbs,
  MEMORIES,
  memoryHtml,
  PATHS,
  phaseCommit,
  RUN,
  snapshot,
  snapshotDiff,
  stores,
  workingTree,
} from './support/index.ts'

test('Abort removes the branch, applies nothing, and Undo brings it back', async ({ launch }) => {
  const repo = stores.clean()
  const refs = repo.refs()
  const before = dumpStoreDbs(repo.dir)
  const tree = workingTree(repo.dir)
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await sleep.abort.click()
  await expect(app.toast.getByRole('button', { name: 'Undo' })).toBeVisible()
  expect(repo.refs()).toEqual({ 'refs/heads/main': refs['refs/heads/main'] })
  const after = dumpStoreDbs(repo.dir)
  expect(after['index.sleep_runs']).toMatchObject([{ run_id: RUN, status: 'abandoned' }])
  expect({ ...after, 'index.sleep_runs': null }).toEqual({ ...before, 'index.sleep_runs': null })
  expect(workingTree(repo.dir)).toEqual(tree)
  expectSound(repo)

  await app.toast.getByRole('button', { name: 'Undo' }).click()
  await expect(app.item(RUN)).toBeVisible()
  await expect.poll(() => repo.refs()).toEqual(refs)
  await expect.poll(() => dumpStoreDbs(repo.dir)).toEqual(before)
})

test('one file is left out: main gets the rest, the commit says so, and the file stays as it was', async ({
  launch,
}) => {
  const repo = stores.clean()
  const tip = repo.oid(RUN)
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await sleep.open(PATHS.confidence)
  await sleep.include(PATHS.confidence).uncheck()
  await expect(app.page.getByText(/1 .*left out/i).first()).toBeVisible()
  await approveUnviewed(app, sleep)
  expect(repo.git('rev-parse', 'main^')).toBe(tip)
  expect(repo.git('log', '-1', '--format=%(trailers:key=Daybreak-Left-Out,valueonly)', 'main').trim()).toBe(
    JSON.stringify(PATHS.confidence),
  )
  expect(repo.show('main', PATHS.confidence).toString()).toBe(memoryHtml(MEMORIES[PATHS.confidence] as never))
  expectOnDisk(repo, PATHS.confidence, 'main')
  expectOnDisk(repo, PATHS.claim, tip)
  expectSound(repo)
})

test('what is left out arrives unticked the next night', async ({ launch }) => {
  const repo = stores.clean()
  const tip = repo.oid(RUN)
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await sleep.open(PATHS.confidence)
  await sleep.include(PATHS.confidence).uncheck()
  await approveUnviewed(app, sleep)
  const next = 'sleep/2026-12-01'
  const same = repo.show(tip, PATHS.confidence)
  addCommits(repo, [phaseCommit('confidence-decay', 'decay 1 memory', { [PATHS.confidence]: same }, {}, next)])
  await expect(app.item(next)).toBeVisible()
  const again = await app.review(next)
  await again.open(PATHS.confidence)
  await expect(again.include(PATHS.confidence)).not.toBeChecked()
  await expect(app.page.getByText(/declined before/i).first()).toBeVisible()
})

test('an archive pair is one item: leaving it out leaves both paths as they were', async ({ launch }) => {
  const repo = stores.clean()
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await sleep.open(PATHS.evictedTo)
  await sleep.include(PATHS.evictedTo).uncheck()
  await approveUnviewed(app, sleep)
  expectOnDisk(repo, PATHS.evicted, 'main')
  expect(() => repo.show('main', PATHS.evictedTo)).toThrow()
  expectSound(repo)
})

test('a disjoint advance of main is never merged silently: Bring main in, then approve', async ({ launch }) => {
  const repo = stores.mainAdvancedDisjoint()
  const [main, tip] = [repo.oid('main'), repo.oid(RUN)]
  const app = await launch(repo)
  await expect(app.item(RUN)).toHaveAccessibleName(/main/i)
  const sleep = await app.review(RUN)
  await expect(sleep.approve).toBeDisabled()
  await expect(sleep.approve).toHaveAccessibleDescription(/main/i)
  await sleep.bringMainIn.click()
  await expect(sleep.approve).toBeEnabled()
  expect(repo.oid('main')).toBe(main)
  expect(repo.git('rev-parse', `${RUN}^1`, `${RUN}^2`).split('\n')).toEqual([main, tip])
  await approveUnviewed(app, sleep)
  expect(repo.git('rev-list', '--first-parent', 'main').split('\n')[1]).toBe(main)
  expectOnDisk(repo, 'areas/inbox/backup-window.html', 'main')
  expectOnDisk(repo, PATHS.claim, 'main')
  expectSound(repo)
})

test('Bring main in and approve does both', async ({ launch }) => {
  const repo = stores.mainAdvancedDisjoint()
  const main = repo.oid('main')
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await approveUnviewed(app, sleep, sleep.bringMainInAndApprove)
  expect(repo.git('rev-parse', 'main^1')).toBe(main)
  expect(repo.refs()).not.toHaveProperty([`refs/heads/${RUN}`])
  expectSound(repo)
})

test('a file that main changed too is shown with both, and with the lines of each', async ({ launch }) => {
  const repo = stores.mainAdvancedOverlapping()
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await sleep.open(PATHS.movedTo)
  await app.page.getByRole('button', { name: 'With main' }).click()
  const text = app.page.getByRole('region', { name: `Differences of ${PATHS.movedTo}` })
  // What main wrote is marked as new in it.
  await expect(text.locator('.char-insert, .line-insert').first()).toBeVisible()
  await expect(app.page.getByText(/^Merged preview: main as it was at/)).toBeVisible()
  const origins = app.page.getByRole('list', { name: 'Where the lines come from' })
  await expect(origins).toContainText('from researcher')
  await app.page.getByRole('button', { name: 'Inline' }).click()
  await expect(origins).toHaveCount(0)
})

test('a conflict lists the files and changes nothing', async ({ launch }) => {
  const repo = stores.mainAdvancedConflicting()
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  const refs = repo.refs()
  const before = snapshot(repo.dir)
  await expect(sleep.bringMainIn).toHaveCount(0)
  await app.page.getByRole('button', { name: 'Resolve conflicts' }).click()
  await expect(app.page.getByRole('list', { name: 'Files in conflict' }).getByText(PATHS.claim)).toBeVisible()
  expect(repo.refs()).toEqual(refs)
  expect(snapshotDiff(before, snapshot(repo.dir)).filter((line) => !line.includes('.git/objects'))).toEqual([])
})

test('a dirty tree is named with the paths that are in the way, and approval goes on once they are gone', async ({
  launch,
}) => {
  const repo = stores.dirtyTree()
  const tip = repo.oid(RUN)
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await expect(sleep.approve).toBeDisabled()
  await expect(app.page.getByText(PATHS.claim).first()).toBeVisible()
  repo.git('checkout', '-q', '--', PATHS.claim)
  await app.page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(sleep.approve).toBeEnabled()
  await approveUnviewed(app, sleep)
  expectApproved(repo, tip)
  expect(repo.read(PATHS.untouched).toString()).toBe('and here\n')
  expectSound(repo, [PATHS.untouched, 'areas/inbox/untracked.txt'])
})

test('local changes elsewhere survive an approval byte for byte', async ({ launch }) => {
  const repo = stores.dirtyElsewhere()
  const tip = repo.oid(RUN)
  const app = await launch(repo)
  await approveUnviewed(app, await app.review(RUN))
  expectApproved(repo, tip)
  expect(repo.read(PATHS.untouched).toString()).toBe('a person was here\n')
  expect(repo.read('notes.txt').toString()).toBe('untracked\n')
  expectSound(repo, [PATHS.untouched, 'notes.txt'])
})

test('a commit that no phase made is flagged', async ({ launch }) => {
  const repo = stores.foreignCommit()
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await expect(sleep.commits.getByText(/no phase made this/i)).toHaveCount(1)
})

test('a remote sleep branch can be reviewed, and says why it cannot be approved', async ({ launch }) => {
  const repo = stores.remoteOnly()
  const app = await launch(repo)
  const sleep = await app.review(`origin/${RUN}`)
  await expect(sleep.approve).toBeDisabled()
  await expect(sleep.approve).toHaveAccessibleDescription(/origin|remote/i)
  await expect(sleep.abort).toBeDisabled()
  await expect(sleep.changes.getByText('Claim changed')).toBeVisible()
})

test('marks that could not be applied are shown, kept, and applied again later', async ({ launch }) => {
  const repo = stores.noDatabases()
  const tip = repo.oid(RUN)
  const app = await launch(repo)
  await approveUnviewed(app, await app.review(RUN))
  expectApproved(repo, tip)
  await expect(app.item(RUN)).toHaveAccessibleName(/not applied/)
})

test('an approval from the command line is in the app’s history, and the list follows it', async ({ launch, cli }) => {
  const repo = stores.clean()
  const app = await launch(repo)
  await expect(app.item(RUN)).toBeVisible()
  const answer = await cli(repo, 'sleep', 'approve', RUN, '--json', '--actor', 'night-shift')
  expect(answer.envelope).toMatchObject({ type: 'sleep.approve', data: { approved: true } })
  await expect(app.item(RUN)).toHaveCount(0)
  const history = await app.history()
  await expect(history).toContainText('night-shift')
})

test('when main has moved on, Undo offers to revert the night instead', async ({ launch }) => {
  const repo = stores.clean()
  const base = repo.oid('main')
  const app = await launch(repo)
  await approveUnviewed(app, await app.review(RUN))
  repo.commit('memhtml(write): later', { 'areas/inbox/later.html': 'later\n' })
  await app.toast.getByRole('button', { name: 'Undo' }).click()
  await app.page.getByRole('button', { name: 'Revert this night' }).click()
  await expect.poll(() => repo.show('main', PATHS.claim).equals(repo.show(base, PATHS.claim))).toBe(true)
  expectOnDisk(repo, 'areas/inbox/later.html', 'main')
  expectSound(repo)
})
