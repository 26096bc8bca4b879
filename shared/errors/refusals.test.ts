import { describe, expect, it } from 'vitest'
import { count, refusalText, someOf } from './refusals.ts'

describe('refusalText', () => {
  it('says by how much main moved, what overlaps and whether it merges', () => {
    const text = (overlap: string[], conflicts: string[] | null) =>
      refusalText({ refusal: 'main-advanced', commits: 4, overlap, conflicts }).what
    expect(text([], null)).toBe('main moved 4 commits since this run. No file changed on both sides.')
    expect(text(['a', 'b'], [])).toBe(
      'main moved 4 commits since this run. 2 files changed on both sides: a and b. They merge without a conflict.',
    )
    expect(text(['a', 'b'], ['b'])).toContain('1 file would conflict: b.')
  })

  it('names every worktree and path that is dirty', () => {
    const { what } = refusalText({ refusal: 'dirty-tree', worktrees: [{ worktree: '/r', paths: ['x', 'y'] }] })
    expect(what).toBe('Local changes in 2 files stand in the way: x and y in /r.')
  })

  it('gives the local name for a branch of a remote', () => {
    const { help } = refusalText({ refusal: 'remote-branch', branch: 'origin/sleep/1', remote: 'origin' })
    expect(help[0]).toContain('git branch sleep/1 origin/sleep/1')
  })
})

describe('counts and lists', () => {
  it('counts in words', () => {
    expect([count(1, 'file'), count(0, 'file'), count(12_000, 'entry', 'entries')]).toEqual([
      '1 file',
      '0 files',
      '12,000 entries',
    ])
  })

  it('cuts a list of paths and says how many more', () => {
    expect(someOf(['a'])).toBe('a')
    expect(someOf(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more')
  })
})
