import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { tempDir } from '../../e2e/support/index.ts'
import type { CoreHandlers } from '../../shared/contract/index.ts'
import { createLog } from '../host/log.ts'
import { serveHere } from './serveHere.ts'
import type { Invocation } from './verb.ts'

test('Enter prints a new link, which works once like the first', async () => {
  const printed: string[] = []
  const said: string[] = []
  const { promise: stays, resolve: end } = Promise.withResolvers<void>()
  const core = { handlers: {} as CoreHandlers, subscribe: () => () => {}, dispose: async () => {} }
  const call = {
    session: { core: async () => core, log: createLog(tempDir('home')) },
    json: false,
    env: {},
    print: async (answer: { text: string }) => void printed.push(answer.text),
    say: (line: string) => void said.push(line),
    stay: () => stays,
  } as unknown as Invocation
  const wasTerminal = process.stdin.isTTY
  process.stdin.isTTY = true
  const served = serveHere(call, { folder: null, port: 0, open: false })
  await vi.waitFor(() => expect(printed).toHaveLength(1))
  expect(said.join()).toContain('Enter: a new link')
  process.stdin.emit('data', Buffer.from('\n'))
  await vi.waitFor(() => expect(printed).toHaveLength(2))
  const links = printed.map((line) => line.replace('Daybreak is at ', ''))
  const status = async (link = '') => (await fetch(link, { redirect: 'manual' })).status
  expect([await status(links[1]), await status(links[1]), await status(links[0])]).toEqual([303, 403, 303])
  end()
  expect(await served).toBeNull()
  process.stdin.isTTY = wasTerminal
})

test.runIf(process.platform === 'linux')(
  'the browser is sent by a link for this user alone, since all can read the arguments of a process',
  async () => {
    const folder = tempDir('opener')
    const seen = join(folder, 'seen')
    writeFileSync(
      join(folder, 'xdg-open'),
      `#!/bin/sh\necho "$@" > '${seen}.part' && /bin/mv '${seen}.part' '${seen}'\n`,
    )
    chmodSync(join(folder, 'xdg-open'), 0o700)
    const { promise: stays, resolve: end } = Promise.withResolvers<void>()
    const core = { handlers: {} as CoreHandlers, subscribe: () => () => {}, dispose: async () => {} }
    const printed: string[] = []
    const call = {
      session: { core: async () => core, log: createLog(tempDir('home')) },
      json: false,
      env: { PATH: folder },
      print: async (answer: { text: string }) => void printed.push(answer.text),
      say: () => {},
      stay: () => stays,
    } as unknown as Invocation
    const served = serveHere(call, { folder: null, port: 0, open: true })
    await vi.waitFor(() => expect(existsSync(seen)).toBe(true))
    const words = readFileSync(seen, 'utf8').trim()
    const url = (printed[0] ?? '').replace('Daybreak is at ', '')
    const token = new URL(url).searchParams.get('token') ?? ''
    expect(token).not.toBe('')
    expect(words).not.toContain(token)
    expect((await fetch(words, { redirect: 'manual' })).status).toBe(303)
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(403)
    end()
    await served
  },
)
