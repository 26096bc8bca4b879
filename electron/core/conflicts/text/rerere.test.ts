import { expect, it } from 'vitest'
import { withLines } from '../../../../e2e/support/conflictSides.ts'
import { prepareConflict, stop } from '../../../../e2e/support/conflicts.ts'
import { openCore } from '../../../../e2e/support/core.ts'

it('shows what git’s rerere wrote by itself, conflict by conflict, and takes none of it unasked', async () => {
  const repo = prepareConflict('text', { config: '[rerere]\n\tenabled = true\n' })
  stop(repo)
  const resolved = withLines(
    { 3: 'both 3\n', 8: 'ours alone\n', 14: 'first 14\nsecond 14\n', 20: 'theirs alone\n', 26: '' },
    30,
  )
  repo.write('notes.md', resolved)
  repo.git('add', 'notes.md')
  repo.git('commit', '-qm', 'resolved')
  repo.git('reset', '-q', '--hard', 'HEAD^')
  stop(repo)
  expect(repo.read('notes.md').toString()).toBe(resolved)
  expect(repo.git('ls-files', '-u')).not.toBe('')
  const { ask, close } = await openCore(repo)
  const { sets } = await ask('conflicts.list', {})
  const [item] = sets[0]?.items ?? []
  const source = sets[0]?.source
  if (item === undefined || source === undefined) throw new Error('no conflict')
  expect(item).toMatchObject({ state: 'open', rerere: 'written', total: 3, left: 3 })
  const opened = await ask('conflicts.get', { source, item: item.id })
  expect(opened.merge?.conflicts.map((one) => one.recorded)).toEqual(['both 3\n', 'first 14\nsecond 14\n', ''])
  expect(opened.draft.lines).toEqual([null, null, null])
  const lines = opened.draft.lines.map(() => ({ take: 'recorded' as const, by: 'rerere' as const }))
  const given = { source, item: item.id, fingerprint: item.fingerprint, draft: { ...opened.draft, lines } }
  const checked = await ask('conflicts.check', given)
  expect(checked).toMatchObject({ open: 0, holds: true, proof: '3 hunks decided; all else identical' })
  expect(await ask('conflicts.resolve', { ...given, overDisk: null })).toMatchObject({
    resolved: true,
    result: [{ oid: checked.oid }],
  })
  expect(repo.git('ls-files', '-s', 'notes.md')).toContain(checked.oid)
  expect(repo.git('cat-file', 'blob', checked.oid ?? '')).toBe(resolved.trimEnd())
  await close()
})
