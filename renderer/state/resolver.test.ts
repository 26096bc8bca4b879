import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { AppError } from '../../shared/errors/index.ts'
import { decide, draftModel, editResult, emptyDraft, layoutOf } from '../../shared/merge/draft/index.ts'
import type { ConflictItem, ConflictSet, Draft, Refusal, Resolution } from '../../shared/model/index.ts'
import {
  conflictItem,
  conflictList,
  conflictSet,
  draftCheck,
  ITEM_ID,
  mergeView,
  resolution,
  WORKTREE,
} from '../testing/conflict.ts'
import { type FakeClient, fakeClient } from '../testing/fakeClient.ts'
import { inbox, REPO_ID } from '../testing/night.ts'
import { RemoteError } from '../transport/index.ts'
import { type App, createApp } from './app.ts'
import { begin } from './history.ts'
import { draftOf, itemKey, leftOf, statesOf } from './resolver.ts'
import {
  choose,
  dropLines,
  edit,
  openAgain,
  putBack,
  redoAct,
  resolveSimple,
  take,
  takeOverDisk,
  undoAct,
} from './resolverActs.ts'
import { openItem, patchItem, readItem, saveNow, stopReading } from './resolverItems.ts'
import { markResolved, proceed } from './resolverVerbs.ts'

const SEED = 20261202
console.log(`fast-check seed ${SEED}`)

const KEY = itemKey(REPO_ID, WORKTREE, ITEM_ID)
const BASE = 'a\nb\nc\nd\ne\nf\ng\nh\n'
const VIEW = mergeView(BASE, 'a\nB b\nc\nd\nE\nf\nG\nh\n', 'a\nb X\nc\nd\nY\nf\nZ\nh\nnew\n', ['B b X\n', null, null])

interface Given {
  readonly got?: Resolution
  readonly refusal?: Refusal
  readonly set?: ConflictSet
}

async function opened(given: Given = {}): Promise<{ app: App; client: FakeClient; answer: { got: Resolution } }> {
  const answer = { got: given.got ?? resolution(VIEW) }
  const client = fakeClient({
    'conflicts.list': () => conflictList(given.set ?? conflictSet()),
    'conflicts.get': () => answer.got,
    'conflicts.check': () => draftCheck(),
    'conflicts.saveDraft': () => ({ savedAt: '2026-11-30T09:20:00Z' }),
    'conflicts.resolve': () =>
      given.refusal
        ? { resolved: false, refusal: given.refusal }
        : { resolved: true, operationId: '20261130-084100-abcd', result: [], left: 1 },
    'inbox.get': () => inbox(),
  })
  const app = createApp(client)
  app.session.setState({ route: { page: 'conflict', repoId: REPO_ID, source: WORKTREE, item: ITEM_ID } })
  await readItem(app, REPO_ID, WORKTREE, ITEM_ID)
  return { app, client, answer }
}

const item = (app: App) => {
  const open = openItem(app, KEY)
  if (open === null) throw new Error('nothing is opened')
  return open
}
const asked = (client: FakeClient, method: string) => client.calls.filter(([name]) => name === method)

