import { expect, it } from 'vitest'
import { showPath } from './path.ts'

it('writes out what cannot be seen and leaves the rest', () => {
  expect(showPath('areas/é 😀.md')).toBe('areas/é 😀.md')
  expect(showPath('a\nb\tc\u0001')).toBe('a\\nb\\tc\\u0001')
  expect(showPath('x\udcff\udc80.md')).toBe('x\\xff\\x80.md')
})
