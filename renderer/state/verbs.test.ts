import { describe, expect, it } from 'vitest'
import type { Refusal } from '../../shared/model/index.ts'
import { fail, fakeClient } from '../testing/fakeClient.ts'
import { BASE, BRANCH, files, inbox, preview, REPO_ID, repository, review, TIP } from '../testing/night.ts'
import { type App, createApp } from './app.ts'
import { LOST } from './connection.ts'
import { branchKey } from './mirror.ts'
import { setIncluded, setViewed } from './reviews.ts'
import {
  abort,
  acceptTrust,
  applyMarks,
  approve,
  bringMainIn,
  cancelRunning,
  undoLast,
  undoOperation,
} from './verbs.ts'

const KEY = branchKey(REPO_ID, BRANCH)
const OPERATION = '20261130-084100-abcd'
const marks = { pending: 2, applied: 2, held: [], malformed: 0, failure: null }
const approved = {
  approved: true as const,
  operationId: OPERATION,
  branch: BRANCH,
  alreadyMerged: false,
  from: BASE,
  to: TIP,
  commits: 7,
  leftOut: [],
  stale: [],
  marks,
  branchRemoved: true,
  rounds: 0,
}
const undone = {
  undone: true as const,
  operationId: 'op-undo-1',
  of: OPERATION,
  verb: 'approve' as const,
  how: 'undo' as const,
  branch: BRANCH,
  restoredAs: BRANCH,
  from: TIP,
  to: BASE,
}

function open(answers: Parameters<typeof fakeClient>[0]): { app: App; client: ReturnType<typeof fakeClient> } {
  const client = fakeClient({
    'inbox.get': () => inbox({ sleepBranches: [] }),
    'history.list': () => [],
    'review.get': () => review(),
    'sleep.preview': () => preview(),
    ...answers,
  })
  const app = createApp(client)
  app.mirror.setState({
    repos: { [REPO_ID]: { repository, inbox: inbox(), history: null, problem: null } },
    reviews: { [KEY]: { review: review(), preview: preview(), problem: null } },
  })
  app.session.setState({ route: { page: 'sleep', repoId: REPO_ID, branch: BRANCH } })
  return { app, client }
}

const refuses = (refusal: Refusal) => open({ 'sleep.approve': () => ({ approved: false, refusal }) })

describe('approve', () => {
  it('names the reviewed tip and what is left out, tells the numbers, and goes on to what waits next', async () => {
    const { app, client } = open({ 'sleep.approve': () => approved })
    const out = files.map((f, i) => ({ ...f, included: i !== 1 }))
    app.mirror.setState({ reviews: { [KEY]: { review: review({ files: out }), preview: preview(), problem: null } } })
    await approve(app, REPO_ID, BRANCH, false)
    expect(client.calls[0]).toEqual([
      'sleep.approve',
      { repoId: REPO_ID, branch: BRANCH, except: ['areas/infra/failover-drill.html'], bringMainIn: false, tip: TIP },
    ])
    expect(app.overlays.getState().toast?.text).toBe(
      `${BRANCH} approved: main moved 7 commits to 0000000, 2 marks applied`,
    )
    expect(app.session.getState().route).toEqual({ page: 'home', repoId: REPO_ID })
    expect(app.mirror.getState().running).toEqual({})
  })

  it('shows a refusal at its branch, and nothing that looks like success', async () => {
    const { app } = refuses({ refusal: 'path-clash', clashes: [{ file: 'a', inside: 'a/b' }] })
    await approve(app, REPO_ID, BRANCH, false)
    expect(app.session.getState().branches[KEY]?.refused).toMatchObject({
      tip: TIP,
      refusal: { refusal: 'path-clash' },
    })
    expect(app.overlays.getState().toast).toBeNull()
  })

  it('shows the exact text first where it is not trusted', async () => {
    const { app } = refuses({ refusal: 'not-trusted', items: [{ kind: 'gate', name: 'gate', command: 'npm test' }] })
    await approve(app, REPO_ID, BRANCH, false)
    expect(app.overlays.getState().overlay).toEqual({ kind: 'trust', repoId: REPO_ID, branch: BRANCH })
  })

  it('says what is unchanged when it fails, and offers to try again', async () => {
    const { app } = open({ 'sleep.approve': () => fail('ERR_DISK_FULL', { path: '/r/a' }) })
    await approve(app, REPO_ID, BRANCH, false)
    const { overlay } = app.overlays.getState()
    if (overlay?.kind !== 'problem') return expect.unreachable()
    expect(overlay.problem).toMatchObject({ title: `${BRANCH} was not approved`, code: 'ERR_DISK_FULL' })
    expect(overlay.problem.unchanged).toContain('main and your working tree are as they were.')
    expect(overlay.problem.remedies.map((r) => r.label)).toEqual(['Try again'])
  })

  it('does nothing while another verb runs', async () => {
    let release = () => {}
    const wait = new Promise<void>((resolve) => {
      release = resolve
    })
    const { app, client } = open({ 'sleep.approve': () => wait.then(() => approved) })
    const first = approve(app, REPO_ID, BRANCH, false)
    await approve(app, REPO_ID, BRANCH, false)
    release()
    await first
    expect(client.calls.filter(([m]) => m === 'sleep.approve')).toHaveLength(1)
  })

  it('cancels the running operation by its id', async () => {
    const { app, client } = open({
      'sleep.approve': async () => {
        app.mirror.setState((m) => {
          const running = m.running[REPO_ID]
          return running ? { running: { [REPO_ID]: { ...running, operationId: OPERATION } } } : m
        })
        await cancelRunning(app, REPO_ID)
        return approved
      },
      'operation.cancel': () => ({ cancelled: true }),
    })
    await approve(app, REPO_ID, BRANCH, false)
    expect(client.calls).toContainEqual(['operation.cancel', { repoId: REPO_ID, operationId: OPERATION }])
  })
})

