import { expect, it } from 'vitest'
import { weekChart } from './week.ts'

it('makes a scale of round steps that holds the highest day', () => {
  const days = (...counts: number[]) => counts.map((cameIn, i) => ({ date: `2026-11-2${i}`, cameIn, approved: 0 }))
  expect(weekChart(days(0, 0)).ticks).toEqual([0, 1])
  expect(weekChart(days(5, 3)).ticks).toEqual([0, 2, 4, 6])
  expect(weekChart(days(21)).ticks).toEqual([0, 10, 20, 30])
  expect(weekChart(days(1999)).ticks).toEqual([0, 500, 1000, 1500, 2000])
  expect(weekChart(days(5, 3)).cameIn).toBe(8)
})
