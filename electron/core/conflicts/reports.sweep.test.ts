import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CONFLICT_NAMES, conflictSides, joinSides, withLines } from '../../../e2e/support/conflictSides.ts'
import { openCore } from '../../../e2e/support/core.ts'
import { buildConflict, pathBytes, type TestRepo } from '../../../e2e/support/index.ts'
import type { LineDecision } from '../../../shared/model/index.ts'
import { copyOf, draftOf, droppingLost, openStopped, resolveItem, type Stopped } from '../testing/stoppedCore.ts'

/** Faults that people reported of other tools, as cases of ours. README.md lists which report is tested where. */
const oid = (repo: TestRepo, name: string) => repo.git('rev-parse', name)

async function decideAll(stopped: Stopped, take: LineDecision['take'] | ((n: number) => LineDecision)) {
  const made = new Map<string, string>()
  for (const item of (await stopped.set())?.items ?? []) {
    const draft = await draftOf(stopped, item, take)
    const { result } = await resolveItem(stopped, item, await droppingLost(stopped, item, draft))
    for (const one of result) made.set(one.path, one.oid)
  }
  return made
}

describe('R1: three `=======` in one hunk', () => {
  it.each(['ours', 'theirs', 'base'] as const)('%s is the side itself, byte for byte', async (take) => {
    const stopped = await openStopped(buildConflict('setext'))
    expect(
      stopped.repo
        .read('readme.md')
        .toString()
        .match(/^=======$/gm),
    ).toHaveLength(3)
    const made = await decideAll(stopped, take)
    const stage = { base: 'main~1', ours: 'main', theirs: 'infra/pg17' }[take]
    expect(made.get('readme.md')).toBe(oid(stopped.repo, `${stage}:readme.md`))
    await stopped.close()
  })
})

describe('R4: no newline at the end, in all eight combinations', () => {
  it('every decision keeps what its side has, though the file on disk cannot tell', async () => {
    const stopped = await openStopped(buildConflict('finalNewlines'))
    const takes = [
      ['ours', 'main'],
      ['theirs', 'infra/pg17'],
      ['base', 'main~1'],
    ] as const
    const items = (await stopped.set())?.items ?? []
    expect(items).toHaveLength(8)
    for (const [at, item] of items.entries()) {
      const [take, stage] = takes[at % 3] ?? takes[0]
      const { result } = await resolveItem(stopped, item, await draftOf(stopped, item, take))
      expect([item.path, result[0]?.oid]).toEqual([item.path, oid(stopped.repo, `${stage}:${item.path}`)])
    }
    await stopped.close()
  })
})

describe('R6: names that break tools', () => {
  it('each is told, decided and written under its own name, and no other file with it', async () => {
    const built = buildConflict('names')
    const stopped = await openStopped(built)
    const items = (await stopped.set())?.items ?? []
    expect(items.map((one) => one.path).sort()).toEqual([...CONFLICT_NAMES].sort())
    const rows = () => built.gitBytes(['ls-files', '-u', '-z']).toString('latin1').split('\0').filter(Boolean)
    let left = CONFLICT_NAMES.length
    // Those that are patterns first: nothing else is to go with them.
    for (const item of [...items].sort((a, b) => Number(/[*:]/.test(b.path)) - Number(/[*:]/.test(a.path)))) {
      await resolveItem(stopped, item, await draftOf(stopped, item, 'theirs'))
      left--
      expect(rows()).toHaveLength(left * 3)
      expect(rows().some((row) => row.endsWith(`\t${pathBytes(item.path).toString('latin1')}`))).toBe(false)
      expect(built.read(item.path).toString()).toBe('theirs\n')
    }
    await stopped.close()
  })
})

describe('1, 3, 5: line endings, code pages and byte order marks', () => {
  it('only the hunk that was decided differs, in bytes', async () => {
    const kinds = ['crlf', 'cp1252', 'utf8Bom', 'utf16'] as const
    const stopped = await openStopped(buildConflict(joinSides(kinds)))
    const { repo } = stopped
    const made = await decideAll(stopped, () => ({ take: 'text', text: 'both sides\n', by: 'mine' }))
    for (const [path, blob] of made) {
      const wide = path.endsWith('wide.txt')
      const lines = (name: string) =>
        repo
          .gitBytes(['cat-file', 'blob', name])
          .toString(wide ? 'utf16le' : 'latin1')
          .split('\n')
      const [before, after] = [lines(`main:${path}`), lines(blob)]
      expect(after).toHaveLength(before.length)
      const others = after.flatMap((line, at) => (line === before[at] ? [] : [line]))
      expect([path, others]).toEqual([path, [path.endsWith('dos.txt') ? 'both sides\r' : 'both sides']])
    }
    await stopped.close()
  })
})

