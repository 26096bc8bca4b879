import { describe, expect, it } from 'vitest'
import { fail, fakeClient } from '../testing/fakeClient.ts'
import { BRANCH, fileReview, files, preview, REPO_ID, review } from '../testing/night.ts'
import { createApp } from './app.ts'
import { branchKey, fileKey } from './mirror.ts'
import { loadFile, refreshReview, rereadTicks, setIncluded, setViewed } from './reviews.ts'
import { undoLast } from './verbs.ts'

const KEY = branchKey(REPO_ID, BRANCH)
const path = 'areas/infra/pool-ceiling.html'

function open(answers: Parameters<typeof fakeClient>[0]) {
  const client = fakeClient({ 'review.get': () => review(), 'sleep.preview': () => preview(), ...answers })
  const app = createApp(client)
  app.mirror.setState({ reviews: { [KEY]: { review: review(), preview: preview(), problem: null } } })
  const file = (p: string) => app.mirror.getState().reviews[KEY]?.review?.files.find((f) => f.path === p)
  return { app, client, file }
}

describe('setViewed', () => {
  it('ticks at once and believes the core afterwards', async () => {
    const { app, file } = open({
      'review.setViewed': () => {
        expect(file(path)?.viewed).toBe('yes')
        return { files: [{ path, viewed: 'some' as const }], viewed: 1 }
      },
    })
    await setViewed(app, review(), [{ path, keys: null }], true)
    expect(file(path)?.viewed).toBe('some')
  })

  it('takes the tick back where it was not kept', async () => {
    const { app, file } = open({
      'review.setViewed': () => fail('ERR_STORAGE_BUSY', { path: 'state.db', waitedSeconds: 5 }),
    })
    await setViewed(app, review(), [{ path, keys: null }], true)
    expect(file(path)?.viewed).toBe('no')
    expect(app.overlays.getState().overlay).toMatchObject({ kind: 'problem', problem: { code: 'ERR_STORAGE_BUSY' } })
  })

  it('is not taken back by a review that was read before the core had it', async () => {
    let answer = (_: ReturnType<typeof review>) => {}
    let reads = 0
    const ticked = () => ({ ...review(), files: files.map((f) => ({ ...f, viewed: 'yes' as const })) })
    const { app, file } = open({
      'review.get': () => {
        reads += 1
        return reads > 1 ? ticked() : new Promise<ReturnType<typeof review>>((resolve) => (answer = resolve))
      },
      'review.setViewed': () => ({ files: [{ path, viewed: 'yes' as const }], viewed: 1 }),
    })
    const reading = refreshReview(app, REPO_ID, BRANCH)
    await setViewed(app, review(), [{ path, keys: null }], true)
    answer(review())
    await reading
    expect(file(path)?.viewed).toBe('yes')
    await expect.poll(() => reads).toBe(2)
  })

  it('can be undone', async () => {
    const { app, client } = open({
      'review.setViewed': ({ marks }) => ({
        files: marks.map((m) => ({ path: m.path, viewed: m.viewed ? ('yes' as const) : ('no' as const) })),
        viewed: 0,
      }),
    })
    await setViewed(app, review(), [{ path, keys: null }], true)
    await undoLast(app)
    expect(client.calls.at(-1)).toEqual([
      'review.setViewed',
      { repoId: REPO_ID, branch: BRANCH, marks: [{ path, viewed: false }] },
    ])
  })
})

describe('setIncluded', () => {
  it('follows the core where a pair goes together, and asks anew what would happen', async () => {
    const { app, client, file } = open({ 'review.setIncluded': () => ({ leftOut: ['areas/infra/pool-limit.html'] }) })
    await setIncluded(app, review(), ['areas/infra/pool-limit.html'], false)
    expect(file('archive/2026/areas/infra/pool-limit.html')?.included).toBe(false)
    expect(client.calls.at(-1)).toEqual([
      'sleep.preview',
      { repoId: REPO_ID, branch: BRANCH, except: ['archive/2026/areas/infra/pool-limit.html'] },
    ])
  })
})

describe('loading', () => {
  it('asks what Approve would do of the branch that was read, not of the one that was read first', async () => {
    const { app, client } = open({})
    await refreshReview(app, REPO_ID, BRANCH)
    const other = 'sleep/2026-11-29'
    await refreshReview(app, REPO_ID, other)
    await expect.poll(() => client.calls.at(-1)?.[0]).toBe('sleep.preview')
    expect(client.calls.at(-1)?.[1]).toMatchObject({ branch: other })
    expect(app.mirror.getState().reviews[branchKey(REPO_ID, other)]?.preview).toEqual(preview())
  })

  it('asks for a file once while it is on its way, and keeps it', async () => {
    const [file] = files
    if (!file) return expect.unreachable()
    const { app, client } = open({ 'review.file': () => fileReview(file) })
    await Promise.all([loadFile(app, review(), path, null), loadFile(app, review(), path, null)])
    await loadFile(app, review(), path, null)
    expect(client.calls).toHaveLength(1)
    expect(app.mirror.getState().files[fileKey(review(), path, null)]).toEqual({ value: fileReview(file) })
  })

  it('shows why a branch cannot be read, and forgets what it showed of one that is gone', async () => {
    const { app } = open({ 'review.get': () => fail('ERR_NO_SUCH_BRANCH', { branch: BRANCH }) })
    await refreshReview(app, REPO_ID, BRANCH)
    expect(app.mirror.getState().reviews[KEY]).toMatchObject({ review: null, problem: { code: 'ERR_NO_SUCH_BRANCH' } })
  })
})

describe('ticks that were changed elsewhere', () => {
  it('are read again for the file that is shown, which stays in sight, and the rest is forgotten', async () => {
    const [file, other] = files
    if (!file || !other) return expect.unreachable()
    let viewed = false
    const part = () => [{ part: 'fields' as const, key: 'k', viewed, fields: [] }]
    const { app } = open({ 'review.file': ({ path: p }) => fileReview(p === path ? file : other, { memory: part() }) })
    await Promise.all([loadFile(app, review(), file.path, null), loadFile(app, review(), other.path, null)])
    viewed = true
    rereadTicks(app, REPO_ID, BRANCH, file.path)
    const kept = () => app.mirror.getState().files
    expect(Object.keys(kept())).toEqual([fileKey(review(), file.path, null)])
    await expect
      .poll(() => kept()[fileKey(review(), file.path, null)])
      .toMatchObject({ value: { memory: [{ viewed: true }] } })
  })
})
