import { describe, expect, it, vi } from 'vitest'
import { AppError } from '../../shared/errors/index.ts'
import { createBridgeWire } from './bridgeWire.ts'
import { createClient, RemoteError } from './client.ts'
import { connectionLost } from './lost.ts'
import { createSocketWire, type SocketLike } from './socketWire.ts'

function fakeHost() {
  const sockets: (SocketLike & { sent: Record<string, unknown>[] })[] = []
  const retries: { run: () => void; ms: number }[] = []
  const open = () => {
    const socket = {
      sent: [] as Record<string, unknown>[],
      send: (text: string) => socket.sent.push(JSON.parse(text)),
      close: () => socket.onclose?.(),
      onopen: null as (() => void) | null,
      onmessage: null as ((message: { data: unknown }) => void) | null,
      onclose: null as (() => void) | null,
    }
    sockets.push(socket)
    return socket
  }
  const wire = createSocketWire({ open, token: 'page', later: (run, ms) => retries.push({ run, ms }) })
  const last = () => {
    const socket = sockets.at(-1)
    if (socket === undefined) throw new Error('no socket was opened')
    return socket
  }
  const answer = (id: number, reply: unknown) => last().onmessage?.({ data: JSON.stringify({ id, reply }) })
  return { wire, last, retries, answer }
}

describe('createSocketWire', () => {
  it('says hello first and pairs replies with calls by id, in any order', async () => {
    const { wire, last, answer } = fakeHost()
    const one = wire.invoke('a', { x: 1 })
    last().onopen?.()
    const two = wire.invoke('b', {})
    expect(last().sent).toEqual([
      { hello: 'page' },
      { id: 1, method: 'a', params: { x: 1 } },
      { id: 2, method: 'b', params: {} },
    ])
    answer(2, { ok: true, result: 'two' })
    answer(1, { ok: true, result: 'one' })
    expect([await one, await two]).toEqual([
      { ok: true, result: 'one' },
      { ok: true, result: 'two' },
    ])
  })

  it('answers calls under way with ERR_CONNECTION_LOST, keeps later ones for the next connection and tells both ends of it', async () => {
    const { wire, last, retries, answer } = fakeHost()
    const status = vi.fn()
    wire.onStatus(status)
    last().onopen?.()
    const underWay = wire.invoke('a', {})
    last().onclose?.()
    expect(await underWay).toEqual({ ok: false, error: connectionLost })
    const later = wire.invoke('b', {})
    retries[0]?.run()
    last().onopen?.()
    expect(last().sent).toEqual([{ hello: 'page' }, { id: 2, method: 'b', params: {} }])
    answer(2, { ok: true, result: 1 })
    expect(await later).toEqual({ ok: true, result: 1 })
    expect(status.mock.calls).toEqual([['lost'], ['back']])
  })

  it('waits twice as long after each failure, five seconds at most', () => {
    const { last, retries } = fakeHost()
    for (let i = 0; i < 7; i++) {
      last().onclose?.()
      retries.at(-1)?.run()
    }
    expect(retries.map((r) => r.ms)).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000])
  })
})

describe('createClient', () => {
  it('turns a refused reply into a RemoteError that keeps the wire form', async () => {
    const error = new AppError('ERR_NOT_A_REPOSITORY', { path: '/x' }).toWire()
    const client = createClient(
      createBridgeWire({ invoke: async () => ({ ok: false, error }), subscribe: () => () => {} }),
    )
    const failure = await client.call('repo.open', { path: '/x' }).catch((e: unknown) => e)
    expect(failure).toBeInstanceOf(RemoteError)
    expect((failure as RemoteError).wire).toEqual(error)
  })

  it('hands an event only to its own listeners, until they leave', () => {
    const { wire, last } = fakeHost()
    last().onopen?.()
    const client = createClient(wire)
    const heard = vi.fn()
    const off = client.on('app.command', heard)
    client.on('app.openRequested', () => expect.unreachable())
    const tell = () => last().onmessage?.({ data: JSON.stringify({ event: 'app.command', payload: { command: 'x' } }) })
    tell()
    off()
    tell()
    expect(heard.mock.calls).toEqual([[{ command: 'x' }]])
  })
})

it('words a lost connection as the catalogue does', () => {
  expect(connectionLost).toEqual(new AppError('ERR_CONNECTION_LOST', {}).toWire())
})
