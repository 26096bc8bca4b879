import { describe, expect, it } from 'vitest'
import { originText, unmergedText } from './origins.ts'

const merged = (from: Parameters<typeof originText>[0]['from']) => ({
  state: 'merged' as const,
  trunk: 'a',
  text: '',
  raw: [],
  from,
  authors: [],
})
const at = (who: 'trunk' | 'branch', start: number, lines: number, removed = 0) => ({ who, start, lines, removed })

describe('originText', () => {
  it('names the lines that each brought or took away', () => {
    const both = merged([at('branch', 8, 1), at('branch', 13, 3), at('trunk', 18, 1), at('trunk', 30, 0, 2)])
    expect(originText(both, 'branch', 'sleep/x')).toBe('lines 8 and 13 to 15 from sleep/x')
    expect(originText(both, 'trunk', 'planner')).toBe('line 18 from planner, 2 lines removed by planner')
    expect(originText(merged([]), 'trunk', 'planner')).toBeNull()
    const many = merged([1, 3, 5, 7, 9].map((line) => at('branch', line, 1)))
    expect(originText(many, 'branch', 'x')).toBe('lines 1, 3, 5 and 2 more places from x')
  })

  it('says why there is no merged text', () => {
    expect(unmergedText({ state: 'conflict', conflicts: 2 }, 'main')).toContain('the same lines in 2 places')
    expect(unmergedText({ state: 'none', why: 'one-sided' }, 'main')).toContain('no such file')
  })
})
