import { expect, it } from 'vitest'
import type { Side } from '../memory/compare.ts'
import { memoryParts } from './reviewParts.ts'

const side = (fields: Record<string, string[]>): Side => ({
  title: null,
  fields: new Map(Object.entries(fields)),
  article: null,
})
const fieldsOf = (before: Side | null, after: Side | null) =>
  memoryParts('a.html', before, after).flatMap((part) => (part.part === 'fields' ? part.fields : []))

it('a memory that is created or deleted shows its own fields, not what a missing one would have meant', () => {
  const memory = side({ type: ['arc'], importance: ['8'] })
  expect(fieldsOf(null, memory)).toEqual([
    { name: 'importance', before: [], after: ['8'] },
    { name: 'type', before: [], after: ['arc'] },
  ])
  expect(fieldsOf(memory, null)).toEqual([
    { name: 'importance', before: ['8'], after: [] },
    { name: 'type', before: ['arc'], after: [] },
  ])
})

it('a field that comes or goes between two versions is shown from what its absence means', () => {
  expect(fieldsOf(side({ type: ['arc'] }), side({ type: ['arc'], confidence: ['0.920'] }))).toEqual([
    { name: 'confidence', before: ['1.000'], after: ['0.920'] },
  ])
})
