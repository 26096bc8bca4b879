import { expect, it } from 'vitest'
import { hashOf, routeOf } from './route.ts'

const repoId = '0123456789abcdef'
const branch = 'sleep/2026-11-30'

it.each([
  'a.md',
  'é ü.md',
  '😀.md',
  'a/b c?#%.md',
  'back\\slash.md',
  '\\dcff.md',
  'not-utf8-\udcff\udc80.md',
  'new\nline',
])('an address names %j and gives it back', (path) => {
  expect(routeOf(hashOf({ page: 'sleep', repoId, branch, path }))).toEqual({ page: 'sleep', repoId, branch, path })
})

it.each([
  { from: 'worktree', worktree: '/home/mara/no tes/a%' },
  { from: 'branch', branch },
  { from: 'tool' },
] as const)('an address names the conflicts of %j and gives them back', (source) => {
  expect(routeOf(hashOf({ page: 'conflict', repoId, source }))).toEqual({ page: 'conflict', repoId, source })
  const one = { page: 'conflict', repoId, source, item: 'fedcba9876543210' } as const
  expect(routeOf(hashOf(one))).toEqual(one)
})

it('what is not understood is the landing page, or the repository', () => {
  expect(routeOf('#/nonsense')).toEqual({ page: 'landing' })
  expect(routeOf(`#/${repoId}/sleep/%zz`)).toEqual({ page: 'home', repoId })
})
