import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openCore } from '../../e2e/support/core.ts'
import {
  buildConflict,
  buildRepo,
  copyRepo,
  PATHS,
  RUN,
  stores,
  type TestRepo,
  tempDir,
} from '../../e2e/support/index.ts'
import { testCore } from '../core/testing/testCore.ts'
import { commandLine } from './testing/commandLine.ts'

let built: TestRepo
beforeAll(() => {
  built = stores.clean()
})
const store = () => copyRepo(built)
const ID = RUN.replace('sleep/', '')

describe('status', () => {
  test('shows what waits, for people and for programs', async () => {
    const repo = store()
    const { daybreak, json } = commandLine(repo.dir)
    const { code, out, err } = await daybreak('status')
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`● ${RUN}`)
    expect(out).toContain('ready')
    const { envelope } = await json('status')
    expect(envelope).toMatchObject({ apiVersion: '1', type: 'status', data: { sleepBranches: [{ branch: RUN }] } })
    expect(Object.keys(envelope).sort()).toEqual(['apiVersion', 'data', 'type'])
  })

  test('names conflicts in progress, of a linked worktree too', async () => {
    const repo = buildConflict('modifyDelete', { where: 'linked', operation: 'rebase' })
    const { daybreak, json } = commandLine(repo.main.dir)
    const { out } = await daybreak('status')
    expect(out).toContain(`Rebasing infra/pg17 onto main, step 2 of 2 in ${repo.dir}: 1 of 1 file not resolved`)
    expect(out).toContain('  gone.md: researcher deleted this file; planner changed 3 lines of it.')
    expect(out).not.toContain('Nothing waits')
    expect((await json('status')).envelope.data).toMatchObject({
      conflicts: [
        { operation: 'rebase', ours: 'planner', theirs: 'researcher', left: 1, files: [{ path: 'gone.md' }] },
      ],
    })
  })

  test('works on the folder that --repo names, and from a folder deep inside', async () => {
    const repo = store()
    const { json } = commandLine(tempDir('elsewhere'))
    expect((await json('--repo', repo.dir, 'status')).envelope.data).toMatchObject({ repository: { path: repo.dir } })
    const inside = commandLine(join(repo.dir, 'areas'))
    expect((await inside.json('status')).envelope.data).toMatchObject({ repository: { path: repo.dir } })
  })

  test('fails with a code, what is unchanged and the mend where there is no repository', async () => {
    const folder = tempDir('plain')
    const { daybreak, json } = commandLine(folder)
    const { code, envelope } = await json('status')
    expect(code).toBe(1)
    expect(envelope).toMatchObject({
      apiVersion: '1',
      code: 'ERR_NOT_A_REPOSITORY',
      error: `${folder} is not inside a git repository.`,
      data: { path: folder },
    })
    expect(envelope.suggestions).toContainEqual({ label: 'Make it a repository', shell: `git init ${folder}` })
    const text = await daybreak('status')
    expect([text.code, text.out]).toEqual([1, ''])
    expect(text.err).toContain('is not inside a git repository')
    expect(text.err).toContain('nothing was changed')
  })

  test('never sends what a repository wrote to the terminal as it is', async () => {
    const repo = buildRepo(undefined, { commits: [{ message: 'first', files: { a: 'a' } }] })
    repo.git('checkout', '-q', '-b', 'sleep/2026-12-01')
    repo.write('evil\u001b[2J\u202egpj.exe', 'x')
    repo.commit('add \u001b[31mred')
    repo.git('checkout', '-q', 'main')
    const { out } = await commandLine(repo.dir).daybreak('sleep', 'review', 'sleep/2026-12-01')
    expect(out).toContain('evil\\x1b[2J\\u{202e}gpj.exe')
    for (const character of ['\u001b', '\u202e']) expect(out).not.toContain(character)
  })
})

describe('a RUN', () => {
  test('is taken from the inbox when exactly one waits, by branch or by id', async () => {
    const { json } = commandLine(store().dir)
    for (const argv of [[], [RUN], [ID]]) {
      const { code, envelope } = await json('sleep', 'review', ...argv)
      expect([code, envelope.type]).toEqual([0, 'sleep.review'])
      expect(envelope.data).toMatchObject({ run: { branch: RUN } })
    }
  })

  test.each([
    ['none waits', (repo: TestRepo) => repo.git('update-ref', '-d', `refs/heads/${RUN}`), []],
    ['two wait', (repo: TestRepo) => repo.git('branch', `${RUN}-2`, RUN), [`${RUN}-2`, RUN]],
  ] as const)('is asked for with exit code 2 and the list when %s', async (_name, prepare, runs) => {
    const repo = store()
    prepare(repo)
    const before = repo.refs()
    const { json, daybreak } = commandLine(repo.dir)
    for (const verb of ['review', 'approve', 'abort']) {
      const { code, envelope } = await json('sleep', verb)
      expect([code, envelope.code]).toEqual([2, 'ERR_WHICH_RUN'])
      expect((envelope.data.runs as string[]).toSorted()).toEqual([...runs].sort())
      if (runs.length > 0)
        expect(envelope.suggestions).toContainEqual({ label: `Take ${RUN}`, shell: `daybreak sleep ${verb} ${RUN}` })
      expect((await daybreak('sleep', verb)).code).toBe(2)
    }
    expect(repo.refs()).toEqual(before)
  })
})