describe('undo', () => {
  it('takes back the last act, and shows the branch again', async () => {
    const { app, client } = open({
      'sleep.approve': () => approved,
      'sleep.undo': () => undone,
      'inbox.get': () => inbox(),
    })
    await approve(app, REPO_ID, BRANCH, false)
    await undoLast(app)
    await expect
      .poll(() => app.overlays.getState().toast?.text)
      .toBe(`Approval of ${BRANCH} undone; main is at 0000000 again; ${BRANCH} is back`)
    expect(client.calls).toContainEqual(['sleep.undo', { repoId: REPO_ID, operationId: OPERATION, revert: false }])
    expect(app.overlays.getState().undo).toEqual([])
    expect(app.session.getState().route).toMatchObject({ page: 'sleep', branch: BRANCH })
  })

  it('offers to revert the night where main has moved on', async () => {
    const { app } = open({
      'sleep.undo': ({ revert }) =>
        revert
          ? { ...undone, how: 'revert', restoredAs: null }
          : { undone: false, refusal: { refusal: 'moved-on', from: BASE, to: TIP, now: null } },
    })
    await undoOperation(app, REPO_ID, OPERATION, false)
    const { overlay } = app.overlays.getState()
    if (overlay?.kind !== 'problem') return expect.unreachable()
    const [remedy] = overlay.problem.remedies
    expect(remedy?.label).toBe('Revert this night')
    remedy?.run?.()
    await expect.poll(() => app.overlays.getState().toast?.text).toContain('reverted')
  })

  it('says so where nothing was done yet', async () => {
    const { app } = open({})
    await undoLast(app)
    expect(app.overlays.getState().toast?.text).toContain('Nothing was done here yet')
  })
})

describe('without a connection', () => {
  it('no act is asked for, since it would wait and be done whenever the connection is back', async () => {
    const { app, client } = open({ 'sleep.approve': () => approved })
    app.mirror.setState({ connected: false })
    app.overlays.setState({ undo: [{ label: 'x', undo: () => expect.unreachable() }] })
    await approve(app, REPO_ID, BRANCH, false)
    await abort(app, REPO_ID, BRANCH)
    await bringMainIn(app, REPO_ID, BRANCH)
    await applyMarks(app, REPO_ID, BRANCH)
    await undoOperation(app, REPO_ID, OPERATION, false)
    await undoLast(app)
    await acceptTrust(app, REPO_ID, 'h', null)
    await setViewed(app, review(), [{ path: files[0]?.path ?? '', keys: null }], true)
    await setIncluded(app, review(), [files[0]?.path ?? ''], false)
    expect(client.calls).toEqual([])
    expect(app.mirror.getState().reviews[KEY]?.review?.files).toEqual(files)
    expect(app.overlays.getState().toast?.text).toBe(LOST)
    app.mirror.setState({ connected: true })
    await approve(app, REPO_ID, BRANCH, false)
    expect(client.calls[0]?.[0]).toBe('sleep.approve')
  })
})
