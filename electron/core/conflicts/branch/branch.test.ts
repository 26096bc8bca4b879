import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectUntouched, type OpenedCore, openCore, remember } from '../../../../e2e/support/core.ts'
import { buildRepo, PATHS, RUN, stores, type TestRepo } from '../../../../e2e/support/index.ts'
import type { ConflictSet, Draft } from '../../../../shared/model/index.ts'

const source = { from: 'branch', branch: RUN } as const
const parents = (repo: TestRepo, commit: string) => repo.git('rev-list', '--parents', '-n1', commit).split(' ').slice(1)
const empty: Draft = { version: 1, lines: [], edits: [], choice: null, dropped: [] }

async function setIn({ ask }: OpenedCore): Promise<ConflictSet> {
  const { sets } = await ask('conflicts.list', {})
  const set = sets.find((one) => one.source.from === 'branch')
  if (set === undefined) throw new Error('no conflicts of a branch')
  return set
}

function itemAt(set: ConflictSet, path: string) {
  const item = set.items.find((one) => one.path === path)
  if (item === undefined) throw new Error(`nothing at ${path}`)
  return { source, item: item.id, fingerprint: item.fingerprint }
}

/** Beside the memory that both changed: a file deleted on main, and one that is no text. */
function conflicting(): TestRepo {
  return stores.clean(undefined, {
    afterNight: [
      {
        on: RUN,
        message: 'memhtml(write): More',
        files: { 'list.md': '- a\n- night\n- c\n', 'pic.bin': Buffer.from([0, 1, 2]), 'gone.md': 'night\n' },
      },
    ],
    onMain: [
      { message: 'first', files: { 'list.md': '- a\n- main\n- c\n', 'pic.bin': Buffer.from([0, 9]) } },
      { message: 'second', files: { 'unrelated.md': 'from main\n' } },
    ],
  })
}

const taken = (take: 'ours' | 'theirs' | 'ours-then-theirs', n = 1): Draft => ({
  ...empty,
  lines: Array.from({ length: n }, () => ({ take, by: 'mine' as const })),
})

/** Decides both files of `conflicting`: the lines of the list for main, the picture for the night. */
async function decideBoth({ ask }: OpenedCore, set: ConflictSet): Promise<void> {
  await ask('conflicts.resolve', { ...itemAt(set, 'list.md'), draft: taken('theirs'), overDisk: null })
  await ask('conflicts.resolve', { ...itemAt(set, 'pic.bin'), draft: { ...empty, choice: 'ours' }, overDisk: null })
}