describe('9: the style in which git wrote the file', () => {
  it('changes nothing about what a decision gives', async () => {
    const made = []
    for (const style of ['merge', 'diff3', 'zdiff3']) {
      const stopped = await openStopped(buildConflict('text', { config: `[merge]\n\tconflictStyle = ${style}\n` }))
      const takes = ['ours', 'ours-then-theirs', 'base'] as const
      made.push((await decideAll(stopped, (n) => ({ take: takes[n] ?? 'theirs', by: 'mine' }))).get('notes.md'))
      await stopped.close()
    }
    expect(made[0]).toMatch(/^[0-9a-f]{40}$/)
    expect(made).toEqual([made[0], made[0], made[0]])
  })
})

describe('17: a decision that is not finished', () => {
  it('leaves the CRLF file as git wrote it, and is there when it is opened again', async () => {
    const built = buildConflict({
      base: { 'dos.txt': withLines({}).replaceAll('\n', '\r\n') },
      ours: { 'dos.txt': withLines({ 3: 'ours\n', 9: 'ours\n' }).replaceAll('\n', '\r\n') },
      theirs: { 'dos.txt': withLines({ 3: 'theirs\n', 9: 'theirs\n' }).replaceAll('\n', '\r\n') },
    })
    const before = built.read('dos.txt')
    const stopped = await openStopped(built)
    const item = await stopped.item('dos.txt')
    const draft = await draftOf(stopped, item, (n) => (n === 0 ? { take: 'theirs', by: 'mine' } : null))
    const at = { source: stopped.source, item: item.id, fingerprint: item.fingerprint }
    await stopped.ask('conflicts.saveDraft', { ...at, draft })
    expect(await stopped.ask('conflicts.resolve', { ...at, draft, overDisk: null })).toMatchObject({ resolved: false })
    await stopped.close()
    expect(built.read('dos.txt')).toEqual(before)
    const again = await openStopped(built, { test: stopped.test })
    const opened = await again.ask('conflicts.get', { source: again.source, item: item.id })
    expect(opened.draft.lines).toEqual(draft.lines)
    expect(opened.item.left).toBe(1)
    await again.close()
  })
})

describe('25: one repository open in two windows', () => {
  it('the later decision about sides that are gone is refused, and nothing comes back', async () => {
    const stopped = await openStopped(buildConflict('twoFiles'))
    const other = await openCore(stopped.repo)
    const item = await stopped.item('a.md')
    const draft = await draftOf(stopped, item, 'theirs')
    const given = { source: stopped.source, item: item.id, fingerprint: item.fingerprint, overDisk: null }
    await resolveItem(stopped, item, draft)
    const late = await other.ask('conflicts.resolve', { ...given, draft: await draftOf(stopped, item, 'ours') })
    expect(late).toEqual({ resolved: false, refusal: { refusal: 'conflict-changed', path: 'a.md' } })
    expect(stopped.repo.read('a.md').toString()).toBe('theirs\n')
    const [set] = (await other.ask('conflicts.list', {})).sets
    expect(set?.items.map((one) => [one.path, one.state])).toEqual([
      ['a.md', 'resolved'],
      ['sub/b.md', 'open'],
    ])
    await other.close()
    await stopped.close()
  })
})

describe('27: deleted on one side', () => {
  it.each(['modifyDelete', 'deleteModify'] as const)(
    '%s: each choice is what it says, in the index and on disk',
    async (kind) => {
      const built = buildConflict(kind)
      for (const choice of ['ours', 'theirs'] as const) {
        const stopped = await openStopped(copyOf(built))
        const item = await stopped.item('gone.md')
        await resolveItem(stopped, item, await draftOf(stopped, item, 'ours', choice))
        const kept = (kind === 'modifyDelete') === (choice === 'ours')
        expect(stopped.repo.git('ls-files', '-s', 'gone.md') !== '').toBe(kept)
        expect(existsSync(join(stopped.repo.dir, 'gone.md'))).toBe(kept)
        await stopped.close()
      }
    },
  )
})

describe('33, 35, 37: what has no markers', () => {
  it.each(['image', 'lfs', 'fileToSymlink'] as const)(
    '%s is open until a side is chosen, and never merged by line',
    async (kind) => {
      const stopped = await openStopped(copyOf(buildConflict(conflictSides[kind]())))
      const [item] = (await stopped.set())?.items ?? []
      if (!item) throw new Error('no conflict')
      expect(item).toMatchObject({ lines: false, state: 'open', left: 1 })
      expect((await stopped.set())?.proceed.able).toBe(false)
      const draft = { version: 1 as const, lines: [], edits: [], choice: null, dropped: [] }
      const given = { source: stopped.source, item: item.id, fingerprint: item.fingerprint, draft, overDisk: null }
      expect(await stopped.ask('conflicts.resolve', given)).toMatchObject({ refusal: { refusal: 'unresolved' } })
      await stopped.close()
    },
  )
})
