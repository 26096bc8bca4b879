import { readFileSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import { type Agent, startAgent } from './agents.ts'
import { expect, shareApp, test } from './fixtures.ts'
import { CandidatePage } from './pages/candidate.ts'
import { expectSound } from './proof.ts'
import { blobId } from './resolverProof.ts'
import { buildRepo, type TestRepo, withHome } from './support/index.ts'

/** A document of twelve lines, each with a line of space after it; `changed` gives lines other words. */
const plan = (title: string, changed: Readonly<Record<number, string>> = {}): string =>
  `# ${title}\n\n${Array.from({ length: 12 }, (_, i) => `${changed[i + 1] ?? `Line ${i + 1} of the plan.`}\n\n`).join('')}`

const DOCS = ['settle', 'moves', 'first', 'drop', 'clean', 'keys', 'loss'].map((name) => `areas/${name}.md`)
const FIELDS = '---\ntitle: Fields\nstatus: draft\ntags: [a]\n---\n\n# Fields\n\nOne line.\n'

const build = () =>
  buildRepo(undefined, {
    commits: [
      {
        message: 'Begin',
        files: { ...Object.fromEntries(DOCS.map((path) => [path, plan(path)])), 'areas/fields.md': FIELDS },
      },
    ],
  })

test.describe('what agents could not publish', () => {
  test.describe.configure({ mode: 'default' })
  const shared = shareApp(build)
  let planner: Agent
  let researcher: Agent
  test.beforeAll(async () => {
    const home = withHome()
    ;[planner, researcher] = await Promise.all([
      startAgent('planner', shared.repo, home),
      startAgent('researcher', shared.repo, home),
    ])
  })
  test.afterAll(async () => {
    await planner?.close()
    await researcher?.close()
  })

  /** Both agents change lines 3 and 8; line 5 is the planner's alone, line 11 the researcher's. */
  async function collide(path: string) {
    const { version } = await planner.fetch(path)
    const theirs = { 3: 'Line 3 as researched.', 8: 'Line 8 as researched.', 11: 'Line 11, found.' }
    const ours = { 3: 'Line 3 as planned.', 5: 'Line 5, planned.', 8: 'Line 8 as planned.' }
    await researcher.publish(path, plan(path, theirs), version, 'Note what was found')
    const met = await planner.meet(path, plan(path, ours), version, 'Plan the week')
    return { met, ours, theirs, version }
  }

  /** main holds exactly these bytes there, as does the folder, and nothing else is changed. */
  function expectPublished(repo: TestRepo, path: string, text: string) {
    expect(repo.git('rev-parse', `main:${path}`).trim()).toBe(blobId(text))
    expect(readFileSync(repo.file(path), 'utf8')).toBe(text)
    expect(repo.git('show', '--format=', '--name-only', 'main').trim()).toBe(path)
    expectSound(repo)
  }

  test('two agents conflict, one hands it over, and the person settles it', async () => {
    const path = 'areas/settle.md'
    const page = new CandidatePage(shared.page)
    const { met, version } = await collide(path)
    await expect(page.item(path)).toHaveAccessibleName(
      new RegExp(`^${path}, planner against researcher, 4 hunks, 2 conflicts, with planner until `),
    )
    const told = await planner.follow(`daybreak://candidate/${met.id}`)
    const handed = await planner.call('candidate_escalate', {
      candidate_id: met.id,
      reason: 'Both numbers are measured.',
    })
    expect(handed.text).toContain('escalated')
    await expect(page.item(path)).toHaveAccessibleName(/, escalated/)
    await expect(page.app.toast).toContainText('Both numbers are measured.')
    await page.app.toast.getByRole('button', { name: 'Show' }).click()
    await page.shown(path)

    for (const [who, said] of [
      ['planner', 'Plan the week'],
      ['researcher', 'Note what was found'],
    ] as const) {
      await expect(page.who).toContainText(who)
      await expect(page.about).toContainText(said)
    }
    await expect(page.who).toContainText(/planner, \d\d:\d\d.*researcher, \d\d:\d\d/s)
    await expect(page.about).toContainText('Both numbers are measured.')
    await expect(page.head('Ours: planner')).toContainText(`version ${version} + edit`)
    await expect(page.head('Base')).toContainText(`version ${version}`)
    await expect(page.head('Theirs: researcher')).toContainText(`version ${version + 1}`)
    await expect(page.head('Result')).toContainText(`becomes version ${version + 2}`)

    await expect(page.publish).toHaveAttribute('aria-disabled', 'true')
    await expect(page.publish).toHaveAccessibleDescription(/2 conflicts are open: 1 and 2/)
    await page.accept(1, /^Accept ours: planner/)
    await expect(page.publish).toHaveAccessibleDescription(/1 conflict is open: 2/)
    await page.accept(2, /^Accept both$/)
    await expect(page.publish).toHaveAttribute('aria-disabled', 'false')
    await page.publishes(path)
    expectPublished(
      shared.repo,
      path,
      plan(path, {
        3: 'Line 3 as planned.',
        5: 'Line 5, planned.',
        8: 'Line 8 as planned.\nLine 8 as researched.',
        11: 'Line 11, found.',
      }),
    )
    await expect(page.item(path)).toHaveCount(0)
    expect(await told.updated).toBe(`daybreak://candidate/${met.id}`)
    expect(await planner.show(met.id)).toMatchObject({ state: 'published', answer: { version: version + 2 } })
  })

  test('the document moves on while the page is open: rebuilt on the new head, with what still applies', async () => {
    const path = 'areas/moves.md'
    const page = new CandidatePage(shared.page)
    const { met, theirs, version } = await collide(path)
    await page.open(path)
    await page.accept(1, /^Accept ours: planner/)
    await page.accept(2, /^Accept theirs: researcher/)
    const further = plan(path, { ...theirs, 8: 'Line 8, researched again.', 12: 'Line 12, late.' })
    await researcher.publish(path, further, version + 1, 'Research again')
    await expect(page.changed).toContainText('researcher changed since the page was opened.')
    await expect(page.changed).toContainText('1 of 2 decisions apply still.')
    await expect(page.head('Theirs: researcher')).toContainText(`version ${version + 2}`)
    await expect(page.head('Result')).toContainText(`becomes version ${version + 3}`)
    await expect(page.about).toContainText('Research again')
    await expect(page.left).toHaveText('1 of 2 conflicts left')
    await page.accept(2, /^Accept theirs: researcher/)
    await expect(page.publish).toHaveAttribute('aria-disabled', 'false')
    await page.publishes(path)
    expectPublished(
      shared.repo,
      path,
      plan(path, {
        3: 'Line 3 as planned.',
        5: 'Line 5, planned.',
        8: 'Line 8, researched again.',
        11: 'Line 11, found.',
        12: 'Line 12, late.',
      }),
    )
    expect(await planner.show(met.id)).toMatchObject({ state: 'published', answer: { version: version + 3 } })
  })

  test('the agent publishes its own answer first: the page goes on, with the decisions kept', async () => {
    const path = 'areas/first.md'
    const page = new CandidatePage(shared.page)
    const { met, version } = await collide(path)
    await page.open(path)
    await page.accept(1, /^Accept ours: planner/)
    const answer = plan(path, {
      3: 'Line 3 as researched.',
      5: 'Line 5, planned.',
      8: 'Line 8 as planned.',
      11: 'Line 11, found.',
    })
    await planner.publish(path, answer, met.publishAtVersion)
    await expect(page.changed).toContainText('changed since the page was opened.')
    await expect(page.about).toContainText('has published an answer of its own')
    expect(shared.repo.git('rev-parse', `main:${path}`).trim()).toBe(blobId(answer))
    expect(await planner.show(met.id)).toMatchObject({ state: 'published', answer: { version: version + 2 } })
    await expect(page.head('Result')).toContainText(`becomes version ${version + 3}`)
    expectSound(shared.repo)
    await page.leave()
  })

  test('discarding keeps theirs and says what was dropped', async () => {
    const path = 'areas/drop.md'
    const page = new CandidatePage(shared.page)
    const { met, theirs } = await collide(path)
    await page.open(path)
    await page.discard.click()
    const dialog = page.app.dialog('Discard candidate?')
    await expect(dialog).toContainText(`${path} stays as it is`)
    await dialog.getByRole('button', { name: 'Discard candidate' }).click()
    await expect(page.app.toast.filter({ hasText: 'The candidate is discarded' })).toBeVisible()
    await page.inList()
    await expect(page.item(path)).toHaveCount(0)
    expect(shared.repo.git('rev-parse', `main:${path}`).trim()).toBe(blobId(plan(path, theirs)))
    const shown = await planner.show(met.id)
    expect(shown).toMatchObject({ state: 'discarded', answer: { version: null } })
    expect(JSON.stringify(shown.answer)).toContain('Line 5, planned.')
    expectSound(shared.repo)
  })

  test('what an agent lost in its answer is in the inbox, and comes back line by line', async () => {
    const path = 'areas/loss.md'
    const page = new CandidatePage(shared.page)
    const found = 'Twelve connections stay spare.'
    await researcher.publish(path, plan(path, { 11: found }), 1)
    const met = await planner.meet(path, plan(path, { 5: 'Ask Ines before switching.' }), 1)
    // The answer has nothing of what either of them wrote.
    await planner.publish(path, plan(path, { 2: 'A line of its own.' }), met.publishAtVersion)
    const lost = shared.page.getByRole('group', { name: `${path}, 2 lines lost` })
    await page.leave()
    await expect(page.item(path)).toHaveAccessibleName(/, 2 lines lost in what planner published, /)
    await expect(page.heading).toHaveText(/things? waits? for you/)
    await expect(page.item(path)).not.toHaveAttribute('aria-current')
    await lost.getByRole('button', { name: `Restore line: ${found}` }).click()
    await expect(page.app.toast.filter({ hasText: `${path} has that line again, as version 4` })).toBeVisible()
    expectPublished(shared.repo, path, plan(path, { 2: 'A line of its own.', 11: `Line 11 of the plan.\n\n${found}` }))
    const one = shared.page.getByRole('group', { name: `${path}, 1 line lost` })
    const axe = await new AxeBuilder({ page: shared.page }).include('.lost-lines').analyze()
    expect(axe.violations.map((v) => v.id)).toEqual([])
    await one.getByRole('button', { name: 'Let go: Ask Ines before switching.' }).click()
    await expect(one).toHaveCount(0)
    await expect(page.item(path)).toHaveCount(0)
  })

  test('without conflicts it is still looked at before it is published', async () => {
    const path = 'areas/clean.md'
    const page = new CandidatePage(shared.page)
    await researcher.publish(path, plan(path, { 2: 'Line 2, found.' }), 1)
    await planner.meet(path, plan(path, { 9: 'Line 9, planned.' }), 1)
    await expect(page.item(path)).toHaveAccessibleName(/2 hunks, 0 conflicts/)
    // It waits there also for who opens the app later.
    await shared.page.reload()
    await page.open(path)
    await expect(page.publish).toHaveAttribute('aria-disabled', 'false')
    await page.publishes(path)
    expectPublished(shared.repo, path, plan(path, { 2: 'Line 2, found.', 9: 'Line 9, planned.' }))
  })

  test('a document that was to be created where one is', async () => {
    const path = 'areas/created.md'
    const page = new CandidatePage(shared.page)
    await researcher.publish(path, plan(path, { 1: 'Researched.' }), 0)
    await planner.meet(path, plan(path, { 1: 'Planned.' }), 0)
    await page.open(path)
    await expect(page.head('Base')).toContainText('no common version')
    await page.accept(1, /^Accept both$/)
    await page.publishes(path)
    expectPublished(shared.repo, path, plan(path, { 1: 'Planned.\nResearched.' }))
  })

  test('fields of the front matter are merged one by one', async () => {
    const path = 'areas/fields.md'
    const page = new CandidatePage(shared.page)
    await researcher.publish(path, FIELDS.replace('draft', 'checked').replace('One line', 'One found line'), 1)
    await planner.meet(path, FIELDS.replace('Fields\n', 'Planned fields\n').replace('One line', 'One planned line'), 1)
    await page.open(path)
    await expect(page.left).toHaveText('1 of 1 conflicts left')
    await page.accept(1, /^Accept theirs: researcher/)
    await page.publishes(path)
    const text = FIELDS.replace('Fields\n', 'Planned fields\n')
      .replace('draft', 'checked')
      .replace('One line', 'One found line')
    expectPublished(shared.repo, path, text)
  })

  test('by keys alone, and sound for those who hear the page', async () => {
    const path = 'areas/keys.md'
    const page = new CandidatePage(shared.page)
    await collide(path)
    await page.item(path).focus()
    await shared.page.keyboard.press('Enter')
    await page.shown(path)
    const found = await new AxeBuilder({ page: shared.page }).disableRules('label-content-name-mismatch').analyze()
    expect(found.violations.flatMap((v) => v.nodes.map((node) => `${v.id}: ${node.target.join(' ')}`))).toEqual([])
    await page.heading.focus()
    await shared.page.keyboard.press('1')
    await expect(page.left).toHaveText('1 of 2 conflicts left')
    await shared.page.keyboard.press('n')
    await shared.page.keyboard.press('2')
    await expect(page.left).toHaveText('0 of 2 conflicts left')
    await expect(page.publish).toHaveAttribute('aria-disabled', 'false')
    await shared.page.keyboard.press('ControlOrMeta+Enter')
    await page.published(path)
    expectPublished(
      shared.repo,
      path,
      plan(path, {
        3: 'Line 3 as planned.',
        5: 'Line 5, planned.',
        8: 'Line 8 as researched.',
        11: 'Line 11, found.',
      }),
    )
  })
})
