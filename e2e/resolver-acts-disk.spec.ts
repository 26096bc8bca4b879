import { readFileSync } from 'node:fs'
import { expect, type RunningApp, test } from './fixtures.ts'
import { ResolverPage } from './pages/resolver.ts'
import { withLines } from './support/conflictSides.ts'
import {
  buildConflict,
  type ConflictRepo,
  copyRepo,
  joinSides,
  OTHER,
  prepareConflict,
  snapshot,
  snapshotDiff,
  stop,
  tempDir,
  withHome,
} from './support/index.ts'

const TITLE = 'Merging infra/pg17 into main'

let built: ConflictRepo | null = null
/** A merge with text, an image and a deletion in conflict; built once, copied for each test. */
function merging(): ConflictRepo {
  built ??= buildConflict(joinSides(['text', 'image', 'modifyDelete', 'twoFiles']))
  const to = tempDir('merging')
  return { ...built, ...copyRepo(built, to) }
}

/** Comes back to the window: the page looks at the disk then. */
const focus = (app: RunningApp) => app.page.evaluate(() => window.dispatchEvent(new Event('focus')))

async function openText(app: RunningApp): Promise<ResolverPage> {
  const resolver = new ResolverPage(app.page)
  await resolver.overview(TITLE)
  await resolver.open('text/notes.md')
  await expect(resolver.result).toBeAttached()
  await resolver.checked()
  return resolver
}

test('looking writes nothing: bytes, modes, times, index and refs', async ({ launch }) => {
  const repo = merging()
  const before = snapshot(repo.dir)
  const app = await launch(repo)
  const resolver = await openText(app)
  await resolver.next.click()
  await expect(resolver.current).toHaveAccessibleName('Conflict 2 of 3')
  for (const path of ['image/logo.png', 'modifyDelete/gone.md', 'twoFiles/a.md']) {
    await resolver.showAll()
    await resolver.open(path)
    await resolver.checked()
  }
  await focus(app)
  await resolver.showAll()
  // A decision is kept beside the repository's own files, and in none of them.
  await resolver.open('text/notes.md')
  await resolver.acceptOf(2, 'ours').click()
  await expect(resolver.left).toHaveText('2 of 3 conflicts left')
  await app.quit()
  expect(snapshotDiff(before, snapshot(repo.dir))).toEqual([])
})

test('a decision outlives a server that is killed, and the page asks before it leaves what is not kept', async ({
  launch,
  home,
  complaints,
}) => {
  const repo = merging()
  const first = await launch(repo)
  const resolver = await openText(first)
  await resolver.acceptOf(1, 'theirs').click()
  await resolver.acceptOf(2, 'both').click()
  await resolver.showAll()
  await expect(resolver.file('text/notes.md')).toHaveAccessibleName(/1 of 3 conflicts left/)
  await resolver.open('text/notes.md')
  await resolver.checked()

  // The server answers nothing any more: the next decision cannot be kept, and leaving asks.
  process.kill(first.server.pid, 'SIGSTOP')
  try {
    await resolver.acceptOf(3, 'ours').click()
    const asked = first.page.waitForEvent('dialog')
    await first.page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await expect(resolver.left).toHaveText('0 of 3 conflicts left')
  } finally {
    process.kill(first.server.pid, 'SIGKILL')
  }
  await first.page.context().close()
  complaints.length = 0

  const second = await launch(repo, { home })
  const again = await openText(second)
  await expect(again.left).toHaveText(/^[01] of 3 conflicts left$/)
  await expect(again.state('mine')).toHaveText(/^[23] mine$/)
  await again.goTo(1)
  await again.shows('theirs 3')
  expect(repo.git('ls-files', '-u', '--', 'text/notes.md').split('\n')).toHaveLength(3)
})

test('another editor changes the file: it is told, decisions stay, nothing is replaced unasked', async ({ launch }) => {
  const repo = merging()
  const app = await launch(repo)
  const resolver = await openText(app)
  await resolver.accept('ours', 'ours', 'ours')
  const elsewhere = withLines({ 3: 'of another editor\n', 8: 'ours alone\n', 20: 'theirs alone\n' }, 30)
  repo.write('text/notes.md', elsewhere)
  await focus(app)
  const notice = app.page.getByRole('status').filter({ hasText: 'was edited after git wrote the conflict' })
  await expect(notice).toBeVisible()
  await expect(resolver.left).toHaveText('0 of 3 conflicts left')
  await resolver.complete.click()
  const alert = app.page.getByRole('alert').filter({ hasText: 'Nothing was written.' })
  await expect(alert).toBeVisible()
  expect(readFileSync(repo.file('text/notes.md')).toString()).toBe(elsewhere)
  expect(repo.git('ls-files', '-u', '--', 'text')).not.toBe('')

  await alert.getByRole('button', { name: 'Take over what is in the file' }).click()
  await resolver.cursorAt(1)
  await resolver.shows('of another editor')
  await resolver.undo.click()
  await resolver.shows('ours 3')
  await resolver.checked()
  await resolver.complete.click()
  await app.page.getByRole('button', { name: 'Replace it' }).click()
  await expect.poll(() => repo.git('ls-files', '-u', '--', 'text')).toBe('')
  expect(readFileSync(repo.file('text/notes.md')).toString()).toContain('ours 3\n')
})

