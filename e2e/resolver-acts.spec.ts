import { expect, shareApp, test } from './fixtures.ts'
import { ResolverPage } from './pages/resolver.ts'
import { expectSettled, outside } from './resolverProof.ts'
import { withLines } from './support/conflictSides.ts'
import { buildConflict, conflictSides, joinSides, type Sides } from './support/index.ts'

const TITLE = 'Merging infra/pg17 into main'

/** Two conflicts in which the sides changed other words, and one in which they changed the same. */
const prose: Sides = {
  base: { 'prose.md': withLines({ 2: 'The quick brown fox jumps.\n', 6: 'Back up at two, keep seven.\n' }) },
  ours: {
    'prose.md': withLines({ 2: 'The slow brown fox jumps.\n', 6: 'Back up at three, keep seven.\n', 10: 'ours\n' }),
  },
  theirs: {
    'prose.md': withLines({ 2: 'The quick brown fox leaps.\n', 6: 'Back up at two, keep nine.\n', 10: 'theirs\n' }),
  },
}

/** Both added a function in one place: the closing line and the blank one after it are the same. */
const closers: Sides = {
  base: { 'code.js': 'top\n\nbottom\n' },
  ours: { 'code.js': 'top\n\nfunction a() {\n  return 1\n}\n\nbottom\n' },
  theirs: { 'code.js': 'top\n\nfunction b() {\n  return 2\n}\n\nbottom\n' },
}

const one = (name: string): Sides => ({
  base: { [name]: 'one\n' },
  ours: { [name]: 'ours\n' },
  theirs: { [name]: 'theirs\n' },
})

