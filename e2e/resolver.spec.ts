import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { expectSound } from './proof.ts'
import { joinSides } from './support/conflictSides.ts'
import { buildConflict } from './support/conflicts.ts'
import { gitBytes } from './support/git.ts'
import { tempDir } from './support/index.ts'

test('a merge in progress: lines by keyboard, a deletion by choice, then the merge is committed', async ({
  launch,
}) => {
  const repo = buildConflict(joinSides(['text', 'modifyDelete', 'binary']))
  const untouched = repo
    .git('ls-files', '-s')
    .split('\n')
    .filter((line) => line.split(/\s+/)[2] === '0')
  const blob = (stage: string) => gitBytes(repo.dir, ['cat-file', 'blob', `:${stage}:text/notes.md`])
  // What git makes of the same three texts where ours wins each conflict.
  const [ours, base, theirs] = ['2', '1', '3'].map((stage) => {
    const path = join(tempDir(), stage)
    writeFileSync(path, blob(stage))
    return path
  }) as [string, string, string]
  const decided = execFileSync('git', ['merge-file', '-p', '--ours', ours, base, theirs])
  const data = repo.git('rev-parse', ':3:binary/data.bin').trim()
  const app = await launch(repo)
  const { page } = app
  await app
    .group('Conflicts')
    .getByRole('link', { name: /^text\/notes\.md/ })
    .click()
  const complete = page.getByRole('button', { name: 'Mark resolved' })
  await expect(page.getByRole('textbox', { name: 'Result' })).toBeAttached()
  await expect(complete).toHaveAttribute('aria-disabled', 'true')
  const left = page.getByRole('status').filter({ hasText: /\d+ of \d+ conflicts left/ })
  const total = Number(/of (\d+)/.exec((await left.innerText()) ?? '')?.[1])
  for (let i = 0; i < total; i++) {
    await page
      .getByRole('group', { name: /^Conflict \d+ of \d+/ })
      .first()
      .waitFor()
    await page
      .getByRole('heading', { level: 1 })
      .focus()
      .catch(() => {})
    await page.keyboard.press('1')
    await expect(left).toHaveText(new RegExp(`${total - i - 1} of ${total} conflicts left`))
  }
  await complete.click()
  await expect(app.toast.getByRole('button', { name: 'Undo' })).toBeVisible()
  await expect.poll(() => repo.git('ls-files', '-u', '--', 'text/notes.md')).toBe('')
  expect(blob('0').equals(decided)).toBe(true)
  expect(readFileSync(repo.file('text/notes.md')).equals(decided)).toBe(true)

  // The next open file is shown by itself.
  for (const path of ['binary/data.bin', 'modifyDelete/gone.md']) {
    await page.getByRole('heading', { level: 1, name: path }).waitFor()
    await page.getByRole('radio', { name: /^Accept theirs: / }).check()
    await complete.click()
  }
  await expect.poll(() => repo.git('ls-files', '-u')).toBe('')
  expect(repo.git('ls-files', '--', 'modifyDelete/gone.md')).toBe('')
  expect(repo.git('ls-files', '-s', '--', 'binary/data.bin')).toContain(` ${data} 0\t`)
  for (const line of untouched) expect(repo.git('ls-files', '-s')).toContain(line)

  await page.getByRole('button', { name: /Commit the merge/ }).click()
  await expect.poll(() => repo.git('rev-list', '--parents', '-1', 'HEAD').trim().split(' ').length).toBe(3)
  expectSound(repo)
})