test('`git checkout --ours` and `git add` outside are told, and the page follows', async ({ launch }) => {
  const repo = merging()
  const app = await launch(repo)
  const resolver = await openText(app)
  await resolver.accept('theirs')
  repo.git('checkout', '-q', '--ours', '--', 'text/notes.md')
  await focus(app)
  await expect(
    app.page.getByRole('status').filter({ hasText: 'text/notes.md was replaced by git on disk.' }),
  ).toBeVisible()
  await expect(resolver.left).toHaveText('2 of 3 conflicts left')
  repo.git('add', '--', 'text/notes.md')
  await expect(resolver.left).toHaveText('Resolved')
  await resolver.overview(TITLE)
  await expect(resolver.file('text/notes.md')).toHaveAccessibleName(/resolved$/)
})

test('a side becomes another one: decisions that still apply are kept, and it is said which', async ({ launch }) => {
  const repo = merging()
  const app = await launch(repo)
  const resolver = await openText(app)
  await resolver.accept('ours', 'both', 'theirs')
  const other = repo.gitBytes(['cat-file', 'blob', ':3:text/notes.md']).toString().replace('theirs 26', 'other 26')
  const oid = repo.gitBytes(['hash-object', '-w', '--stdin'], { input: other }).toString().trim()
  repo.gitBytes(['update-index', '-z', '--index-info'], { input: `100644 ${oid} 3\ttext/notes.md\0` })
  await focus(app)
  const notice = app.page.getByRole('status').filter({ hasText: 'changed since the page was opened' })
  await expect(notice).toContainText('researcher changed since the page was opened. 2 of 3 decisions apply still.')
  await expect(resolver.left).toHaveText('1 of 3 conflicts left')
  await expect(resolver.complete).toHaveAccessibleDescription('1 conflict is open: 3.')
  await resolver.acceptOf(3, 'theirs').click()
  await resolver.checked()
  await resolver.markResolved('text/notes.md')
  expect(repo.read('text/notes.md').toString()).toContain('other 26\n')
})

test('the merge is given up outside, and then here: the page says so each time', async ({ launch }) => {
  const repo = merging()
  const head = repo.oid('HEAD')
  const app = await launch(repo)
  const resolver = await openText(app)
  await resolver.accept('ours')
  repo.git('merge', '--abort')
  await expect(app.page.getByRole('main')).toContainText(/no longer|not in conflict|any more/i)
  await expect(resolver.inbox.getByRole('link')).toHaveCount(0)

  expect(repo.code('merge', '--no-edit', 'infra/pg17')).not.toBe(0)
  await resolver.overview(TITLE)
  await resolver.abort.click()
  const dialog = resolver.app.dialog(/\?$/)
  await expect(dialog).toContainText('The files go back to what they were before git began.')
  await dialog.getByRole('button', { name: 'Keep deciding' }).click()
  expect(repo.git('ls-files', '-u')).not.toBe('')
  await resolver.abort.click()
  await dialog.getByRole('button', { name: /^Abort/ }).click()
  await expect(resolver.app.toast).toContainText('given up')
  expect(repo.git('ls-files', '-u')).toBe('')
  expect(repo.oid('HEAD')).toBe(head)
  expect(repo.status()).toBe('')
  repo.fsck()
})

