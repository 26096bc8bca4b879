import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { CoreHandlers } from '../../shared/contract/index.ts'
import type { Core, CoreListener } from '../core/createCore.ts'
import { createLog } from '../host/log.ts'
import { createAccess } from './access.ts'
import { type Served, serve } from './serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'daybreak-serve-'))
const page = join(folder, 'page')
const listeners = new Set<CoreListener>()
const core: Core = {
  handlers: {
    'repo.forget': ({ path }: { path: string }) => {
      if (path === 'bug') throw new Error('a bug with a /secret/path')
      return []
    },
  } as unknown as CoreHandlers,
  subscribe: (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  dispose: async () => {},
}

let one: Served
let two: Served
beforeAll(async () => {
  mkdirSync(join(page, 'assets'), { recursive: true })
  writeFileSync(join(page, 'index.html'), '<!doctype html><html><head><title>x</title></head><body></body></html>')
  writeFileSync(join(page, 'assets', 'index-abcdefgh.js'), 'export {}')
  writeFileSync(join(page, 'assets', 'index-abcdefgh.js.map'), '{}')
  writeFileSync(join(folder, 'secret.html'), 'secret')
  const start = () => serve({ core, log: createLog(join(folder, 'home')), page })
  one = await start()
  two = await start()
})
afterAll(async () => {
  await one.close()
  await two.close()
  rmSync(folder, { recursive: true })
})

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}
/** A request with exactly these headers and this target; nothing is normalised on the way. */
function get(served: Served, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: served.port, path, method, headers, agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on('error', reject).end()
  })
}
const pathOf = (link: string) => link.slice(link.indexOf('/?'))
async function login(served: Served): Promise<string> {
  const answer = await get(served, pathOf(served.newLink().url))
  return String(answer.headers['set-cookie']?.[0]).split(';')[0] ?? ''
}
async function pageToken(served: Served, cookie: string): Promise<string> {
  const { body } = await get(served, '/', { cookie })
  return /name="daybreak-page-token" content="([^"]+)"/.exec(body)?.[1] ?? ''
}
const originOf = (served: Served) => `http://127.0.0.1:${served.port}`

