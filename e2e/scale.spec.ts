import { scrollChanges } from '../bench/openMeasure.ts'
import { expect, test } from './fixtures.ts'
import { buildLargeStore, buildRepo, RUN } from './support/index.ts'

/** Far from what a person's machine shows, so that a busy one still tells smooth from frozen; the bench has the figures. */
const FRAMES_A_SECOND = 3
const FROZEN_MS = 5000

test('a list of 20,000 changed files stays smooth, is filtered, and holds few rows', async ({ launch }) => {
  const files = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, at) => [`notes/${at % 200}/note-${at}.md`, `${at}\n`]),
  )
  const repo = buildRepo(undefined, {
    commits: [
      { message: 'Base', files: { 'README.md': 'Notes.\n' } },
      { on: RUN, message: 'Night', files },
    ],
  })
  const app = await launch(repo)
  const sleep = await app.review(RUN)
  await expect(sleep.viewedCount).toContainText('0 of 20,000 viewed', { timeout: 20_000 })
  const { framesPerSecond, longestFrameMs } = await scrollChanges(app.page)
  expect(framesPerSecond).toBeGreaterThan(FRAMES_A_SECOND)
  expect(longestFrameMs).toBeLessThan(FROZEN_MS)
  expect(await sleep.changes.getByRole('link').count()).toBeLessThan(200)
  await sleep.open('notes/77/note-12877.md')
  await sleep.viewed('notes/77/note-12877.md').check()
  await expect(sleep.viewedCount).toContainText('1 of 20,000 viewed')
})

test('a night of 2,000 files in a store of 20,000 opens and is ticked by kind', async ({ launch }) => {
  const app = await launch(buildLargeStore())
  const sleep = await app.review(RUN)
  await expect(sleep.viewedCount).toContainText('0 of 2,000 viewed')
  await expect(sleep.changes.getByText('Claim changed')).toBeVisible()
})
