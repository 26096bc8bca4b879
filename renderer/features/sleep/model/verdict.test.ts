import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../shared/errors/index.ts'
import { files, preview, review, sleepBranch } from '../../../testing/night.ts'
import { inboxState, verdictOf } from './verdict.ts'

describe('verdictOf', () => {
  it('says in one sentence what approving does', () => {
    const v = verdictOf(review(), preview(), null)
    expect(v.chip).toEqual({ tone: 'ok', label: 'Ready' })
    expect(v.canApprove).toBe(true)
    expect(v.reason.rest).toBe(
      'Approving moves main 7 commits to 0000000, applies 2 marks and removes this branch. Undo brings it back.',
    )
    expect(v.facts).toEqual(['7 commits on main@0000000', 'fast-forward possible', '2 marks pending'])
  })

  it('says what is left out and which marks are held, and names no commit that is not there yet', () => {
    const mark = { kind: 'malformed', line: 1, text: 'x', why: 'y' } as const
    const r = review({ files: files.map((f, i) => ({ ...f, included: i > 0 })) })
    const v = verdictOf(r, preview({ leftOut: ['a'], heldMarks: [mark] }), null)
    expect(v.reason.rest).toBe(
      'Approving moves main 7 commits, leaves out 1 file, applies 1 mark, holds back 1 mark and removes this branch. Undo brings it back.',
    )
    expect(v.facts).toContain('1 of 8 left out')
    expect(verdictOf(r, preview({ stale: ['index.html'] }), null).facts).toContain(
      '1 generated list may be stale until the next night',
    )
  })

  it('says why it cannot be said what approving would do, and does not let approve', () => {
    const problem = new AppError('ERR_STORAGE_BUSY', { path: 'state.db', waitedSeconds: 5 }).toWire()
    const v = verdictOf(review(), preview(), null, problem)
    expect([v.reason.tone, v.canApprove, v.steps]).toEqual(['stop', false, ['read-again']])
    expect(v.reason.lead).toContain('state.db')
  })

  it('does not let approve what would land without its content, until that is left out', () => {
    const gone = { ...files[0], missing: 'a'.repeat(40), newOid: 'a'.repeat(40) } as (typeof files)[number]
    const v = verdictOf(review({ files: [gone, ...files.slice(1)] }), preview(), null)
    expect([v.reason.tone, v.canApprove, v.chip.label]).toEqual(['stop', false, 'Object missing'])
    expect(`${v.reason.lead} ${v.reason.rest}`).toBe(
      'areas/infra/pool-ceiling.html cannot land: this repository lacks the object aaaaaaa that the branch names. Fetch the branch again, or leave it out. main is as it was.',
    )
    const out = verdictOf(review({ files: [{ ...gone, included: false }, ...files.slice(1)] }), preview(), null)
    expect(out.canApprove).toBe(true)
    // Only its old content is gone: main gets the new one.
    const old = { ...gone, newOid: 'b'.repeat(40) }
    expect(verdictOf(review({ files: [old] }), preview(), null).canApprove).toBe(true)
  })

  it('does not let approve before the core has said what would happen', () => {
    expect(verdictOf(review(), null, null).canApprove).toBe(false)
  })

  it('offers both in one step where main moved elsewhere, and only to bring it in where it changed the same files', () => {
    const moved = (overlap: string[], conflicts: string[] | null) =>
      verdictOf(review(), preview({ blockers: [{ refusal: 'main-advanced', commits: 4, overlap, conflicts }] }), null)
    expect(moved([], null).steps).toEqual(['bring-main-in-and-approve', 'bring-main-in'])
    expect(moved([], null).canApprove).toBe(false)
    expect(moved([], null).reason).toMatchObject({ tone: 'wait', lead: 'main moved 4 commits since this run.' })
    expect(moved(['a', 'b'], []).steps).toEqual(['bring-main-in'])
    expect(moved(['a', 'b'], []).chip.label).toBe('Needs main')
    expect(moved(['a', 'b'], []).reason.rest).toContain('They merge without a conflict.')
    expect(moved(['a', 'b'], ['a']).steps).toEqual(['resolve-conflicts'])
    expect(moved(['a', 'b'], ['a']).chip.label).toBe('Conflicts with main')
  })

  it('lets a failed gate be tried again, and forgets the try where the core sees another hindrance', () => {
    const failed = {
      refusal: 'gate-failed',
      command: 'a: b. c',
      exitCode: 1,
      reason: 'exit',
      seconds: 3,
      output: '',
    } as const
    const v = verdictOf(review(), preview(), failed)
    expect([v.chip.label, v.canApprove, v.steps]).toEqual(['Gate failed', true, []])
    expect(v.reason.lead).toBe('The gate `a: b. c` ended with exit code 1.')
    const dirty = preview({ blockers: [{ refusal: 'dirty-tree', worktrees: [{ worktree: '/r', paths: ['x'] }] }] })
    expect(verdictOf(review(), dirty, failed).chip.label).toBe('Local changes')
    expect(verdictOf(review(), dirty, failed).canApprove).toBe(false)
  })

  it('says which files conflict once bringing main in was tried', () => {
    const moved = preview({ blockers: [{ refusal: 'main-advanced', commits: 1, overlap: ['a'], conflicts: null }] })
    const v = verdictOf(review(), moved, { refusal: 'unresolved', conflicts: ['a.html'] })
    expect(v.reason.lead).toBe('1 file is in conflict and not decided:')
    expect(v.reason.rest).toContain('a.html')
    expect(v.canApprove).toBe(false)
    expect(verdictOf(review(), preview(), { refusal: 'unresolved', conflicts: ['a.html'] }).canApprove).toBe(true)
  })

  it('names every further hindrance', () => {
    const v = verdictOf(
      review(),
      preview({
        blockers: [
          { refusal: 'dirty-tree', worktrees: [{ worktree: '/r', paths: ['x'] }] },
          { refusal: 'main-advanced', commits: 1, overlap: [], conflicts: null },
        ],
      }),
      null,
    )
    expect(v.reason.rest).toContain('Also: needs main.')
  })

  it('says that a merged branch is merged, and still lets it be settled', () => {
    const r = review({ run: sleepBranch({ status: { state: 'already-merged' } }) })
    const v = verdictOf(r, preview({ commits: 0, marks: 0 }), null)
    expect([v.chip.label, v.canApprove]).toEqual(['Already merged', true])
    expect(v.reason.rest).toContain('on main already')
  })
})

describe('inboxState', () => {
  it('has a shape and words for each state', () => {
    expect(inboxState(sleepBranch())).toEqual({ tone: 'ok', words: 'ready', short: null })
    const blocked = (readiness: 'needs' | 'stop', refusal: 'empty-run' | 'branch-gone') =>
      inboxState(sleepBranch({ readiness, status: { state: 'blocked', blockers: [{ refusal, branch: 'b' }] } }))
    expect(blocked('stop', 'empty-run')).toEqual({ tone: 'stop', words: 'cannot be approved, empty', short: 'empty' })
    expect(blocked('needs', 'branch-gone').tone).toBe('wait')
  })
})
