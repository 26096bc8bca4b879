import { expect, it } from 'vitest'
import { openCore } from '../../../e2e/support/core.ts'
import { buildConflict, buildRepo, type Files, RUN, type Sides, type TestRepo } from '../../../e2e/support/index.ts'
import type { ConflictItem } from '../../../shared/model/index.ts'

const page = (text: string, ...links: string[]) =>
  `<article>\n<p>${text}</p>\n${links.map((to) => `<p><a\n href="${to}">see</a></p>\n`).join('')}</article>\n`

/** `facts/gone & back.html` is deleted by theirs and edited by ours; three pages link to it, one of them in conflict too. */
const target = 'facts/gone & back.html'
const base: Files = {
  [target]: page('one'),
  'facts/old.html': page('a fact that moves', '/areas/none.html'),
  'areas/a.html': page('a', '/facts/gone%20&amp;%20back.html#part'),
  'areas/é\udcff.html': page('b', '/facts/gone & back.html'.replace('&', '&amp;'), '/facts/old.html'),
  'areas/text.html': page('no link: /facts/gone & back.html'),
  'areas/no-page.md': `href="/${target}"\n`,
}
const sides: Sides = {
  config: '[grep]\n\tlineNumber = true\n\tcolumn = true\n[submodule]\n\trecurse = true\n',
  base,
  ours: {
    [target]: page('one, edited', `/${target}`),
    'facts/old.html': null,
    'facts/ours.html': base['facts/old.html'] as string,
  },
  theirs: { [target]: null, 'facts/old.html': null, 'facts/theirs.html': base['facts/old.html'] as string },
}

async function itemsIn(repo: TestRepo, from: 'worktree' | 'branch'): Promise<readonly ConflictItem[]> {
  const { ask, close } = await openCore(repo)
  const { sets } = await ask('conflicts.list', {})
  await close()
  return sets.find((one) => one.source.from === from)?.items ?? []
}

const notesOf = (item: ConflictItem | undefined) =>
  Object.fromEntries(
    (item?.choices ?? []).map(({ id, notes }) => [id, notes.filter((note) => note.includes('nowhere'))]),
  )

it.each(['worktree', 'branch'] as const)('names the pages that a choice leaves with dead links (%s)', async (from) => {
  const repo =
    from === 'worktree'
      ? buildConflict(sides)
      : buildRepo(undefined, {
          commits: [
            { message: 'base', files: base, label: 'base' },
            { on: RUN, from: 'base', message: 'night', files: { ...sides.theirs, 'night.md': 'n\n' } },
            { message: 'day', files: sides.ours },
          ],
        })
  const items = await itemsIn(repo, from)
  const dead = `areas/a.html and areas/é\udcff.html link to ${target} and then lead nowhere.`
  const gone = notesOf(items.find((one) => one.path === target))
  expect(gone).toEqual({ ours: [], theirs: [dead], base: [] })
  const renamed = notesOf(items.find((one) => one.kind === 'rename-rename'))
  const old = 'areas/é\udcff.html links to facts/old.html and then leads nowhere.'
  expect(renamed).toEqual({ 'ours-name': [old], 'theirs-name': [old], both: [old], base: [] })
})
