import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { createCore } from '../../electron/core/createCore.ts'
import { createDoor, type Door } from '../../electron/host/door.ts'
import { createLog } from '../../electron/host/log.ts'
import { type Served, serve } from '../../electron/serve/serve.ts'
import { events, methods, type Reply } from '../../shared/contract/index.ts'
import { AppError } from '../../shared/errors/index.ts'
import { RUN, stores, tempDir, withHome } from '../support/index.ts'
import { type Launch, launchShell, startChromium } from './launch.ts'

/** One road from outside to the core. */
interface Road {
  call(method: unknown, params: unknown): Promise<Reply>
  heard(): Promise<readonly unknown[]>
}

const repo = stores.mainAdvancedOverlapping()
let browser: Browser
let launch: Launch
let served: Served
let socket: WebSocket
let dispose: () => Promise<void>
const roads: Record<string, Road> = {}

function coreWithDoor(): { door: Door; start: () => Promise<Served> } {
  const { home, env } = withHome()
  const log = createLog(home)
  const core = createCore({
    home,
    env,
    clock: () => new Date(),
    host: 'serve',
    version: '0.0.0',
    log: log.line,
  })
  dispose = core.dispose
  const page = tempDir('page')
  mkdirSync(join(page, 'assets'))
  writeFileSync(join(page, 'index.html'), '<html><head></head></html>')
  const notHere = (method: string) => () => {
    throw new AppError('ERR_NOT_SUPPORTED_HERE', { method })
  }
  const native = { 'repo.pick': notHere('repo.pick'), 'repo.reveal': notHere('repo.reveal') }
  return { door: createDoor(core, native, log), start: () => serve({ core, log, page }) }
}

function overDispatch(door: Door): Road {
  const heard: unknown[] = []
  door.subscribe((event, payload) => heard.push({ event, payload }))
  return {
    // What any wire does to a value: it becomes text.
    call: async (method, params) => {
      const frame = JSON.parse(JSON.stringify({ method, params }))
      return JSON.parse(JSON.stringify(await door.call(frame.method, frame.params, { via: 'app' })))
    },
    heard: async () => heard,
  }
}

async function overSocket(server: Served): Promise<Road> {
  const origin = `http://127.0.0.1:${server.port}`
  const linked = await fetch(server.newLink().url, { redirect: 'manual' })
  const cookie = linked.headers.get('set-cookie')?.split(';')[0] ?? ''
  const html = await (await fetch(`${origin}/`, { headers: { cookie } })).text()
  socket = new WebSocket(`ws://127.0.0.1:${server.port}/rpc`, { headers: { cookie, origin } })
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ hello: /page-token" content="([^"]+)"/.exec(html)?.[1] }))
  const heard: unknown[] = []
  const waiting = new Map<number, (reply: Reply) => void>()
  socket.on('message', (data) => {
    const frame = JSON.parse(data.toString())
    if (frame.event === undefined) waiting.get(frame.id)?.(frame.reply)
    else heard.push(frame)
  })
  let id = 0
  return {
    call: (method, params) =>
      new Promise((resolve) => {
        waiting.set(++id, resolve)
        socket.send(JSON.stringify({ id, method, params }))
      }),
    heard: async () => heard,
  }
}

async function overIpc(page: Page): Promise<Road> {
  interface Bridge {
    invoke(method: unknown, params: unknown): Promise<unknown>
    subscribe(listener: (event: string, payload: unknown) => void): void
  }
  await page.evaluate(() => {
    const { daybreak } = window as unknown as { daybreak: Bridge }
    const heard: unknown[] = []
    Reflect.set(window, 'conformanceHeard', heard)
    daybreak.subscribe((event, payload) => heard.push({ event, payload }))
  })
  return {
    // As text into the page and out of it, so that the driver of the browser changes nothing on the way.
    call: async (method, params) => {
      const reply = await page.evaluate(async (text) => {
        const frame = JSON.parse(text)
        const { daybreak } = window as unknown as { daybreak: Bridge }
        return JSON.stringify(await daybreak.invoke(frame.method, frame.params))
      }, JSON.stringify({ method, params }))
      return JSON.parse(reply)
    },
    heard: async () => JSON.parse(await page.evaluate(() => JSON.stringify(Reflect.get(window, 'conformanceHeard')))),
  }
}

beforeAll(async () => {
  browser = await startChromium()
  const { door, start } = coreWithDoor()
  served = await start()
  roads.dispatch = overDispatch(door)
  roads.socket = await overSocket(served)
  launch = await launchShell({ browser, home: withHome().home })
  const page = await launch.page()
  await vi.waitFor(() => expect(page.url()).toContain('app.localhost'))
  await page.waitForLoadState('load')
  roads.ipc = await overIpc(page)
})
afterAll(async () => {
  socket.terminate()
  await served.close()
  await dispose()
  launch.window().close()
  await launch.state.exited
  await browser.close()
})

