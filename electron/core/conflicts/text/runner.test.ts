import { afterEach, describe, expect, it } from 'vitest'
import { draftModel, emptyDraft } from '../../../../shared/merge/draft/index.ts'
import type { TextInput } from './jobs.ts'
import { createTextRunner, type TextRunner } from './runner.ts'

const runners: TextRunner[] = []
afterEach(async () => {
  for (const one of runners.splice(0)) await one.dispose()
})
const runner = (setup: { most?: number; deadline?: number } = {}, log: string[] = []): TextRunner => {
  const made = createTextRunner({ log: (line) => log.push(line), ...setup })
  runners.push(made)
  return made
}

function input(lines: number, key = `${lines}`): TextInput {
  const file = (name: string) =>
    Buffer.from(Array.from({ length: lines }, (_, i) => `${i === 5 ? name : `line ${i}`}\n`).join(''))
  return { key, sides: { base: file('base'), ours: file('ours'), theirs: file('theirs') }, recorded: null }
}
const setup = { names: { ours: 'a', theirs: 'b' }, markerSize: 7, hash: 'sha1', choiceOpen: false } as const

describe('work on texts', () => {
  it('gives the same answers in a worker thread as here', async () => {
    const here = runner()
    const there = runner({ most: 0 })
    const what = input(2000)
    const view = await here.run({ do: 'view', input: what, kept: null })
    expect(await there.run({ do: 'view', input: what, kept: null })).toEqual(view)
    const draft = emptyDraft(draftModel((view as NonNullable<typeof view>).view))
    const decided = { ...draft, lines: [{ take: 'ours', by: 'mine' } as const] }
    for (const job of [
      { do: 'check', input: what, draft: decided, setup },
      { do: 'about', input: what, draft },
    ] as const)
      expect(await there.run(job)).toEqual(await here.run(job))
    const made = await there.run({ do: 'bytes', input: what, draft: decided })
    expect('bytes' in made && Buffer.from(made.bytes).equals(Buffer.from(what.sides.ours))).toBe(true)
    expect(await there.run({ do: 'bytes', input: what, draft })).toMatchObject({ open: 1 })
    expect(await there.run({ do: 'bytes', input: what, draft: { ...draft, lines: [] } })).toHaveProperty('misfit')
  })

  it('answers many at once, and asks anew for sides that the worker has forgotten', async () => {
    const there = runner({ most: 0 })
    const many = Array.from({ length: 24 }, (_, i) => input(20 + i))
    const first = await Promise.all(many.map((one) => there.run({ do: 'view', input: one, kept: null })))
    const again = await Promise.all(many.map((one) => there.run({ do: 'view', input: one, kept: null })))
    expect(first.map((one) => one?.view.base.length)).toEqual(many.map((one) => one.sides.base?.length))
    expect(again).toEqual(first)
  })

  it('stops what takes longer than its deadline and goes on with the next', async () => {
    const there = runner({ most: 0, deadline: 60 })
    const word = (n: number) => ((n * 2654435761) >>> 0) % 20
    const dense = (from: number) =>
      Buffer.from(Array.from({ length: 60_000 }, (_, i) => `w${word(i * 7 + from)}${word(i + from)}\n`).join(''))
    const slow: TextInput = {
      key: 'slow',
      sides: { base: dense(1), ours: dense(99), theirs: dense(777) },
      recorded: null,
    }
    const error = await there.run({ do: 'view', input: slow, kept: null }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'ERR_TOOK_TOO_LONG' })
    const patient = runner({ most: 0 })
    expect(await patient.run({ do: 'view', input: input(50), kept: null })).not.toBeNull()
  })

  it('ends the work and its worker once nobody waits for it any more', async () => {
    const there = runner({ most: 0 })
    const word = (n: number) => ((n * 2654435761) >>> 0) % 20
    const dense = (from: number) =>
      Buffer.from(Array.from({ length: 60_000 }, (_, i) => `w${word(i * 7 + from)}${word(i + from)}\n`).join(''))
    const slow = (key: string): TextInput => ({
      key,
      sides: { base: dense(1), ours: dense(99), theirs: dense(777) },
      recorded: null,
    })
    const stop = new AbortController()
    let ended = 0
    // Both workers are busy, and one more waits.
    const readings = ['a', 'b', 'c'].map((key) =>
      there.run({ do: 'view', input: slow(key), kept: null }, stop.signal).catch((thrown: unknown) => {
        ended++
        return thrown
      }),
    )
    const behind = there.run({ do: 'view', input: input(40), kept: null })
    await new Promise(setImmediate)
    expect(ended).toBe(0)
    stop.abort()
    for (const one of readings) expect(await one).toMatchObject({ code: 'ERR_CANCELLED' })
    expect(await behind).not.toBeNull()
    await expect(there.run({ do: 'view', input: input(40), kept: null }, stop.signal)).rejects.toMatchObject({
      code: 'ERR_CANCELLED',
    })
  })

  it('answers checks of one file that wait with the latest one', async () => {
    const there = runner({ most: 0 })
    const what = input(5000)
    const view = await there.run({ do: 'view', input: what, kept: null })
    const draft = emptyDraft(draftModel((view as NonNullable<typeof view>).view))
    const decided = { ...draft, lines: [{ take: 'theirs', by: 'mine' } as const] }
    const busy = [1, 2].map((n) => there.run({ do: 'view', input: input(9000 + n), kept: null }))
    const [old, last] = [
      there.run({ do: 'check', input: what, draft, setup }),
      there.run({ do: 'check', input: what, draft: decided, setup }),
    ]
    expect(await old).toEqual(await last)
    expect(await last).toMatchObject({ check: { open: 0 } })
    await Promise.all(busy)
  })

  it('ends what waits when it is ended', async () => {
    const there = runner({ most: 0 })
    const waiting = [1, 2, 3].map((n) =>
      there.run({ do: 'view', input: input(n * 1000), kept: null }).catch((error: unknown) => error),
    )
    await there.dispose()
    for (const one of waiting) expect(await one).toMatchObject({ code: 'ERR_CANCELLED' })
  })
})
