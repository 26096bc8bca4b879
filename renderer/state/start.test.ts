import { describe, expect, it } from 'vitest'
import type { AppInfo } from '../../shared/model/index.ts'
import { fail, fakeClient } from '../testing/fakeClient.ts'
import { BRANCH, inbox, preview, REPO_ID, repository, review } from '../testing/night.ts'
import { createApp } from './app.ts'
import { branchKey } from './mirror.ts'
import { createSession, NEW_BRANCH, saveable } from './session.ts'
import { changeSettings, follow, start } from './start.ts'

const recent = { id: REPO_ID, name: 'notes', path: repository.path, openedAt: '', pinned: false, missing: false }
const info: AppInfo = {
  name: 'Daybreak',
  version: '0.1.0',
  host: 'serve',
  platform: 'linux',
  node: '24',
  git: '2.39.5',
  settings: { theme: 'system', editorFontSize: 12, reopenLast: true, keepBranch: false },
  recent: [recent],
  initial: null,
  tool: false,
  session: null,
}

function page(more: Partial<AppInfo>, hash = '', answers: Parameters<typeof fakeClient>[0] = {}) {
  const client = fakeClient({
    'app.info': () => ({ ...info, ...more }),
    'repo.open': () => repository,
    'repo.recent': () => [recent],
    'inbox.get': () => inbox(),
    'review.get': () => review(),
    'sleep.preview': () => preview(),
    'app.saveSession': () => ({}),
    ...answers,
  })
  return { app: createApp(client, hash), client }
}

const saved = (() => {
  const session = createSession({ page: 'history', repoId: REPO_ID })
  session.setState({ branches: { [branchKey(REPO_ID, BRANCH)]: { ...NEW_BRANCH, path: 'x.html', scroll: 7 } } })
  return saveable(session.getState())
})()

describe('start', () => {
  it('opens what was asked for and shows the newest branch that waits', async () => {
    const { app, client } = page({ initial: repository.path })
    await start(app)
    expect(client.calls.find(([m]) => m === 'repo.open')?.[1]).toEqual({ path: repository.path })
    expect(app.session.getState().route).toEqual({ page: 'sleep', repoId: REPO_ID, branch: BRANCH })
  })

  it('comes back to the page, the file and the place of before', async () => {
    const { app } = page({ initial: repository.path, session: saved })
    await start(app)
    expect(app.session.getState().route).toEqual({ page: 'history', repoId: REPO_ID })
    expect(app.session.getState().branches[branchKey(REPO_ID, BRANCH)]).toMatchObject({ path: 'x.html', scroll: 7 })
  })

  it('goes where the address says, before what was open last', async () => {
    const { app } = page(
      { initial: '/other', session: saved },
      `#/${REPO_ID}/sleep/${encodeURIComponent(BRANCH)}/a.html`,
    )
    await start(app)
    expect(app.session.getState().route).toMatchObject({ page: 'sleep', branch: BRANCH })
    expect(app.session.getState().branches[branchKey(REPO_ID, BRANCH)]?.path).toBe('a.html')
  })

  it('shows the landing page where there is nothing to open, and where opening failed', async () => {
    const none = page({})
    await start(none.app)
    expect(none.app.session.getState().route).toEqual({ page: 'landing' })
    const gone = page({ initial: '/gone' }, '', { 'repo.open': () => fail('ERR_PATH_NOT_FOUND', { path: '/gone' }) })
    await start(gone.app)
    expect(gone.app.session.getState().route).toEqual({ page: 'landing' })
    expect(gone.app.overlays.getState().overlay).toMatchObject({
      kind: 'problem',
      problem: { title: '/gone was not opened' },
    })
  })

  it('says why nothing can be shown at all', async () => {
    const { app } = page({}, '', { 'app.info': () => fail('ERR_INTERNAL', { reference: 'r1' }) })
    await start(app)
    expect(app.mirror.getState().fatal?.code).toBe('ERR_INTERNAL')
  })
})

describe('settings', () => {
  it('that are chosen before the first facts came are shown at once and kept', async () => {
    const kept: unknown[] = []
    let answer: (value: AppInfo) => void = () => {}
    const { app } = page({}, '', {
      'app.info': () => new Promise((resolve) => (answer = resolve)),
      'app.setSettings': ({ settings }) => {
        kept.push(settings)
        return { ...info.settings, theme: settings.theme ?? 'light' }
      },
    })
    const started = start(app)
    await changeSettings(app, { theme: 'dark' })
    expect(app.mirror.getState().chosen).toEqual({ theme: 'dark' })
    answer(info)
    await started
    await expect.poll(() => kept).toEqual([{ theme: 'dark' }])
    expect(app.mirror.getState()).toMatchObject({ info: { settings: { theme: 'dark' } }, chosen: null })
  })
})

describe('follow', () => {
  async function shown() {
    const made = page({ initial: repository.path })
    follow(made.app)
    await start(made.app)
    const asked = () => made.client.calls.map(([method]) => method)
    const before = asked().length
    return { ...made, later: () => asked().slice(before) }
  }

  it('asks again for what changed, and only what Approve would do where the working tree did', async () => {
    const { client, app, later } = await shown()
    client.emit('repo.changed', { repoId: REPO_ID, what: ['refs'] })
    await expect.poll(later).toContain('sleep.preview')
    expect(later()).toEqual(expect.arrayContaining(['inbox.get', 'review.get']))
    const before = later().length
    client.emit('repo.changed', { repoId: REPO_ID, what: ['worktree'] })
    await expect.poll(() => later().slice(before)).toEqual(expect.arrayContaining(['inbox.get', 'sleep.preview']))
    expect(later().slice(before)).not.toContain('review.get')
    expect(app.mirror.getState().reviews[branchKey(REPO_ID, BRANCH)]?.preview).toEqual(preview())
  })

  it('collects the output of a verb that runs here', async () => {
    const { client, app } = await shown()
    const progress = {
      repoId: REPO_ID,
      operationId: 'operation-1',
      verb: 'approve' as const,
      step: 'Gate',
      done: 1,
      total: 4,
      cancellable: true,
    }
    client.emit('operation.progress', { ...progress, output: 'before' })
    expect(app.mirror.getState().running).toEqual({})
    app.mirror.setState({ running: { [REPO_ID]: { ...progress, output: '' } } })
    client.emit('operation.progress', { ...progress, output: 'a' })
    client.emit('operation.progress', { ...progress, output: 'b' })
    expect(app.mirror.getState().running[REPO_ID]?.output).toBe('ab')
  })

  it('opens the repository again and reads everything anew when the connection is back', async () => {
    const { client, app, later } = await shown()
    app.mirror.setState({ connected: false })
    client.reconnect()
    await expect.poll(later).toEqual(expect.arrayContaining(['repo.open', 'inbox.get', 'review.get', 'sleep.preview']))
    expect(app.mirror.getState().connected).toBe(true)
  })
})