/** Opens `/rpc`; resolves with the socket, or with the status of the refusal. */
function upgrade(served: Served, headers: Record<string, string>, path = '/rpc'): Promise<WebSocket | number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${served.port}${path}`, { headers })
    socket.on('open', () => resolve(socket))
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0)
      response.resume()
    })
    socket.on('error', reject)
  })
}
async function connected(served: Served): Promise<WebSocket> {
  const cookie = await login(served)
  const socket = await upgrade(served, { cookie, origin: originOf(served) })
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
  socket.send(JSON.stringify({ hello: await pageToken(served, cookie) }))
  return socket
}
const next = (socket: WebSocket) =>
  new Promise<unknown>((resolve) => socket.once('message', (data) => resolve(JSON.parse(data.toString()))))
const closed = (socket: WebSocket) => new Promise<number>((resolve) => socket.once('close', resolve))
async function ask(socket: WebSocket, frame: unknown): Promise<unknown> {
  const answer = next(socket)
  socket.send(JSON.stringify(frame))
  return answer
}

describe('the link', () => {
  test('opens the page once, by a cookie that no script and no other site can use', async () => {
    const path = pathOf(one.newLink().url)
    const first = await get(one, path)
    expect(first.status).toBe(303)
    expect(first.headers.location).toBe('/')
    const cookie = String(first.headers['set-cookie']?.[0])
    expect(cookie).toMatch(/^daybreak-[0-9a-f]{12}=[\w-]{32}; HttpOnly; SameSite=Strict; Path=\/$/)
    const shown = await get(one, '/', { cookie: cookie.split(';')[0] ?? '' })
    expect(shown.status).toBe(200)
    expect(shown.body).toContain('daybreak-page-token')
    const again = await get(one, path)
    expect(again.status).toBe(403)
    expect(again.headers['set-cookie']).toBeUndefined()
    expect(again.body).toContain('used already')
    expect(again.body).toContain('press Enter in the terminal')
  })

  test.runIf(process.platform === 'linux')(
    'for the own user alone lets this user in, and is one with the other',
    async () => {
      for (const [use, other] of [
        ['ownUrl', 'url'],
        ['url', 'ownUrl'],
      ] as const) {
        const link = one.newLink()
        expect(link.ownUrl).not.toBe(link.url)
        expect((await get(one, pathOf(link[use]))).status).toBe(303)
        const late = await get(one, pathOf(link[other]))
        expect([late.status, late.headers['set-cookie']]).toEqual([403, undefined])
        expect(late.body).toContain('used already')
      }
    },
  )

  test('for the own user alone lets no other user in, and stays for its own', async () => {
    const access = createAccess(1)
    const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? ''
    const { ownUrl } = access.newLink()
    expect(access.takeToken(tokenOf(ownUrl), () => false)).toBe('other-user')
    expect(access.takeToken(tokenOf(ownUrl), () => true)).toBe('taken')
    expect(access.takeToken(tokenOf(ownUrl), () => true)).toBe('used')
    expect(access.takeToken(tokenOf(access.newLink().url), () => false)).toBe('taken')
  })

  test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'is refused to another user of the machine',
    async () => {
      const { ownUrl } = one.newLink()
      const script = `fetch(process.argv[1], { redirect: 'manual' }).then(async (a) => process.stdout.write(a.status + (await a.text())))`
      const nobody = { uid: 65_534, gid: 65_534, cwd: '/', env: {} }
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, ownUrl], nobody)
      expect(stdout).toMatch(/^403.*open the link that the terminal shows/s)
      expect((await get(one, pathOf(ownUrl))).status).toBe(303)
    },
  )

  test('is not used up by who only looks at it or loads ahead', async () => {
    const path = pathOf(one.newLink().url)
    expect((await get(one, path, {}, 'HEAD')).status).toBe(403)
    expect((await get(one, path, { 'sec-purpose': 'prefetch' })).status).toBe(403)
    expect((await get(one, path)).status).toBe(303)
  })

  test('that is used again in the browser that used it just opens the page', async () => {
    const path = pathOf(one.newLink().url)
    const cookie = String((await get(one, path)).headers['set-cookie']?.[0]).split(';')[0] ?? ''
    expect((await get(one, path, { cookie })).status).toBe(303)
  })

  test('followed from a page of another site keeps its cookie by a step of our own page', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const answer = await get(one, pathOf(one.newLink().url), headers)
    expect(answer.status).toBe(200)
    expect(answer.headers['set-cookie']).toHaveLength(1)
    expect(answer.body).toContain('http-equiv="refresh"')
  })

  test('of one server opens no other, and neither does its cookie', async () => {
    expect((await get(two, pathOf(one.newLink().url))).status).toBe(403)
    const cookie = await login(one)
    expect((await get(two, '/', { cookie })).status).toBe(403)
    const both = `${cookie}; ${await login(two)}`
    expect((await get(one, '/', { cookie: both })).status).toBe(200)
    expect((await get(two, '/', { cookie: both })).status).toBe(200)
  })
})

describe('a request', () => {
  test('for a rebound name gets 403, with a cookie and without', async () => {
    const cookie = await login(one)
    for (const host of ['evil.example', `evil.example:${one.port}`, '127.0.0.1', `127.0.0.1:${two.port}`])
      expect((await get(one, '/', { host, cookie })).status).toBe(403)
    expect((await get(one, pathOf(one.newLink().url), { host: 'evil.example' })).status).toBe(403)
    expect((await get(one, '/', { host: `localhost:${one.port}`, cookie })).status).toBe(200)
  })

  test('from a page of another origin gets 403', async () => {
    const cookie = await login(one)
    for (const origin of [
      'https://evil.example',
      'null',
      `http://127.0.0.1:${two.port}`,
      `https://127.0.0.1:${one.port}`,
    ])
      expect((await get(one, '/', { origin, cookie })).status).toBe(403)
    for (const site of ['cross-site', 'same-site']) {
      const headers = { cookie, 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
      expect((await get(one, '/assets/index-abcdefgh.js', headers)).status).toBe(403)
      const frame = { cookie, 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }
      expect((await get(one, '/', frame)).status).toBe(403)
    }
    expect((await get(one, '/', { cookie, origin: originOf(one) })).status).toBe(200)
  })

  test('with no cookie or a forged one gets 403 for everything', async () => {
    const name = (await login(one)).split('=')[0]
    for (const cookie of ['', `${name}=`, `${name}=${'x'.repeat(32)}`, `other=${(await login(one)).split('=')[1]}`])
      for (const path of ['/', '/index.html', '/assets/index-abcdefgh.js', '/rpc', '/nothing'])
        expect((await get(one, path, cookie ? { cookie } : {})).status).toBe(403)
  })

  test('with another verb gets 405 and changes nothing', async () => {
    const cookie = await login(one)
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'TRACE'])
      expect((await get(one, '/', { cookie }, method)).status).toBe(405)
    const path = pathOf(one.newLink().url)
    expect((await get(one, path, {}, 'POST')).status).toBe(405)
    expect((await get(one, path)).status).toBe(303)
    expect((await get(one, '/', { cookie }, 'HEAD')).body).toBe('')
  })

  test('cannot leave the folder of the page, nor list it', async () => {
    const cookie = await login(one)
    const attempts = [
      '/../secret.html',
      '/..%2fsecret.html',
      '/%2e%2e/secret.html',
      '/%2e%2e%2fsecret.html',
      '/..%5csecret.html',
      '/assets/../../secret.html',
      '/assets/..%2f..%2fsecret.html',
      '//secret.html',
      '/assets',
      '/assets/',
      '/assets/index-abcdefgh.js.map',
      `/${encodeURIComponent(join(folder, 'secret.html'))}`,
      '/%00',
      '/%',
    ]
    for (const path of attempts) {
      const answer = await get(one, path, { cookie })
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.body).not.toContain('index-abcdefgh')
    }
  })

  test('is answered with the policy and nosniff, whatever the answer', async () => {
    const cookie = await login(one)
    for (const [path, headers] of [
      ['/', { cookie }],
      ['/assets/index-abcdefgh.js', { cookie }],
      ['/nothing', { cookie }],
      ['/', {}],
    ] as const) {
      const answer = await get(one, path, headers)
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
    expect((await get(one, '/', { cookie })).headers['cache-control']).toBe('no-store')
    expect((await get(one, '/assets/index-abcdefgh.js', { cookie })).headers['content-type']).toContain('javascript')
  })
})