describe('bringing main in, decided', () => {
  it('counts what is open, and decides by side what its attributes keep from being merged by line', async () => {
    const night = { on: RUN, message: 'night', files: { 'a.md': '1\nnight\n3\nnight\n', 'b.dat': 'night\n' } }
    const day = {
      message: 'day',
      files: { 'a.md': '1\nday\n3\nday\n', 'b.dat': 'day\n', '.gitattributes': '*.dat -merge\n' },
    }
    const repo = stores.clean(undefined, { afterNight: [night], onMain: [day] })
    const core = await openCore(repo)
    const rows = async () =>
      (await setIn(core)).items.map(({ path, kind, total, left, state }) => [path, kind, total, left, state])
    expect(await rows()).toEqual([
      ['a.md', 'add-add', 1, 1, 'open'],
      ['b.dat', 'binary', 1, 1, 'open'],
    ])
    const one = itemAt(await setIn(core), 'a.md')
    await core.ask('conflicts.saveDraft', { ...one, draft: taken('theirs') })
    const two = itemAt(await setIn(core), 'b.dat')
    await core.ask('conflicts.resolve', { ...two, draft: { ...empty, choice: 'ours' }, overDisk: null })
    // The page keeps the same draft once more, after the answer.
    await core.ask('conflicts.saveDraft', { ...two, draft: { ...empty, choice: 'ours' } })
    expect(await rows()).toEqual([
      ['a.md', 'add-add', 1, 0, 'decided'],
      ['b.dat', 'binary', 1, 0, 'resolved'],
    ])
    expect((await setIn(core)).proceed.able).toBe(false)
    await core.ask('conflicts.saveDraft', { ...two, draft: { ...empty, choice: 'theirs' } })
    expect((await rows())[1]).toEqual(['b.dat', 'binary', 1, 0, 'decided'])
    await core.close()
  })

  it('offers the conflicts and writes nothing into the repository until all are decided', async () => {
    const repo = conflicting()
    const before = remember(repo)
    const objects = repo.git('count-objects', '-v')
    const core = await openCore(repo)
    const { ask } = core
    const set = await setIn(core)
    expect(set).toMatchObject({
      operation: 'bring-main-in',
      ours: { name: 'main', oid: repo.oid('main') },
      theirs: { name: RUN, oid: repo.oid(RUN) },
      proceed: { able: false },
    })
    expect(set.items.map(({ path, kind, lines, state }) => [path, kind, lines, state])).toEqual([
      ['list.md', 'add-add', true, 'open'],
      ['pic.bin', 'binary', false, 'open'],
    ])
    const list = itemAt(set, 'list.md')
    const shown = await ask('conflicts.get', { source, item: list.item })
    expect(shown).toMatchObject({
      merge: { base: '', ours: '- a\n- main\n- c\n', theirs: '- a\n- night\n- c\n' },
      draft: { lines: [null] },
      onDisk: { state: 'none' },
    })
    const open = await ask('conflicts.resolve', { ...list, draft: { ...empty, lines: [null] }, overDisk: null })
    expect(open).toMatchObject({ resolved: false, refusal: { refusal: 'unresolved', conflicts: ['list.md'] } })
    const both = await ask('conflicts.resolve', { ...list, draft: taken('ours-then-theirs'), overDisk: null })
    const oid = repo.gitBytes(['hash-object', '--stdin'], { input: '- a\n- main\n- night\n- c\n' }).toString().trim()
    expect(both).toMatchObject({ resolved: true, left: 1, result: [{ path: 'list.md', mode: '100644', oid }] })
    expect((await setIn(core)).items.map((one) => one.state)).toEqual(['resolved', 'open'])
    expect(objects).toBe(repo.git('count-objects', '-v'))
    expect(await ask('conflicts.proceed', { source })).toMatchObject({
      done: false,
      refusal: { refusal: 'unresolved', conflicts: ['pic.bin'] },
    })
    expect(repo.refs()).toEqual(before.refs)
    expectUntouched(repo, before)
    const refusal = { refusal: 'unresolved', conflicts: ['list.md', 'pic.bin'] }
    expect(await ask('sleep.bringMainIn', { branch: RUN })).toMatchObject({ brought: false, refusal })
    await core.close()
  })

  it('commits on the branch a merge of main and its tip, with the decided bytes and all else as a clean merge has it', async () => {
    const repo = conflicting()
    const [main, tip, before] = [repo.oid('main'), repo.oid(RUN), remember(repo)]
    const core = await openCore(repo)
    const { ask } = core
    const set = await setIn(core)
    await ask('conflicts.resolve', { ...itemAt(set, 'list.md'), draft: taken('ours-then-theirs'), overDisk: null })
    await ask('conflicts.resolve', { ...itemAt(set, 'pic.bin'), draft: { ...empty, choice: 'theirs' }, overDisk: null })
    expect((await setIn(core)).proceed).toMatchObject({ able: true })
    const outcome = await ask('conflicts.proceed', { source })
    expect(outcome).toMatchObject({ done: true, ended: true, to: repo.oid(RUN) })
    expect(parents(repo, RUN)).toEqual([main, tip])
    expect(repo.oid('main')).toBe(main)
    expect(repo.show(RUN, 'list.md').toString()).toBe('- a\n- main\n- night\n- c\n')
    expect(repo.show(RUN, 'pic.bin')).toEqual(Buffer.from([0, 1, 2]))
    // Against main it is the night and nothing else; against the night what main did and nothing else.
    const changed = (from: string, to: string) =>
      repo.git('diff', '--name-only', '--no-renames', from, to).split('\n').filter(Boolean)
    expect(changed(tip, RUN)).toEqual(['list.md', 'unrelated.md'])
    expect(changed('main', RUN)).not.toContain('unrelated.md')
    expectUntouched(repo, before)
    const { sets } = await ask('conflicts.list', {})
    expect(sets).toEqual([])
    // What was decided is in no merge that could be made again; that this commit was made here is on record.
    const { commits } = await ask('review.get', { branch: RUN })
    expect(commits[0]).toMatchObject({ oid: repo.oid(RUN), bringsMainIn: true, foreign: null })
    expect(await ask('sleep.bringMainIn', { branch: RUN })).toMatchObject({ brought: true, upToDate: true })
    expect(await ask('sleep.approve', { branch: RUN, except: [], bringMainIn: false })).toMatchObject({
      approved: true,
    })
    await core.close()
  })

  it('keeps the decisions over a restart, and those that still apply when main moves on', async () => {
    const repo = conflicting()
    const first = await openCore(repo)
    const set = await setIn(first)
    await first.ask('conflicts.resolve', { ...itemAt(set, 'list.md'), draft: taken('theirs'), overDisk: null })
    await first.ask('conflicts.resolve', {
      ...itemAt(set, 'pic.bin'),
      draft: { ...empty, choice: 'ours' },
      overDisk: null,
    })
    // It ends without closing anything. Main moves on: another picture, and a file that does not matter here.
    repo.commit('third', { 'pic.bin': Buffer.from([0, 7, 7]), 'more.md': 'more\n' })
    const main = repo.oid('main')
    const core = await openCore(repo)
    const now = await setIn(core)
    expect(now.items.map(({ path, state }) => [path, state])).toEqual([
      ['list.md', 'resolved'],
      ['pic.bin', 'open'],
    ])
    expect(await core.ask('conflicts.proceed', { source })).toMatchObject({ refusal: { conflicts: ['pic.bin'] } })
    await core.ask('conflicts.resolve', {
      ...itemAt(now, 'pic.bin'),
      draft: { ...empty, choice: 'ours' },
      overDisk: null,
    })
    expect(await core.ask('conflicts.proceed', { source })).toMatchObject({ done: true })
    expect(parents(repo, RUN)[0]).toBe(main)
    expect(repo.show(RUN, 'pic.bin')).toEqual(Buffer.from([0, 7, 7]))
    expect(repo.show(RUN, 'more.md').toString()).toBe('more\n')
    await first.close()
    await core.close()
  })

  it('never takes a decision that was made about other sides, also where main moves between the look and the lock', async () => {
    const repo = conflicting()
    let moved = false
    const core = await openCore(repo, {
      fault: (point) => {
        if (point !== 'bring-main-in:before git commit-tree' || moved) return
        moved = true
        const tree = repo.git('rev-parse', `${RUN}^{tree}`)
        repo.git('update-ref', `refs/heads/${RUN}`, repo.git('commit-tree', '-p', RUN, '-m', 'someone else', tree))
      },
    })
    const set = await setIn(core)
    await decideBoth(core, set)
    expect(await core.ask('conflicts.proceed', { source })).toMatchObject({ done: true })
    expect(moved).toBe(true)
    // The commit of someone else is kept, below the merge.
    expect(repo.git('log', '-1', '--format=%s', parents(repo, RUN)[1] as string)).toBe('someone else')
    await core.close()
  })

  it('has the decisions again when the branch is put back to where it was', async () => {
    const repo = conflicting()
    const tip = repo.oid(RUN)
    const core = await openCore(repo)
    const set = await setIn(core)
    await decideBoth(core, set)
    expect(await core.ask('conflicts.proceed', { source })).toMatchObject({ done: true })
    repo.git('update-ref', `refs/heads/${RUN}`, tip)
    expect((await setIn(core)).items.map(({ state, left }) => [state, left])).toEqual([
      ['decided', 0],
      ['decided', 0],
    ])
    await core.close()
  })

  it('refuses decisions by which a file and a folder of one name would both be there', async () => {
    const base = { message: 'base', files: { 'thing/y.md': '1\n2\n3\n' }, label: 'start' }
    const night = { on: RUN, from: 'start', message: 'night', files: { 'thing/y.md': '1\nnight\n3\n' } }
    const day = { message: 'day', files: { 'thing/y.md': null, thing: 'a file now\n' } }
    const repo = buildRepo(undefined, { commits: [base, night, day] })
    const before = repo.refs()
    const core = await openCore(repo)
    const set = await setIn(core)
    for (const item of set.items) {
      const keep = item.choices.find((one) =>
        one.result.some((entry) => entry.path === (item.path === 'thing' ? 'thing' : 'thing/y.md')),
      )
      const draft = { ...empty, choice: keep?.id ?? null }
      await core.ask('conflicts.resolve', { ...itemAt(set, item.path), draft, overDisk: null })
    }
    expect(set.items.map((one) => one.kind)).toEqual(['file-directory', 'modify-delete'])
    const clashes = [{ file: 'thing', inside: 'thing/y.md' }]
    expect(await core.ask('conflicts.proceed', { source })).toEqual({
      done: false,
      refusal: { refusal: 'path-clash', clashes },
    })
    expect(repo.refs()).toEqual(before)
    await core.close()
  })

  it('takes a side whole for several files, takes one back, and forgets all', async () => {
    const repo = conflicting()
    const core = await openCore(repo)
    const { ask } = core
    const set = await setIn(core)
    const items = set.items.map(({ id, fingerprint }) => ({ item: id, fingerprint }))
    const preview = await ask('conflicts.previewBatch', { source, items: items.map((one) => one.item), take: 'ours' })
    expect(preview.map((row) => row.sentence)[0]).toContain("main's file, 1 line of")
    const rows = await ask('conflicts.batch', { source, items, take: 'ours' })
    expect(rows.map((row) => row.refusal)).toEqual([null, null])
    expect((await setIn(core)).items.every((one) => one.state === 'resolved')).toBe(true)
    expect(await ask('conflicts.reopen', { source, item: itemAt(set, 'list.md').item })).toMatchObject({
      reopened: true,
    })
    expect((await setIn(core)).items.map((one) => one.state)).toEqual(['open', 'resolved'])
    await ask('conflicts.batch', { source, items, take: 'theirs' })
    expect(await ask('conflicts.abort', { source })).toMatchObject({ done: true })
    expect((await setIn(core)).items.map((one) => one.state)).toEqual(['open', 'open'])
    await ask('conflicts.batch', { source, items, take: 'ours' })
    expect(await ask('conflicts.proceed', { source })).toMatchObject({ done: true })
    expect(repo.show(RUN, 'list.md')).toEqual(repo.show('main', 'list.md'))
    const [act] = await ask('history.list', { limit: 1 })
    expect(act).toMatchObject({ verb: 'bring-main-in', branch: RUN, status: 'done' })
    await core.close()
  })

  it('moves the files of a worktree that has the branch, and keeps local edits there', async () => {
    const repo = stores.mainAdvancedConflicting(undefined, { head: RUN })
    repo.write(PATHS.untouched, 'mine\n')
    const [tip, before] = [repo.oid(RUN), remember(repo)]
    const core = await openCore(repo)
    const set = await setIn(core)
    const one = itemAt(set, PATHS.claim)
    const byHand = {
      ...empty,
      lines: [
        { take: 'ours' as const, by: 'mine' as const },
        { take: 'text' as const, text: '<p>Both.</p>\n', by: 'mine' as const },
      ],
    }
    const { lost, audit } = await core.ask('conflicts.check', { ...one, draft: byHand })
    expect(await core.ask('conflicts.resolve', { ...one, draft: byHand, overDisk: null })).toMatchObject({
      resolved: false,
      refusal: { refusal: 'lines-lost', path: PATHS.claim, lines: lost },
    })
    const dropped = audit.flatMap(({ needs, side, text }) => (needs && side !== 'result' ? [{ side, text }] : []))
    expect(dropped).toHaveLength(lost)
    const draft = { ...byHand, dropped }
    const checked = await core.ask('conflicts.check', { ...one, draft })
    expect(checked).toMatchObject({ open: 0, holds: true })
    const resolved = await core.ask('conflicts.resolve', { ...one, draft, overDisk: null })
    expect(resolved).toMatchObject({ resolved: true, result: [{ oid: checked.oid }] })
    expect(await core.ask('conflicts.proceed', { source })).toMatchObject({ done: true })
    expect(readFileSync(join(repo.dir, PATHS.claim), 'utf8')).toContain('<p>Both.</p>\n')
    expect(repo.git('rev-parse', `${RUN}:${PATHS.claim}`)).toBe(checked.oid)
    expectUntouched(repo, before, { moved: [tip, repo.oid(RUN)], status: [expect.stringContaining(PATHS.untouched)] })
    await core.close()
  })
})