describe('an opened conflict', () => {
  it('begins at the first open one and goes on to the next after a decision, saying so', async () => {
    const draft = { ...resolution(VIEW).draft, lines: [{ take: 'ours' as const, by: 'mine' as const }, null, null] }
    const { app } = await opened({ got: resolution(VIEW, { draft }) })
    expect(item(app).current).toBe(1)
    take(app, KEY, { take: 'theirs', by: 'mine' })
    expect(item(app).current).toBe(2)
    expect(app.overlays.getState().said.text).toBe(
      'Conflict 2 of 3: researcher taken. 1 left. Now at conflict 3 of 3, open.',
    )
    take(app, KEY, { take: 'base', by: 'mine' })
    expect(app.overlays.getState().said.text).toBe('Conflict 3 of 3: base kept. No conflict of this file is open.')
    expect(leftOf(item(app))).toBe(0)
  })

  it('decides simple conflicts by rule, each taken back by itself', async () => {
    const { app } = await opened()
    take(app, KEY, { take: 'ours', by: 'mine' }, 1)
    resolveSimple(app, KEY)
    expect(statesOf(item(app))).toEqual(['rule', 'mine', 'open'])
    undoAct(app, KEY)
    expect(statesOf(item(app))).toEqual(['open', 'mine', 'open'])
    redoAct(app, KEY)
    openAgain(app, KEY, 0)
    expect(statesOf(item(app))).toEqual(['open', 'mine', 'open'])
  })

  it('asks for no line of a file that is taken whole, and for its lines again where they are merged', async () => {
    const entry = { path: 'a.md', mode: '100644' }
    const choices = [
      { id: 'ours', side: 'ours', label: 'Take it', result: [{ ...entry, oid: 'a'.repeat(40) }], notes: [] },
      { id: 'merged', side: 'both', label: 'Make one of both', result: [{ ...entry, oid: 'merged' }], notes: [] },
    ] satisfies ConflictItem['choices']
    const { app } = await opened({ got: resolution(VIEW, { item: conflictItem({ choices }) }) })
    expect(statesOf(item(app))).toEqual(['open', 'open', 'open', 'open'])
    choose(app, KEY, 'ours')
    expect(statesOf(item(app))).toEqual(['mine', 'mine', 'mine', 'mine'])
    choose(app, KEY, 'merged')
    expect(statesOf(item(app))).toEqual(['open', 'open', 'open', 'mine'])
  })

  it('is what the model makes of the same acts, and undo goes back to the opening state', async () => {
    const { app } = await opened()
    const model = draftModel(VIEW)
    const act = fc.oneof(
      fc.record({
        do: fc.constant('take' as const),
        at: fc.nat(2),
        what: fc.constantFrom('ours' as const, 'theirs' as const, 'base' as const, 'theirs-then-ours' as const),
      }),
      fc.record({
        do: fc.constant('edit' as const),
        at: fc.nat(7),
        lines: fc.array(fc.constantFrom('x', 'y', ''), { maxLength: 2 }),
      }),
      fc.constant({ do: 'drop' as const }),
      fc.constant({ do: 'undo' as const }),
      fc.constant({ do: 'redo' as const }),
    )
    const row = {
      what: 'lost',
      side: 'ours',
      line: 0,
      resultLine: 0,
      conflict: null,
      text: 'B',
      trivial: false,
      dropped: false,
      needs: true,
    } as const
    fc.assert(
      fc.property(fc.array(act, { maxLength: 25 }), (acts) => {
        patchItem(app, KEY, { history: begin(emptyDraft(model)) })
        let line: Draft[] = [emptyDraft(model)]
        let at = 0
        let edited = ''
        const put = (draft: Draft, tag: string) => {
          if (draft === line[at]) return
          const joined = tag !== '' && tag === edited
          line = [...line.slice(0, joined ? at : at + 1), draft]
          at = line.length - 1
          edited = tag
        }
        for (const one of acts) {
          const now = line[at] as Draft
          if (one.do === 'take') {
            take(app, KEY, { take: one.what, by: 'mine' }, one.at)
            put(decide(now, one.at, { take: one.what, by: 'mine' }), '')
          } else if (one.do === 'edit') {
            const { lines } = layoutOf(model, now)
            const start = Math.min(one.at, lines.length - 1)
            const change = { start, end: start + 1, lines: one.lines }
            if (lines.length === 1 && one.lines.length === 0) continue
            edit(app, KEY, change)
            put(editResult(model, now, change), one.lines.length === 1 ? `line ${start}` : `at ${start}`)
          } else if (one.do === 'drop') {
            dropLines(app, KEY, [row])
            put({ ...now, dropped: [...now.dropped, { side: 'ours', text: 'B' }] }, '')
          } else if (one.do === 'undo') {
            undoAct(app, KEY)
            if (at > 0) edited = ''
            at = Math.max(0, at - 1)
          } else {
            redoAct(app, KEY)
            if (at < line.length - 1) edited = ''
            at = Math.min(line.length - 1, at + 1)
          }
          expect(draftOf(item(app))).toEqual(line[at])
        }
        while (item(app).history.at > 0) undoAct(app, KEY)
        expect(draftOf(item(app))).toEqual(emptyDraft(model))
      }),
      { seed: SEED, numRuns: 200 },
    )
  })

  it('keeps what was decided, once, and nothing where nothing was', async () => {
    const { app, client } = await opened()
    await saveNow(app, KEY)
    expect(asked(client, 'conflicts.saveDraft')).toHaveLength(0)
    take(app, KEY, { take: 'ours', by: 'mine' })
    take(app, KEY, { take: 'theirs', by: 'mine' })
    await saveNow(app, KEY)
    await saveNow(app, KEY)
    const saves = asked(client, 'conflicts.saveDraft')
    expect(saves).toHaveLength(1)
    expect(saves[0]?.[1]).toMatchObject({ item: ITEM_ID, fingerprint: 'sides one', draft: draftOf(item(app)) })
  })

  it('checks the draft as it is, and keeps the last answer until the next', async () => {
    const { app, client } = await opened()
    await vi.waitFor(() => expect(item(app).check).not.toBeNull())
    take(app, KEY, { take: 'ours', by: 'mine' })
    expect(item(app).check?.draft).not.toBe(draftOf(item(app)))
    await vi.waitFor(() => expect(item(app).check?.draft).toBe(draftOf(item(app))))
    expect(asked(client, 'conflicts.check')).toHaveLength(2)
  })

  it('puts a lost line back where it would stand', async () => {
    const { app } = await opened()
    const lost = {
      what: 'lost',
      side: 'ours',
      line: 1,
      conflict: null,
      text: 'B b',
      trivial: false,
      dropped: false,
      needs: true,
    } as const
    putBack(app, KEY, { ...lost, resultLine: 3 })
    expect(layoutOf(draftModel(VIEW), draftOf(item(app))).lines.slice(2, 5)).toEqual(['c', 'B b', 'd'])
  })

  it('takes over what is in the file, whatever that is', async () => {
    for (const text of [
      '',
      'a\n',
      'a\nb\nc\nD\ne\nf\ng\nh\n',
      'mine',
      'a\nb\nc\nd\ne\nf\ng\nh\nnew\nx\n',
      `0\n${BASE}`,
    ]) {
      const onDisk = { state: 'edited', digest: 'mine', text, seen: 'mine' } as const
      const { app } = await opened({ got: resolution(VIEW, { onDisk }) })
      takeOverDisk(app, KEY)
      expect(layoutOf(draftModel(VIEW), draftOf(item(app))).lines.join('\n')).toBe(text)
    }
  })

  it('keeps its decisions where the same sides are read again, and says what changed where they are others', async () => {
    const { app, answer } = await opened()
    take(app, KEY, { take: 'ours', by: 'mine' })
    const before = draftOf(item(app))
    answer.got = resolution(VIEW, { onDisk: { state: 'edited', digest: 'other', text: 'x\n', seen: 'other' } })
    await readItem(app, REPO_ID, WORKTREE, ITEM_ID)
    expect(draftOf(item(app))).toBe(before)
    expect(item(app).changed).toEqual(['areas/plan.md was edited on disk.'])
    const stages = conflictItem().stages.map((one) => (one.stage === 3 ? { ...one, oid: 'f'.repeat(40) } : one))
    answer.got = resolution(VIEW, {
      item: conflictItem({ fingerprint: 'sides two', stages }),
      carried: ['The decision of conflict 1.'],
    })
    await readItem(app, REPO_ID, WORKTREE, ITEM_ID)
    expect(item(app).changed).toEqual([
      'researcher changed since the page was opened.',
      '0 of 1 decision applies still.',
      'The decision of conflict 1.',
    ])
  })
})

