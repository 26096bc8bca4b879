import { describe, expect, it } from 'vitest'
import { joinSides } from '../../../../e2e/support/conflictSides.ts'
import { buildConflict } from '../../../../e2e/support/conflicts.ts'
import { expectResult, expectSound, openStopped, stateOf } from '../../testing/stoppedCore.ts'

const kinds = ['text', 'modifyDelete', 'deleteModify', 'binary', 'symlinks', 'renameRename', 'lfs'] as const

describe('one side of many conflicts', () => {
  it.each(['ours', 'theirs'] as const)('%s: seen before, then taken, each by itself', async (take) => {
    const stopped = await openStopped(buildConflict(joinSides(kinds)))
    const { repo, ask, source } = stopped
    const items = (await stopped.set())?.items ?? []
    const before = stateOf(repo)
    const objects = repo.git('count-objects')
    const ids = items.map((one) => one.id)
    const preview = await ask('conflicts.previewBatch', { source, items: ids, take })
    expect(stateOf(repo)).toEqual(before)
    expect(repo.git('count-objects')).toBe(objects)
    expect(preview.map((row) => row.item)).toEqual(ids)
    expect(preview.every((row) => row.refusal === null)).toBe(true)
    const side = take === 'ours' ? 2 : 3
    for (const item of items) {
      const row = preview.find((one) => one.item === item.id)
      if (item.paths.length === 1 && item.kind !== 'rename-rename')
        expect(row?.result).toEqual(
          item.stages.filter((one) => one.stage === side).map(({ path, mode, oid }) => ({ path, mode, oid })),
        )
    }
    // One of them was edited: it alone is refused.
    repo.write('binary/data.bin', 'by hand\n')
    const given = items.map(({ id, fingerprint }) => ({ item: id, fingerprint }))
    const rows = await ask('conflicts.batch', { source, items: given, take })
    expect(rows.map((row) => row.result)).toEqual(preview.map((row) => row.result))
    for (const row of rows)
      expect(row.refusal).toEqual(
        row.path === 'binary/data.bin' ? { refusal: 'edited-on-disk', paths: ['binary/data.bin'] } : null,
      )
    expect(repo.read('binary/data.bin').toString()).toBe('by hand\n')
    expect(repo.git('ls-files', '-u')).toMatch(/^(?:.*\tbinary\/data\.bin\n?){3}$/)
    for (const item of items)
      if (item.path !== 'binary/data.bin')
        expectResult(repo, item, rows.find((row) => row.item === item.id)?.result ?? [])
    expectSound(repo)
    await stopped.close()
  })

  it.each(['ours', 'theirs'] as const)(
    '%s of a file with two names is that side’s own, never git’s merge',
    async (take) => {
      const long = Array.from({ length: 20 }, (_, i) => `line ${i}\n`)
      const edited = (text: string) => long.map((line, i) => (i === 9 ? text : line)).join('')
      const stopped = await openStopped(
        buildConflict({
          base: { 'old.md': long.join('') },
          ours: { 'old.md': null, 'a.md': edited('ours\n') },
          theirs: { 'old.md': null, 'b.md': edited('theirs\n') },
        }),
      )
      const { repo, ask, source } = stopped
      const item = (await stopped.set())?.items[0]
      if (item === undefined) throw new Error('no conflict')
      expect(repo.git('show', ':2:a.md')).toContain('<<<<<<<')
      const [row] = await ask('conflicts.batch', {
        source,
        items: [{ item: item.id, fingerprint: item.fingerprint }],
        take,
      })
      expect(row?.refusal).toBeNull()
      const path = take === 'ours' ? 'a.md' : 'b.md'
      expect(
        repo
          .git('ls-files')
          .split('\n')
          .filter((one) => /^(?:old|a|b)\.md$/.test(one)),
      ).toEqual([path])
      expect(repo.read(path).toString()).toBe(edited(`${take}\n`))
      expectSound(repo)
      await stopped.close()
    },
  )

  it('says in words what is given up', async () => {
    const stopped = await openStopped(buildConflict(joinSides(['text', 'modifyDelete', 'deleteModify', 'binary'])))
    const set = await stopped.set()
    const [ours, theirs] = [set?.ours.name, set?.theirs.name]
    const items = set?.items.map((one) => one.id) ?? []
    const rows = await stopped.ask('conflicts.previewBatch', { source: stopped.source, items, take: 'ours' })
    const said = Object.fromEntries(rows.map((row) => [row.path, row.sentence]))
    expect(said).toEqual({
      'text/notes.md': `${ours}'s file, 4 lines of ${theirs}'s given up`,
      'modifyDelete/gone.md': `${ours}'s file, ${theirs}'s deletion given up`,
      'deleteModify/gone.md': `deleted, as ${ours} did, 3 lines of ${theirs}'s given up`,
      'binary/data.bin': `${ours}'s file, ${theirs}'s given up`,
    })
    await stopped.close()
  })
})
