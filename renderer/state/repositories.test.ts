import { expect, it } from 'vitest'
import { conflictList } from '../testing/conflict.ts'
import { fakeClient } from '../testing/fakeClient.ts'
import { inbox, REPO_ID } from '../testing/night.ts'
import { createApp } from './app.ts'
import { openRepository } from './repositories.ts'

it('opening a repository reads all that its inbox lists, before anything is announced', async () => {
  const client = fakeClient({
    'repo.open': () => inbox().repository,
    'repo.recent': () => [],
    'inbox.get': () => inbox(),
    'conflicts.list': () => conflictList(),
    'candidates.list': () => [],
    'candidates.losses': () => [],
  })
  const app = createApp(client)
  await openRepository(app, '/repo')
  const asked = new Set(client.calls.map(([name]) => name))
  expect([...asked]).toEqual(
    expect.arrayContaining(['inbox.get', 'conflicts.list', 'candidates.list', 'candidates.losses']),
  )
  expect(app.mirror.getState().candidates[REPO_ID]?.list).toEqual([])
})