describe('the connection', () => {
  test('is refused with 403 without our Origin, our Host or our cookie', async () => {
    const cookie = await login(one)
    const origin = originOf(one)
    expect(await upgrade(one, { cookie })).toBe(403)
    expect(await upgrade(one, { origin })).toBe(403)
    expect(await upgrade(one, { cookie, origin: 'https://evil.example' })).toBe(403)
    expect(await upgrade(one, { cookie, origin: originOf(two) })).toBe(403)
    expect(await upgrade(one, { cookie, origin, host: `evil.example:${one.port}` })).toBe(403)
    expect(
      await upgrade(one, { cookie, origin: `http://evil.example:${one.port}`, host: `evil.example:${one.port}` }),
    ).toBe(403)
    expect(await upgrade(one, { cookie: cookie.replace(/=.+/, '=forged'), origin })).toBe(403)
    expect(await upgrade(one, { cookie, origin }, '/other')).toBe(403)
  })

  test('hears nothing and is cut off without the page token', async () => {
    const cookie = await login(one)
    for (const frame of [
      { hello: 'forged' },
      { hello: null },
      { id: 1, method: 'repo.forget', params: { path: 'x' } },
    ]) {
      const socket = await upgrade(one, { cookie, origin: originOf(one) })
      if (typeof socket === 'number') throw new Error('refused')
      const heard: unknown[] = []
      socket.on('message', (data) => heard.push(data))
      const end = closed(socket)
      for (const listener of listeners) listener('app.openRequested', { path: '/x' })
      socket.send(JSON.stringify(frame))
      expect(await end).toBe(4403)
      expect(heard).toEqual([])
    }
  })

  test('with the page token of another server is cut off', async () => {
    const cookie = await login(one)
    const socket = await upgrade(one, { cookie, origin: originOf(one) })
    if (typeof socket === 'number') throw new Error('refused')
    const end = closed(socket)
    socket.send(JSON.stringify({ hello: await pageToken(two, await login(two)) }))
    expect(await end).toBe(4403)
  })

  test('answers each call by its id and carries events', async () => {
    const socket = await connected(one)
    expect(await ask(socket, { id: 7, method: 'repo.forget', params: { path: 'x' } })).toEqual({
      id: 7,
      reply: { ok: true, result: [] },
    })
    const event = next(socket)
    for (const listener of listeners) listener('app.openRequested', { path: '/x' })
    expect(await event).toEqual({ event: 'app.openRequested', payload: { path: '/x' } })
    socket.terminate()
  })

  test('says what it cannot do here', async () => {
    const socket = await connected(one)
    for (const [method, params] of [
      ['repo.pick', {}],
      ['repo.reveal', { repoId: '0123456789abcdef', path: 'x' }],
    ] as const)
      expect(await ask(socket, { id: 1, method, params })).toMatchObject({
        reply: { ok: false, error: { code: 'ERR_NOT_SUPPORTED_HERE' } },
      })
    socket.terminate()
  })

  test('never carries the text of a bug', async () => {
    const socket = await connected(one)
    const answer = await ask(socket, { id: 1, method: 'repo.forget', params: { path: 'bug' } })
    expect(answer).toMatchObject({ reply: { ok: false, error: { code: 'ERR_INTERNAL' } } })
    expect(JSON.stringify(answer)).not.toContain('/secret/path')
    socket.terminate()
  })

  test('is cut off after a frame that is not understood, and the server goes on', async () => {
    for (const bad of ['no json', '[]', 'null', '{"method":"app.info"}', '{"id":{},"method":"app.info"}']) {
      const socket = await connected(one)
      const end = closed(socket)
      socket.send(bad)
      expect(await end).toBe(4400)
    }
    const socket = await connected(one)
    expect(await ask(socket, { id: 1, method: 'repo.forget', params: { path: 'x' } })).toMatchObject({ id: 1 })
    socket.terminate()
  })
})

test('a port that is taken is said so, and garbage on the wire ends only itself', async () => {
  const taken = serve({ core, log: createLog(join(folder, 'home')), page, port: one.port })
  await expect(taken).rejects.toMatchObject({ code: 'ERR_PORT_IN_USE' })
  await new Promise<void>((resolve) => {
    const raw = connect(one.port, '127.0.0.1', () => raw.end('\0\0 not http\r\n\r\n'))
    raw.on('close', () => resolve())
    raw.on('data', () => {})
  })
  expect((await get(one, '/')).status).toBe(403)
})

test('only this machine can connect', async () => {
  const refused = await new Promise<string>((resolve) => {
    const socket = connect(one.port, '127.0.0.2', () => resolve('connected'))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
  })
  expect(refused).toBe('ECONNREFUSED')
})
