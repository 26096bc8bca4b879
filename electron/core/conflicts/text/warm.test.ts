import { expect, it, vi } from 'vitest'
import { warmUpWhenIdle } from './warm.ts'

it('warms up one step at a time, and stops when told to', async () => {
  let steps = 0
  const ended = Promise.withResolvers<void>()
  function* three(): Generator<void> {
    for (; steps < 3; steps++) yield
    ended.resolve()
  }
  warmUpWhenIdle(three(), 0)
  await ended.promise
  expect(steps).toBe(3)

  vi.useFakeTimers()
  let more = 0
  const stop = warmUpWhenIdle({ next: () => ({ done: ++more > 100, value: undefined }) }, 5)
  vi.advanceTimersByTime(5)
  expect(more).toBe(1)
  stop()
  vi.advanceTimersByTime(10_000)
  expect(more).toBe(1)
  vi.useRealTimers()
})