test('a rebase goes on from step to step, and its sides keep their names', async ({ launch }) => {
  const repo = buildConflict('twoFiles', { operation: 'rebase', after: [{ 'a.md': 'after\n' }] })
  const app = await launch(repo)
  const resolver = new ResolverPage(app.page)
  await resolver.inbox.getByRole('link').first().click()
  await expect(resolver.files).toBeVisible()
  await expect(resolver.proceed).toHaveAttribute('aria-disabled', 'true')
  await expect(resolver.proceed).toHaveAccessibleDescription(/./)
  for (const path of ['a.md', 'sub/b.md']) await resolver.select(path).check()
  await expect(resolver.all('theirs')).toHaveAccessibleName(/researcher|infra\/pg17/)
  await resolver.all('ours').click()
  await resolver.app
    .dialog(/^Take /)
    .getByRole('button', { name: /^Take / })
    .click()
  await expect.poll(() => repo.git('ls-files', '-u')).toBe('')
  await resolver.proceed.click()
  await expect(resolver.app.toast.filter({ hasText: 'stopped at its next conflicts' })).toBeVisible()
  await expect(resolver.select('a.md')).toHaveAttribute('aria-disabled', 'false')
  await resolver.select('a.md').check()
  await resolver.all('theirs').click()
  await resolver.app
    .dialog(/^Take /)
    .getByRole('button', { name: /^Take / })
    .click()
  await expect.poll(() => repo.git('ls-files', '-u')).toBe('')
  await resolver.proceed.click()
  await expect(resolver.app.toast.filter({ hasText: 'done' })).toBeVisible()
  expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/infra/pg17')
  expect(repo.show('HEAD', 'a.md').toString()).toBe('after\n')
  expect(repo.show('HEAD', 'sub/b.md').toString()).toBe('ours\n')
  expect(repo.status()).toBe('')
})

const RESOLVED = withLines(
  { 3: 'both 3\n', 8: 'ours alone\n', 14: 'theirs 14\n', 20: 'theirs alone\n', 26: 'ours 26\n' },
  30,
)

/** rerere knows from another day what became of the same conflicts. `written`: it has put it into the file already. */
function resolvedBefore(state: 'recorded' | 'written'): ConflictRepo {
  const repo = prepareConflict('text', { config: '[rerere]\n\tenabled = true\n' })
  const tip = repo.oid('HEAD')
  repo.code('merge', '--no-edit', OTHER)
  repo.write('notes.md', RESOLVED)
  repo.git('add', 'notes.md')
  repo.git('commit', '-q', '-m', 'Merge')
  repo.git('reset', '-q', '--hard', tip)
  stop(repo)
  if (state === 'recorded') repo.git('checkout', '-q', '-m', '--', 'notes.md')
  return repo
}

for (const state of ['recorded', 'written'] as const)
  test(`rerere: a ${state} resolution is shown as such, and used by the person's act alone`, async ({ launch }) => {
    const repo = resolvedBefore(state)
    const before = snapshot(repo.dir)
    const app = await launch(repo)
    const resolver = new ResolverPage(app.page)
    await resolver.overview(TITLE)
    await expect(resolver.files.getByRole('listitem')).toContainText('recorded resolution')
    await resolver.open('notes.md')
    await resolver.checked()
    await expect(resolver.left).toHaveText('3 of 3 conflicts left')
    await expect(resolver.state('rerere')).toHaveText('0 rerere')
    await expect(resolver.complete).toHaveAttribute('aria-disabled', 'true')
    expect(snapshotDiff(before, snapshot(repo.dir))).toEqual([])
    await resolver.acceptOf(1, 'recorded').click()
    await expect(resolver.state('rerere')).toHaveText('1 rerere')
    // A decision goes on to the next conflict, so that the next key decides that one.
    await expect(resolver.current).toHaveAccessibleName('Conflict 2 of 3')
    await resolver.goTo(1)
    await expect(resolver.conflict(1)).toContainText('recorded resolution used')
    await resolver.shows('both 3')
    await resolver.conflict(1).getByRole('button', { name: 'Take back' }).click()
    await expect(resolver.left).toHaveText('3 of 3 conflicts left')
    await resolver.accept('recorded', 'recorded', 'recorded')
    await resolver.settleLosses()
    await resolver.markResolved('notes.md')
    expect(repo.read('notes.md').toString()).toBe(RESOLVED)
    expect(repo.git('ls-files', '-u')).toBe('')
  })

test('the same file in two windows: what one writes the other shows, and neither puts markers back', async ({
  launch,
  browser,
}) => {
  const repo = merging()
  const one = await launch(repo)
  const here = await openText(one)
  const two = await launch(repo, { home: withHome() })
  const there = await openText(two)
  await there.accept('theirs', 'theirs', 'theirs')
  await there.settleLosses()
  await there.markResolved('text/notes.md')
  const written = repo.read('text/notes.md')
  await expect(here.left).toHaveText('Resolved')
  await focus(one)
  expect(repo.read('text/notes.md').equals(written)).toBe(true)
  expect(written.toString()).not.toContain('<<<<')
  expect(browser.contexts()).toHaveLength(2)
})