describe('sleep', () => {
  test('status says how one run or all stand', async () => {
    const { json, daybreak } = commandLine(store().dir)
    expect((await json('sleep', 'status')).envelope).toMatchObject({
      type: 'sleep.status',
      data: { sleepBranches: [{ branch: RUN, readiness: 'ready' }] },
    })
    expect((await json('sleep', 'status', ID)).envelope.data).toMatchObject({ branch: RUN })
    expect(await json('sleep', 'status', 'sleep/none')).toMatchObject({
      code: 1,
      envelope: { code: 'ERR_NO_SUCH_BRANCH' },
    })
    expect((await daybreak('sleep', 'status')).out).toContain(RUN)
  })

  test('review lists the kinds, and with --diff the text too, which git applies', async () => {
    const repo = store()
    const { json, daybreak } = commandLine(repo.dir)
    const plain = await daybreak('sleep', 'review')
    expect(plain.out).toContain('Claim changed (')
    expect(plain.out).toContain(PATHS.claim)
    const { envelope } = await json('sleep', 'review', '--diff')
    const { diffs, files } = envelope.data as { diffs: { path: string; diff: string }[]; files: { path: string }[] }
    expect(diffs.map((one) => one.path)).toEqual(files.map((one) => one.path))
    const claim = diffs.find((one) => one.path === PATHS.claim)?.diff ?? ''
    writeFileSync(join(repo.dir, '../one.diff'), `${claim}\n`)
    repo.git('apply', '../one.diff')
    expect(repo.read(PATHS.claim)).toEqual(repo.show(RUN, PATHS.claim))
  })

  test('approve moves main, undo takes it back, both in history as the actor', async () => {
    const repo = store()
    const main = repo.oid('main')
    const tip = repo.oid(RUN)
    const { json, daybreak, home } = commandLine(repo.dir)
    const approved = await json('sleep', 'approve', '--actor', 'Nightly Bot')
    expect(approved).toMatchObject({ code: 0, envelope: { type: 'sleep.approve', data: { approved: true, to: tip } } })
    expect(repo.oid('main')).toBe(tip)
    const undone = await daybreak('sleep', 'undo')
    expect(undone.code).toBe(0)
    expect(undone.out).toContain('was taken back')
    expect([repo.oid('main'), repo.oid(RUN), repo.status()]).toEqual([main, tip, ''])
    const core = testCore(home)
    const { id: repoId } = await core.call('repo.open', { path: repo.dir })
    const history = await core.call('history.list', { repoId, limit: 10 })
    await core.dispose()
    const told = history.map(({ verb, actor, via, to }) => ({ verb, actor, via, to }))
    expect(told).toContainEqual({ verb: 'approve', actor: 'Nightly Bot', via: 'cli', to: tip })
    expect(told).toContainEqual({ verb: 'undo', actor: 'Test Person', via: 'cli', to: main })
    const again = await json('sleep', 'undo')
    expect(again).toMatchObject({ code: 1, envelope: { code: 'ERR_NOTHING_TO_UNDO' } })
  })

  test('abort removes the branch; undo by the run brings it back', async () => {
    const repo = store()
    const tip = repo.oid(RUN)
    const { json } = commandLine(repo.dir)
    expect((await json('sleep', 'abort')).envelope.data).toMatchObject({ aborted: true, branch: RUN, tip })
    expect(repo.code('rev-parse', '-q', '--verify', `refs/heads/${RUN}`)).toBe(1)
    const undone = await json('sleep', 'undo', ID)
    expect(undone.envelope).toMatchObject({ type: 'sleep.undo', data: { undone: true, restoredAs: RUN } })
    expect(repo.oid(RUN)).toBe(tip)
    expect(await json('sleep', 'undo', 'sleep/none')).toMatchObject({
      code: 1,
      envelope: { code: 'ERR_NO_SUCH_OPERATION' },
    })
  })

  test('a refusal is a success envelope with its reason and what helps, and exit code 1', async () => {
    const repo = stores.mainAdvancedOverlapping()
    const before = repo.refs()
    const { json, daybreak } = commandLine(repo.dir)
    const { code, envelope } = await json('sleep', 'approve')
    expect(code).toBe(1)
    expect(envelope).toMatchObject({
      apiVersion: '1',
      type: 'sleep.approve',
      data: { approved: false, refusal: 'main-advanced', commits: 1 },
    })
    // What main changed in the night's own files is looked at first; only an advance elsewhere goes in one step.
    const shells = (data: typeof envelope.data) => (data.suggestions as { shell?: string }[]).map((one) => one.shell)
    expect(shells(envelope.data)).toContain('daybreak')
    const disjoint = await commandLine(stores.mainAdvancedDisjoint().dir).json('sleep', 'approve')
    expect(shells(disjoint.envelope.data)).toContain(`daybreak sleep approve ${RUN} --bring-main-in`)
    const text = await daybreak('sleep', 'approve')
    expect([text.code, text.out]).toEqual([1, ''])
    expect(text.err).toMatch(/^Refused \(main-advanced\): main moved 1 commit/)
    expect(repo.refs()).toEqual(before)
  })

  test('approve of a run that nobody knows is refused, also by its id', async () => {
    const { json } = commandLine(store().dir)
    for (const run of ['sleep/2001-01-01', '2001-01-01'])
      expect((await json('sleep', 'approve', run)).envelope.data).toMatchObject({
        refusal: 'unknown-run',
        branch: 'sleep/2001-01-01',
      })
  })

  test('approve leaves out each --except, and says what it left out', async () => {
    const repo = store()
    const before = repo.show('main', PATHS.claim)
    const { json } = commandLine(repo.dir)
    const { envelope } = await json('sleep', 'approve', '--except', PATHS.claim)
    expect(envelope.data).toMatchObject({ approved: true, leftOut: [PATHS.claim] })
    expect(repo.show('main', PATHS.claim)).toEqual(before)
  })

  test('approve leaves out what is unticked in the app too, and tells the marks beside each other', async () => {
    const repo = store()
    const { ask, close } = await openCore(repo)
    await ask('review.setIncluded', { branch: RUN, paths: [PATHS.claim], included: false })
    await close()
    const { json } = commandLine(repo.dir)
    const { envelope } = await json('sleep', 'approve', '--except', PATHS.body)
    expect(envelope.data).toMatchObject({ approved: true, leftOut: [PATHS.claim, PATHS.body].sort() })
    const { marks } = envelope.data as { marks: { pending: number; applied: number; held: unknown[] } }
    const { pending: marksPending, applied: marksApplied, held: marksHeld } = marks
    expect(envelope.data).toMatchObject({ marksPending, marksApplied, marksHeld })
  })

  test('approve with --bring-main-in settles a main that has moved', async () => {
    const repo = stores.mainAdvancedDisjoint()
    const { daybreak, json } = commandLine(repo.dir)
    expect((await json('sleep', 'approve')).envelope.data).toMatchObject({ refusal: 'main-advanced' })
    const { code, out } = await daybreak('sleep', 'approve', '--bring-main-in')
    expect([code, out.includes('main moved')]).toEqual([0, true])
    expect(repo.code('merge-base', '--is-ancestor', 'HEAD^1', 'main')).toBe(0)
    expect(repo.status()).toBe('')
  })
})