test.describe('acts on conflicts in lines', () => {
  test.describe.configure({ mode: 'default' })
  const app = shareApp(() =>
    buildConflict(
      joinSides({
        prose,
        closers,
        closersSwapped: closers,
        walk: conflictSides.text(),
        hand: conflictSides.text(),
        batchA: one('a.md'),
        batchB: one('b.md'),
        batchC: conflictSides.modifyDelete(),
      }),
    ),
  )
  const open = async (path: string) => {
    const resolver = new ResolverPage(app.page)
    await resolver.overview(TITLE)
    await resolver.open(path)
    await resolver.checked()
    return resolver
  }

  test('the simple ones are decided by rule, shown, and taken back one by one', async () => {
    const resolver = await open('prose/prose.md')
    await expect(resolver.left).toHaveText('3 of 3 conflicts left')
    await expect(resolver.simple).toHaveAccessibleName('Resolve simple conflicts, 2')
    await resolver.simple.click()
    await expect(resolver.left).toHaveText('1 of 3 conflicts left')
    await expect(resolver.state('rule')).toHaveText('2 rule')
    await expect(resolver.state('open')).toHaveText('1 open')
    // The page goes to the first of them, and shows both results and why.
    await expect(resolver.conflict(1)).toHaveAttribute('aria-current', 'true')
    await expect(resolver.conflict(1)).toContainText('word edits do not overlap: both are in')
    await resolver.shows('The slow brown fox leaps.')
    await resolver.shows('Back up at three, keep nine.')
    await expect(resolver.simple).toHaveAttribute('aria-disabled', 'true')
    await expect(resolver.complete).toHaveAttribute('aria-disabled', 'true')

    // One of them by its own button, the other stays.
    await resolver.conflict(2).getByRole('button', { name: 'Take back' }).click()
    await expect(resolver.left).toHaveText('2 of 3 conflicts left')
    await resolver.shows('Back up at two, keep seven.')
    await resolver.shows('The slow brown fox leaps.')
    await resolver.undo.click()
    await expect(resolver.left).toHaveText('1 of 3 conflicts left')
    // Each was an act of its own.
    await resolver.undo.click()
    await expect(resolver.left).toHaveText('2 of 3 conflicts left')
    await resolver.shows('The slow brown fox leaps.')
    await resolver.undo.click()
    await expect(resolver.left).toHaveText('3 of 3 conflicts left')
    await resolver.shows('The quick brown fox jumps.')
    await expect(resolver.undo).toHaveAttribute('aria-disabled', 'true')
  })

  for (const [folder, accept, first, second] of [
    ['closers', 'both', 'a() {\n  return 1', 'b() {\n  return 2'],
    ['closersSwapped', 'both, theirs first', 'b() {\n  return 2', 'a() {\n  return 1'],
  ] as const)
    test(`${accept}: a shared closing line stays with each`, async () => {
      const before = outside(app.repo, folder)
      const resolver = await open(`${folder}/code.js`)
      await resolver.accept(accept)
      await resolver.markResolved(`${folder}/code.js`)
      const result = `top\n\nfunction ${first}\n}\n\nfunction ${second}\n}\n\nbottom\n`
      expectSettled(app.repo, folder, { 'code.js': result }, before)
    })

  test('undo goes back to the state at opening, redo forth again, and the states filter the steps', async () => {
    const resolver = await open('walk/notes.md')
    const opened = await resolver.resultText()
    await resolver.accept('ours', 'base', 'both, theirs first')
    await expect(resolver.left).toHaveText('0 of 3 conflicts left')
    await resolver.shows('line 25\ntheirs 26\nours 26\nline 27')
    await expect(resolver.state('mine')).toHaveText('3 mine')
    await expect(resolver.complete).toHaveAttribute('aria-disabled', 'false')
    for (const left of [1, 2, 3]) {
      await resolver.undo.click()
      await expect(resolver.left).toHaveText(`${left} of 3 conflicts left`)
    }
    await expect(resolver.undo).toHaveAttribute('aria-disabled', 'true')
    await resolver.shows(opened)
    await expect(resolver.complete).toHaveAccessibleDescription('3 conflicts are open: 1, 2 and 3.')
    for (const left of [2, 1]) {
      await resolver.redo.click()
      await expect(resolver.left).toHaveText(`${left} of 3 conflicts left`)
    }
    await expect(resolver.complete).toHaveAccessibleDescription('1 conflict is open: 3.')
    await resolver.complete.click({ force: true })
    await expect(resolver.left).toHaveText('1 of 3 conflicts left')

    // The steps go through the decided ones alone, then through all.
    await resolver.state('mine').click()
    await expect(resolver.state('mine')).toHaveAttribute('aria-pressed', 'true')
    await resolver.previous.click()
    await resolver.previous.click()
    await expect(resolver.current).toHaveAccessibleName('Conflict 1 of 3')
    await resolver.next.click()
    await expect(resolver.current).toHaveAccessibleName('Conflict 2 of 3')
    await resolver.next.click()
    await expect(resolver.current).toHaveAccessibleName('Conflict 2 of 3')
    await resolver.state('mine').click()
    await resolver.next.click()
    await expect(resolver.current).toHaveAccessibleName('Conflict 3 of 3')
  })

  test('one side of the selected files, shown before, and taken back', async () => {
    const { repo } = app
    const resolver = new ResolverPage(app.page)
    await resolver.overview(TITLE)
    const paths = ['batchA/a.md', 'batchB/b.md', 'batchC/gone.md']
    const unmerged = () => repo.git('ls-files', '-u', '--', 'batchA', 'batchB', 'batchC')
    const before = unmerged()
    await expect(resolver.all('theirs')).toHaveAttribute('aria-disabled', 'true')
    for (const path of paths) await resolver.select(path).check()
    await resolver.all('theirs').click()
    const dialog = resolver.app.dialog(/^Take .* side of 3 files$/)
    await expect(dialog.getByRole('listitem')).toHaveCount(3)
    await expect(dialog).toContainText('batchC/gone.md')
    expect(unmerged(), 'showing it writes nothing').toBe(before)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(unmerged()).toBe(before)

    await resolver.all('theirs').click()
    await dialog.getByRole('button', { name: /^Take .* in 3 files$/ }).click()
    await expect(resolver.app.toast).toContainText('3 files')
    expect(unmerged()).toBe('')
    expect(repo.read('batchA/a.md').toString()).toBe('theirs\n')
    expect(repo.git('rev-parse', ':0:batchB/b.md')).toBe(repo.git('rev-parse', 'infra/pg17:batchB/b.md'))
    expect(repo.git('ls-files', '--', 'batchC')).toBe('')

    await resolver.app.toast.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(unmerged).toBe(before)
    await resolver.overview(TITLE)
    for (const path of paths) await expect(resolver.file(path)).toHaveAccessibleName(/left|open|not decided/)

    // They are still selected.
    await resolver.select('batchC/gone.md').uncheck()
    await resolver.all('ours').click()
    await resolver.app
      .dialog(/^Take .* side of 2 files$/)
      .getByRole('button', { name: /^Take / })
      .click()
    await expect.poll(() => repo.git('ls-files', '-u', '--', 'batchA', 'batchB')).toBe('')
    expect(repo.git('rev-parse', ':0:batchA/a.md')).toBe(repo.git('rev-parse', 'main:batchA/a.md'))
  })
})