describe('a reading that takes long', () => {
  it('is stopped by the name it was asked under, says so, and can be tried again', async () => {
    let end: (error: unknown) => void = () => {}
    const names: (string | undefined)[] = []
    const answers = [new Promise<Resolution>((_, reject) => (end = reject)), Promise.resolve(resolution(VIEW))]
    const client = fakeClient({
      'conflicts.get': ({ reading }) => {
        names.push(reading)
        return answers[names.length - 1] ?? expect.unreachable()
      },
      'conflicts.stopReading': ({ reading }) => {
        expect(reading).toBe(names[0])
        end(new RemoteError(new AppError('ERR_CANCELLED', { what: 'Reading the sides' }).toWire()))
        return { stopped: true }
      },
      'conflicts.check': () => draftCheck(),
    })
    const app = createApp(client)
    const reading = readItem(app, REPO_ID, WORKTREE, ITEM_ID)
    await vi.waitFor(() => expect(app.resolver.getState().reading[KEY]).toBeDefined())
    await stopReading(app, KEY)
    await reading
    expect(app.resolver.getState().items[KEY]).toMatchObject({
      problem: { message: 'Reading the sides was cancelled.' },
    })
    expect(app.resolver.getState().reading).toEqual({})
    await readItem(app, REPO_ID, WORKTREE, ITEM_ID)
    expect(item(app).current).toBe(0)
  })
})