describe('trust and config', () => {
  test('trust shows, accepts as shown and revokes', async () => {
    const repo = store()
    repo.commit('Add a gate', { '.daybreak.yml': 'gate: { run: "true" }\n' })
    const { json, daybreak } = commandLine(repo.dir)
    expect((await daybreak('trust', '--show')).out).toContain('gate')
    expect((await json('trust', '--show')).envelope.data).toMatchObject({ state: 'not-trusted' })
    expect((await json('trust')).envelope).toMatchObject({ type: 'trust', data: { state: 'trusted' } })
    expect((await daybreak('trust')).out).toContain('You have accepted')
    expect((await json('trust', '--revoke')).envelope.data).toMatchObject({ state: 'not-trusted' })
  })

  test('config reads, sets and resets one key', async () => {
    const { json, daybreak } = commandLine(store().dir)
    expect((await json('config', 'get')).envelope.data).toMatchObject({ sleep: { value: 'sleep/*', from: 'default' } })
    expect((await json('config', 'set', 'sleep', 'night/*')).envelope.data).toMatchObject({
      key: 'sleep',
      value: 'night/*',
      from: 'personal',
    })
    expect((await daybreak('config', 'get', 'sleep')).out).toBe('night/*\n')
    expect((await json('config', 'set', 'sleep')).envelope.data).toMatchObject({ value: 'sleep/*', from: 'default' })
    for (const argv of [
      ['config', 'get', '__proto__'],
      ['config', 'set', 'nope', '1'],
      ['config', 'set'],
    ])
      expect(await json(...argv)).toMatchObject({ code: 2, envelope: { code: 'ERR_USAGE' } })
  })
})

test('doctor ends with 1 where there is a problem, and 0 where there is none', async () => {
  const fine = await commandLine(store().dir).json('doctor')
  expect(fine).toMatchObject({ code: 0, envelope: { type: 'doctor', data: { problems: 0 } } })
  const outside = await commandLine(tempDir('outside')).daybreak('doctor')
  expect(outside.out + outside.err).toContain('✕')
  expect(outside.code).toBe(1)
})

test('demo builds the sample repository, whose night can be approved', async () => {
  const { json, home } = commandLine(tempDir('demo'))
  const { code, envelope } = await json('demo')
  expect([code, envelope.type]).toEqual([0, 'demo'])
  const { path } = envelope.data as { path: string }
  const there = commandLine(path, home)
  expect((await there.json('sleep', 'approve')).envelope.data).toMatchObject({ approved: true })
})
