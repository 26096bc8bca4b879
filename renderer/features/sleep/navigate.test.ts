import { describe, expect, it } from 'vitest'
import { type App, createApp } from '../../state/app.ts'
import { branchKey, fileKey } from '../../state/mirror.ts'
import { fakeClient } from '../../testing/fakeClient.ts'
import { BRANCH, fileReview, files, preview, REPO_ID, review } from '../../testing/night.ts'
import { nextUnviewed, placeOf, setToTick, stepChange, stepCommit, stepFile, viewedAndNext } from './navigate.ts'

const KEY = branchKey(REPO_ID, BRANCH)

function open(): App {
  const app = createApp(
    fakeClient({
      'review.setViewed': ({ marks }) => ({
        files: marks.map((m) => ({ path: m.path, viewed: 'yes' as const })),
        viewed: 0,
      }),
    }),
  )
  app.mirror.setState({ reviews: { [KEY]: { review: review(), preview: preview(), problem: null } } })
  app.session.setState({ route: { page: 'sleep', repoId: REPO_ID, branch: BRANCH } })
  return app
}

const shown = (app: App) => placeOf(app)?.file?.path
const session = (app: App) => app.session.getState().branches[KEY]

describe('walking the files', () => {
  it('begins at the first that is not viewed and steps in the order of the list', () => {
    const app = open()
    expect(shown(app)).toBe('areas/infra/pool-ceiling.html')
    stepFile(app, 1)
    expect(shown(app)).toBe('areas/infra/failover-drill.html')
    stepFile(app, -1)
    expect(stepFile(app, -1)).toBe(false)
    expect(app.overlays.getState().said.text).toBe('This is the first file.')
  })

  it('opens the shut group of a file that is stepped into', () => {
    const app = open()
    for (let i = 1; i < files.length; i++) stepFile(app, 1)
    expect(placeOf(app)?.file?.kind).toBe('generated')
    expect(session(app)?.open).toMatchObject({ generated: true, created: true, archived: true })
  })

  it('ticks and goes on to the next that is not viewed, from the top again at the end', () => {
    const app = open()
    viewedAndNext(app)
    expect(shown(app)).toBe('areas/infra/failover-drill.html')
    expect(placeOf(app)?.review.files[0]?.viewed).toBe('yes')
    const order = placeOf(app)?.order ?? []
    expect(nextUnviewed(order, order.length - 1)?.path).toBe('areas/infra/failover-drill.html')
    expect(
      nextUnviewed(
        order.map((f) => ({ ...f, viewed: 'yes' as const })),
        0,
      ),
    ).toBeNull()
  })
})

describe('ticking many', () => {
  it('stays where it is when other files are ticked', () => {
    const app = open()
    const place = placeOf(app)
    if (place) viewedAndNext(app, setToTick(place, 'generated'))
    expect(shown(app)).toBe('areas/infra/pool-ceiling.html')
    expect(placeOf(app)?.review.viewed).toBe(2)
  })

  it('takes the kind whose row has the focus, else what is alike, else the file', () => {
    const app = open()
    const set = (row?: string) => {
      const place = placeOf(app)
      return place ? setToTick(place, row).map((f) => f.path) : expect.unreachable()
    }
    expect(set('generated')).toEqual(['areas/index.html', 'index.html'])
    expect(set()).toEqual(['areas/infra/pool-ceiling.html'])
    for (let i = 0; i < 3; i++) stepFile(app, 1)
    expect(set('metadata-only:areas/a.html')).toEqual(['areas/a.html', 'areas/b.html'])
  })
})

describe('walking the changes', () => {
  it('goes through a file and on to the next, and back to the last of the one before', () => {
    const app = open()
    const [file] = files
    if (!file) return expect.unreachable()
    const part = (key: string) => ({ part: 'fields' as const, key, viewed: false, fields: [] })
    const loaded = fileReview(file, { memory: [part('a'), part('b')] })
    app.mirror.setState({ files: { [fileKey(review(), file.path, null)]: { value: loaded } } })
    stepChange(app, 1)
    expect([shown(app), session(app)?.change]).toEqual([file.path, 1])
    stepChange(app, 1)
    expect([shown(app), session(app)?.change]).toEqual(['areas/infra/failover-drill.html', 0])
    stepChange(app, -1)
    expect([shown(app), session(app)?.change]).toEqual([file.path, -1])
    stepChange(app, -1)
    expect(session(app)?.change).toBe(0)
  })
})

describe('walking the commits', () => {
  it('begins at the oldest and ends at the newest', () => {
    const app = open()
    const [newest, oldest] = review().commits
    stepCommit(app, 1)
    expect(session(app)?.commit).toBe(oldest?.oid)
    stepCommit(app, 1)
    expect(session(app)?.commit).toBe(newest?.oid)
    stepCommit(app, 1)
    expect(session(app)?.commit).toBe(newest?.oid)
    expect(placeOf(app)?.file).toBeNull()
  })
})