/** The reply over every road, as long as all are alike. */
async function everywhere(method: unknown, params: unknown): Promise<Reply> {
  const { dispatch, socket: overTheSocket, ipc } = roads
  const first = await dispatch?.call(method, params)
  expect(await overTheSocket?.call(method, params)).toEqual(first)
  expect(await ipc?.call(method, params)).toEqual(first)
  if (!first) throw new Error('no road')
  return first
}
const repoId = async () => {
  const reply = await everywhere('repo.open', { path: repo.dir })
  if (!reply.ok) throw new Error(reply.error.message)
  return (reply.result as { id: string }).id
}

describe('every road answers alike', () => {
  test('with what was asked for', async () => {
    const id = await repoId()
    expect(await everywhere('inbox.get', { repoId: id })).toMatchObject({
      ok: true,
      result: { sleepBranches: [{ branch: RUN }] },
    })
    expect(await everywhere('review.get', { repoId: id, branch: RUN })).toMatchObject({ ok: true })
    expect(await everywhere('trust.get', { repoId: id })).toMatchObject({ ok: true })
    expect(await everywhere('config.get', { repoId: id })).toMatchObject({ ok: true })
  })

  test('with a refusal, which is an answer', async () => {
    const before = repo.refs()
    const params = { repoId: await repoId(), branch: RUN, except: [], bringMainIn: false }
    expect(await everywhere('sleep.approve', params)).toMatchObject({
      ok: true,
      result: { approved: false, refusal: { refusal: 'main-advanced' } },
    })
    expect(repo.refs()).toEqual(before)
  })

  test('with a failure: its code, words, mend and data', async () => {
    expect(await everywhere('repo.open', { path: '/nonexistent/x' })).toMatchObject({
      ok: false,
      error: { code: 'ERR_PATH_NOT_FOUND', data: { path: '/nonexistent/x' } },
    })
    const odd = 'no\nsuch "file"\udcff 😀 -> x'
    const reply = await everywhere('review.file', { repoId: await repoId(), branch: RUN, path: odd })
    expect(reply).toMatchObject({ ok: false, error: { code: 'ERR_NO_SUCH_FILE', data: { path: odd } } })
    expect(await everywhere('inbox.get', { repoId: '0123456789abcdef' })).toMatchObject({
      ok: false,
      error: { code: 'ERR_REPOSITORY_NOT_OPEN' },
    })
  })

  test.each(
    ['nope', '', '__proto__', 'constructor', 'toString', 'hasOwnProperty', null, 7, {}, ['app.info'], undefined].map(
      (method) => ({ method }),
    ),
  )('to a method that there is not: %j', async ({ method }) => {
    expect(await everywhere(method, {})).toMatchObject({ ok: false, error: { code: 'ERR_BAD_REQUEST' } })
  })

  test.each(
    [
      undefined,
      null,
      [],
      'text',
      { path: 7 },
      { path: '' },
      { path: '/x', extra: 1 },
      JSON.parse('{"path": "/x", "__proto__": {"a": 1}}'),
      JSON.parse('{"path": "/x", "constructor": 1}'),
    ].map((params) => ({ params })),
  )('to parameters that are not understood: %j', async ({ params }) => {
    expect(await everywhere('repo.open', params)).toMatchObject({ ok: false, error: { code: 'ERR_BAD_REQUEST' } })
  })

  test('with the same events', async () => {
    const id = await repoId()
    for (const road of Object.values(roads))
      await road.call('config.set', { repoId: id, key: 'sleep', value: 'sleep/*' })
    const what = expect.arrayContaining(['settings'])
    const wanted = { event: 'repo.changed', payload: { repoId: id, what } }
    for (const road of Object.values(roads))
      await vi.waitFor(async () => expect(await road.heard()).toContainEqual(wanted), { timeout: 5000 })
    for (const road of Object.values(roads))
      for (const { event, payload } of (await road.heard()) as { event: keyof typeof events; payload: unknown }[])
        expect(events[event].safeParse(payload).success).toBe(true)
  })
})

test('every method of the contract is answered by every road', async () => {
  for (const method of Object.keys(methods))
    for (const [name, road] of Object.entries(roads)) {
      const reply = await road.call(method, { no: 'such parameter' })
      expect([name, method, reply]).toMatchObject([name, method, { ok: false, error: { code: 'ERR_BAD_REQUEST' } }])
    }
})