describe('marking resolved', () => {
  it('writes the draft as it is, offers Undo, and goes to the next file', async () => {
    const next = conflictItem({ id: '0000000000000001', path: 'b.md', paths: ['b.md'] })
    const set = conflictSet({ items: [conflictItem({ state: 'resolved' }), next] })
    const { app, client } = await opened({ set })
    for (const at of [0, 1, 2]) take(app, KEY, { take: 'ours', by: 'mine' }, at)
    await markResolved(app, KEY)
    const draft = draftOf(item(app))
    expect(asked(client, 'conflicts.resolve')[0]?.[1]).toMatchObject({ draft, overDisk: null })
    expect(app.overlays.getState().toast).toMatchObject({ text: 'areas/plan.md resolved; 1 file left' })
    expect(app.overlays.getState().toast?.undo).not.toBeNull()
    expect(app.session.getState().route).toMatchObject({ page: 'conflict', item: '0000000000000001' })
    // Nothing is kept after it: that would open the decision again.
    await saveNow(app, KEY)
    expect(asked(client, 'conflicts.saveDraft')).toHaveLength(0)
  })

  it('stays where it is refused, and says why', async () => {
    const refusal: Refusal = { refusal: 'edited-on-disk', paths: ['areas/plan.md'] }
    const { app } = await opened({ refusal })
    await markResolved(app, KEY)
    expect(item(app)).toMatchObject({ busy: false, refusal })
    expect(app.session.getState().route).toMatchObject({ item: ITEM_ID })
  })
})

describe('going on', () => {
  it.each([
    ['to the inbox from its own pages', { page: 'conflict', repoId: REPO_ID, source: WORKTREE }, 'home'],
    ['nowhere where the person has left them meanwhile', { page: 'history', repoId: REPO_ID }, 'history'],
  ] as const)('goes %s', async (_, at, page) => {
    const client = fakeClient({
      'conflicts.list': () => conflictList(),
      'conflicts.proceed': () => ({ done: true, operationId: '20261130-084100-abcd', ended: true, to: null }),
      'inbox.get': () => inbox(),
    })
    const app = createApp(client)
    const going = proceed(app, REPO_ID, conflictSet())
    app.session.setState({ route: at })
    await going
    expect(app.session.getState().route.page).toBe(page)
  })
})
