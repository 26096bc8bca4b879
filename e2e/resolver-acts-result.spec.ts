import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRepro, replay } from '../electron/core/conflicts/text/replay.ts'
import { expect, shareApp, test } from './fixtures.ts'
import { ResolverPage } from './pages/resolver.ts'
import { blobId, expectSettled, outside } from './resolverProof.ts'
import { runCli } from './server.ts'
import { withLines } from './support/conflictSides.ts'
import { buildConflict, conflictSides, joinSides, type Sides, tempDir, withHome } from './support/index.ts'

const TITLE = 'Merging infra/pg17 into main'
const COUNT = 120

/** One conflict at the top, a line of each side far below, and one bullet that both added in other places. */
const audited: Sides = {
  base: { 'list.md': withLines({}, COUNT) },
  ours: {
    'list.md': withLines({ 4: 'ours 4\n', 40: 'line 40\n- Back up at two.\n', 110: 'ours alone\n' }, COUNT),
  },
  theirs: {
    'list.md': withLines({ 4: 'theirs 4\n', 70: 'line 70\n- Back up at two.\n', 90: 'theirs alone\n' }, COUNT),
  },
}

test.describe('what the result is made of, and what it lacks', () => {
  test.describe.configure({ mode: 'default' })
  const app = shareApp(() =>
    buildConflict(
      joinSides({
        audit: audited,
        warn: audited,
        proof: conflictSides.text(),
        hand: conflictSides.text(),
        marker: conflictSides.text(),
        copied: conflictSides.text(),
        picture: conflictSides.image(),
      }),
    ),
  )
  const open = async (path: string) => {
    const resolver = new ResolverPage(app.page)
    await resolver.overview(TITLE)
    await resolver.open(path)
    return resolver
  }
  const openLines = async (path: string) => {
    const resolver = await open(path)
    await resolver.checked()
    await expect(resolver.result).toBeAttached()
    return resolver
  }

  test('a hand edit of a conflict is mine, outlives going away, reloading and the next act, and is what is written', async () => {
    const before = outside(app.repo, 'hand')
    const resolver = await openLines('hand/notes.md')
    await resolver.cursorAt(14)
    await app.page.keyboard.type(' by hand')
    await expect(resolver.state('mine')).toHaveText('1 mine')
    await expect(resolver.left).toHaveText('2 of 3 conflicts left')
    await expect(resolver.conflict(2)).toContainText('edited by hand')

    // Another choice takes its place, and undo brings it back.
    await resolver.conflict(2).getByRole('button', { name: 'Change' }).click()
    await resolver.acceptOf(2, 'theirs').click()
    await expect(resolver.current).toHaveAccessibleName('Conflict 3 of 3')
    await resolver.previous.click()
    await resolver.shows('theirs 14')
    await resolver.undo.click()
    await resolver.shows('line 14 by hand')

    await resolver.showAll()
    await expect(resolver.file('hand/notes.md')).toHaveAccessibleName(/2 of 3 conflicts left/)
    await app.page.reload()
    await resolver.open('hand/notes.md')
    await expect(resolver.state('mine')).toHaveText('1 mine')
    await resolver.next.click()
    await resolver.shows('line 14 by hand')
    await resolver.previous.click()
    await resolver.checked()
    await resolver.acceptOf(1, 'ours').click()
    await resolver.acceptOf(3, 'theirs').click()
    await resolver.checked()
    await expect(resolver.complete).toHaveAttribute('aria-disabled', 'true')
    await expect(resolver.complete).toHaveAccessibleDescription(/not in the result: put (?:it|them) back, or drop/)
    await resolver.settleLosses()
    await resolver.markResolved('hand/notes.md')
    const result = withLines(
      { 3: 'ours 3\n', 8: 'ours alone\n', 14: 'line 14 by hand\n', 20: 'theirs alone\n', 26: 'theirs 26\n' },
      30,
    )
    expectSettled(app.repo, 'hand', { 'notes.md': result }, before)
  })

  test('lost lines are listed, shown on a click, put back, or dropped on purpose and recorded', async () => {
    const before = outside(app.repo, 'audit')
    const resolver = await openLines('audit/list.md')
    await resolver.accept('theirs')
    const row = (text: string) => resolver.audit.getByRole('listitem').filter({ hasText: text })
    await expect(row('ours 4')).toBeVisible()
    await expect(row('ours alone')).toHaveCount(0)

    // A line of one side alone goes by hand.
    await resolver.result.focus()
    await app.page.keyboard.press('ControlOrMeta+End')
    await resolver.shows('ours alone')
    for (let line = COUNT + 3; line > 112; line--) await app.page.keyboard.press('ArrowUp')
    for (const key of ['End', 'Shift+Home', 'Backspace', 'Backspace']) await app.page.keyboard.press(key)
    await resolver.checked()
    await expect(row('ours alone')).toBeVisible()

    // Far from what is seen, and shown by the row.
    await app.page.keyboard.press('ControlOrMeta+Home')
    const ours = app.page.getByRole('region', { name: /^Editor Ours: / })
    await expect(ours).not.toContainText('ours alone')
    await row('ours alone')
      .getByRole('button', { name: /^Show line \d+ of / })
      .click()
    await expect(ours).toContainText('ours alone')
    await expect(app.page.getByRole('textbox', { name: /^Ours: / })).toBeFocused()

    await row('ours alone').getByRole('button', { name: 'Put back' }).click()
    await expect(row('ours alone')).toHaveCount(0)
    await resolver.shows('ours alone')

    await row('ours 4').getByRole('button', { name: 'Drop on purpose' }).click()
    await expect(row('ours 4')).toContainText('dropped on purpose')
    await row('ours 4').getByRole('button', { name: 'Take back' }).click()
    await expect(row('ours 4')).not.toContainText('dropped on purpose')
    await row('ours 4').getByRole('button', { name: 'Drop on purpose' }).click()
    await expect(row('ours 4')).toContainText('dropped on purpose')
    await resolver.checked()

    // It is recorded: there after the page was read anew, and in the state that can be copied.
    await app.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const repro = JSON.parse(await resolver.copyState())
    expect(repro.draft.dropped).toEqual([{ side: 'ours', text: 'ours 4' }])
    await resolver.markResolved('audit/list.md')
    const result = withLines(
      {
        4: 'theirs 4\n',
        40: 'line 40\n- Back up at two.\n',
        70: 'line 70\n- Back up at two.\n',
        90: 'theirs alone\n',
        110: 'ours alone\n',
      },
      COUNT,
    )
    expectSettled(app.repo, 'audit', { 'list.md': result }, before)
  })

  test('a warning names its lines and shows them', async () => {
    const resolver = await openLines('warn/list.md')
    await expect(resolver.warnings).toContainText('once nothing is open')
    await resolver.accept('ours')
    await expect(resolver.warnings).toContainText('clean, but look')
    const warning = resolver.warnings.getByRole('listitem').filter({ hasText: /twice/ })
    await expect(warning).toContainText(/lines \d+ and \d+/)
    for (const side of ['Ours: planner', 'Theirs: researcher']) {
      const editor = app.page.getByRole('region', { name: `Editor ${side}` })
      await expect(editor).not.toContainText('- Back up at two.')
      const who = side.split(' ').at(-1)
      await warning.getByRole('button', { name: new RegExp(`^Show line \\d+ of ${who}: - Back up at two`) }).click()
      await expect(editor).toContainText('- Back up at two.')
      await expect(app.page.getByRole('textbox', { name: side })).toBeFocused()
      await app.page.keyboard.press('ControlOrMeta+Home')
    }
  })

  test('the proof says what was decided, what is identical, and the blob that git has afterwards', async () => {
    const before = outside(app.repo, 'proof')
    const resolver = await openLines('proof/notes.md')
    await expect(resolver.proof).toContainText('3 to decide before it is resolved')
    await expect(resolver.proof).not.toContainText('blob')
    await resolver.accept('ours', 'theirs', 'base')
    await expect(resolver.proof).toContainText(/3 hunks decided; all else identical/)
    await expect(resolver.proof).toContainText('LF, UTF-8')
    const result = withLines({ 3: 'ours 3\n', 8: 'ours alone\n', 14: 'theirs 14\n', 20: 'theirs alone\n' }, 30)
    await expect(resolver.proof).toContainText(`blob ${blobId(result).slice(0, 7)}`)
    await resolver.markResolved('proof/notes.md')
    expectSettled(app.repo, 'proof', { 'notes.md': result }, before)
  })

  test('a marker typed by hand blocks, with its line as the reason', async () => {
    const resolver = await openLines('marker/notes.md')
    await resolver.accept('ours', 'ours', 'ours')
    await resolver.cursorAt(1)
    await app.page.keyboard.type('\n<<<<<<< main')
    await resolver.checked()
    await expect(resolver.complete).toHaveAttribute('aria-disabled', 'true')
    await expect(resolver.complete).toHaveAccessibleDescription(/holds conflict markers, line 2\./)
    await resolver.undo.click()
    await resolver.checked()
    await expect(resolver.complete).toHaveAttribute('aria-disabled', 'false')
  })

  test('the copied state is a fixture: it gives the same again, and `merge-file --repro` writes the same form', async () => {
    const { repo } = app
    const resolver = await openLines('copied/notes.md')
    await resolver.accept('theirs', 'both', 'base')
    await app.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const json = await resolver.copyState()
    expect(json, 'no folder of this machine').not.toContain(repo.dir)
    const copied = readRepro(json)
    expect(replay(copied)).toEqual(copied)
    expect(copied.draft?.lines).toHaveLength(3)
    const stage = (n: number) => repo.gitBytes(['cat-file', 'blob', `:${n}:copied/notes.md`])
    const [base, ours, theirs] = [copied.base, copied.ours, copied.theirs].map((one) =>
      one !== null && 'text' in one ? one.text : null,
    )
    expect([base, ours, theirs]).toEqual([1, 2, 3].map((n) => stage(n).toString()))

    const dir = tempDir('repro')
    for (const [name, text] of Object.entries({ base, ours, theirs })) writeFileSync(join(dir, name), text ?? '')
    const run = await runCli(withHome(), dir, ['merge-file', '--json', '--repro', '-p', 'ours', 'base', 'theirs'])
    const cli = readRepro(run.stdout)
    expect(replay(cli)).toEqual(cli)
    expect([cli.base, cli.ours, cli.theirs, cli.regions, cli.exact]).toEqual([
      copied.base,
      copied.ours,
      copied.theirs,
      copied.regions,
      copied.exact,
    ])
  })

  test('an image blocks until it is chosen, and is compared by swipe, difference and base', async () => {
    const resolver = await open('picture/logo.png')
    await expect(resolver.left).toHaveText('1 of 1 conflicts left')
    await expect(resolver.complete).toHaveAccessibleDescription('Nothing is chosen yet.')
    for (const side of ['Ours', 'Theirs'])
      await expect(app.page.getByRole('region', { name: new RegExp(`^${side}: `) }).getByRole('img')).toBeVisible()
    const compare = app.page.getByRole('region', { name: 'Compare the images' })
    const front = compare.getByRole('img', { name: /, in front$/ })
    const slider = compare.getByRole('slider', { name: /^Swipe from / })
    for (const [value, clip] of [
      ['0', 'inset(0px 100% 0px 0px)'],
      ['100', 'inset(0px 0% 0px 0px)'],
    ] as const) {
      await slider.fill(value)
      await expect(front).toHaveCSS('clip-path', clip)
    }
    await slider.press('ArrowLeft')
    await expect(slider).toHaveAttribute('aria-valuetext', /^99 % of /)

    await compare.getByRole('button', { name: 'Difference' }).click()
    await expect(compare.getByRole('status')).toHaveText('100.0 % of the pixels differ; black is the same.')
    const canvas = compare.getByRole('img', { name: /^Difference of / })
    const pixel = await canvas.evaluate((element) => {
      const { width, height } = element as HTMLCanvasElement
      const context = (element as HTMLCanvasElement).getContext('2d')
      return { width, height, light: context?.getImageData(0, 0, 1, 1).data[0] ?? 0 }
    })
    expect(pixel).toEqual({ width: 12, height: 12, light: 255 })

    await compare.getByRole('button', { name: 'Base' }).click()
    await expect(compare.getByRole('img', { name: /^Base: / })).toBeVisible()
    await resolver.choose('theirs')
    await expect(resolver.left).toHaveText('0 of 1 conflicts left')
    await expect(resolver.complete).toHaveAttribute('aria-disabled', 'false')
  })
})
