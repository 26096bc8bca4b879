import { describe, expect, it } from 'vitest'
import {
  conflictItem,
  conflictList,
  conflictSet,
  ITEM_ID,
  mergeView,
  resolution,
  WORKTREE,
} from '../testing/conflict.ts'
import { fakeClient } from '../testing/fakeClient.ts'
import { inbox, REPO_ID } from '../testing/night.ts'
import { createApp } from './app.ts'
import { discardCandidate } from './candidates.ts'
import { LOST } from './connection.ts'
import { itemKey } from './resolver.ts'
import { readItem } from './resolverItems.ts'
import { pick, pickedOf } from './resolverPicks.ts'
import { abortOperation, batch, markResolved, previewBatch, proceed, reopen } from './resolverVerbs.ts'
import type { Route } from './route.ts'

const KEY = itemKey(REPO_ID, WORKTREE, ITEM_ID)
const VIEW = mergeView('a\nb\n', 'a\nB\n', 'a\nX\n')
const OVERVIEW: Route = { page: 'conflict', repoId: REPO_ID, source: WORKTREE }
const HISTORY: Route = { page: 'history', repoId: REPO_ID }

async function opened() {
  const client = fakeClient({
    'conflicts.list': () => conflictList(),
    'conflicts.get': () => resolution(VIEW),
    'conflicts.reopen': () => ({ reopened: true, operationId: '20261130-084100-abcd' }),
    'conflicts.batch': ({ items }) =>
      items.map(({ item }) => ({ item, path: item, sentence: '', result: [], refusal: null })),
    'inbox.get': () => inbox(),
  })
  const app = createApp(client)
  await readItem(app, REPO_ID, WORKTREE, ITEM_ID)
  return { app, client }
}

describe('without a connection', () => {
  it('nothing is asked for that would be done whenever the connection is back', async () => {
    const { app, client } = await opened()
    const before = client.calls.length
    app.mirror.setState({ connected: false })
    const about = [{ item: ITEM_ID, fingerprint: 'x' }]
    await markResolved(app, KEY)
    await reopen(app, REPO_ID, WORKTREE, conflictItem())
    await proceed(app, REPO_ID, conflictSet())
    await abortOperation(app, REPO_ID, conflictSet())
    await previewBatch(app, REPO_ID, WORKTREE, [conflictItem()], 'ours')
    await batch(app, REPO_ID, WORKTREE, about, 'ours')
    await discardCandidate(app, REPO_ID, '1')
    expect(client.calls.slice(before).map(([name]) => name)).toEqual([])
    expect(app.overlays.getState().toast?.text).toBe(LOST)
  })
})

describe('opening again', () => {
  it.each([
    ['shows the file on the pages of its source', OVERVIEW, { ...OVERVIEW, item: ITEM_ID }],
    ['takes nobody away from elsewhere, and offers the way', HISTORY, HISTORY],
  ])('%s', async (_, at, to) => {
    const { app } = await opened()
    app.session.setState({ route: at })
    await reopen(app, REPO_ID, WORKTREE, conflictItem())
    expect(app.session.getState().route).toEqual(to)
    app.overlays.getState().toast?.act?.run()
    expect(app.session.getState().route).toEqual({ ...OVERVIEW, item: ITEM_ID })
  })
})

describe('the selection of files', () => {
  const set = conflictSet({ operation: 'rebase', step: { at: 1, of: 3 } })

  it('stays while the source stops in the same step', async () => {
    const { app } = await opened()
    pick(app, REPO_ID, set, ['a', 'b'], true)
    pick(app, REPO_ID, set, ['a'], false)
    await batch(app, REPO_ID, WORKTREE, [{ item: 'b', fingerprint: 'x' }], 'ours')
    const again = { ...set, items: [conflictItem({ id: 'b', state: 'resolved' })] }
    expect([...pickedOf(app.resolver.getState(), REPO_ID, again)]).toEqual(['b'])
  })

  it('is gone once the step, the operation or the source is another', async () => {
    const { app } = await opened()
    pick(app, REPO_ID, set, ['a'], true)
    const { getState } = app.resolver
    expect(pickedOf(getState(), REPO_ID, { ...set, step: { at: 2, of: 3 } }).size).toBe(0)
    expect(pickedOf(getState(), REPO_ID, { ...set, operation: 'merge', step: null }).size).toBe(0)
    expect(pickedOf(getState(), REPO_ID, { ...set, source: { from: 'branch', branch: 'b' } }).size).toBe(0)
    pick(app, REPO_ID, { ...set, step: { at: 2, of: 3 } }, ['c'], true)
    expect(pickedOf(getState(), REPO_ID, set).size).toBe(0)
  })
})
