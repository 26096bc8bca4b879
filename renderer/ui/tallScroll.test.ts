import { describe, expect, it } from 'vitest'
import { contentTop, elementHeight, keyStep, scrollTop, TALLEST } from './tallScroll.ts'

describe('scrolling through what is taller than an element can be', () => {
  const view = 600

  it('leaves all else as it is', () => {
    expect([elementHeight(5000), contentTop(77, 5000, view), scrollTop(77, 5000, view)]).toEqual([5000, 77, 77])
  })

  it('reaches the first and the last pixel, and comes back to where it was', () => {
    for (const content of [TALLEST + 1, 40_000_000, 640_000_000]) {
      const height = elementHeight(content)
      expect(height).toBe(TALLEST)
      expect(contentTop(0, content, view)).toBe(0)
      expect(contentTop(height - view, content, view)).toBe(content - view)
      for (const top of [20, 1_000_000, content - view - 20])
        expect(Math.abs(contentTop(scrollTop(top, content, view), content, view) - top)).toBeLessThanOrEqual(1)
    }
  })

  it('steps by rows and by screens', () => {
    expect(keyStep('ArrowDown', false, 20, view)).toBe(40)
    expect(keyStep('PageUp', false, 20, view)).toBe(-560)
    expect(keyStep(' ', false, 20, view)).toBe(560)
    expect(keyStep(' ', true, 20, view)).toBe(-560)
    expect(keyStep('End', false, 20, view)).toBeNull()
  })
})
