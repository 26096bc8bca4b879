import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startToolRun, TOOL_VARIABLE, takeToolCall } from './toolRun.ts'

const call = { base: null, ours: '/o', theirs: '/t', merged: '/m' }
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a page that is gone for good gives up; one that is loaded anew does not', async () => {
  const run = startToolRun(call, 1000, 10)
  const ended = vi.fn()
  void run.ended.then(ended)
  await vi.advanceTimersByTimeAsync(60_000)
  run.onPages(1)
  run.onPages(0)
  await vi.advanceTimersByTimeAsync(900)
  run.onPages(1)
  await vi.advanceTimersByTimeAsync(5000)
  expect(ended).not.toHaveBeenCalled()
  run.onPages(0)
  await vi.advanceTimersByTimeAsync(1000)
  expect(ended).toHaveBeenCalledWith(false)
})

test('ends as it was told, once the answer has had time to arrive', async () => {
  const run = startToolRun(call, 1000, 10)
  const ended = vi.fn()
  void run.ended.then(ended)
  run.tool.end(true)
  await vi.advanceTimersByTimeAsync(5)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(5)
  expect(ended).toHaveBeenCalledWith(true)
})

test('the call is taken out of the environment', () => {
  const env: NodeJS.ProcessEnv = { [TOOL_VARIABLE]: JSON.stringify(call), OTHER: 'x' }
  expect(takeToolCall(env)).toEqual(call)
  expect(env).toEqual({ OTHER: 'x' })
  expect(takeToolCall(env)).toBeNull()
})
