import { describe, expect, it } from 'vitest'
import { AppError } from '../../shared/errors/index.ts'
import { coalesced } from './coalesce.ts'
import { marksPhrase } from './outcomes.ts'
import { detailsOf, problemOfError, problemOfRefusal } from './problem.ts'
import { createSession, NEW_BRANCH, restored, saveable } from './session.ts'

describe('coalesced', () => {
  it('runs once more after the run under way, however often it is asked', async () => {
    const ends: (() => void)[] = []
    const run = coalesced(() => new Promise<void>((resolve) => ends.push(resolve)))
    const first = run('a')
    const later = [run('a'), run('a'), run('a')]
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await first
    await expect.poll(() => ends.length).toBe(2)
    ends[1]?.()
    await Promise.all(later)
    expect(ends).toHaveLength(2)
  })

  it('goes on after a failure', async () => {
    let runs = 0
    const run = coalesced(async () => {
      runs++
      if (runs === 1) throw new Error('once')
    })
    await expect(run('a')).rejects.toThrow('once')
    await run('a')
    expect(runs).toBe(2)
  })
})

describe('the session', () => {
  it('comes back as it was put by, without what belongs to the moment', () => {
    const store = createSession({ page: 'sleep', repoId: '0123456789abcdef', branch: 'b' })
    const branch = { ...NEW_BRANCH, path: 'x', scroll: 40, filtering: true, open: { generated: true } }
    store.setState({ memoryView: 'inline', branches: { k: branch } })
    expect(restored(saveable(store.getState()))).toEqual({
      route: { page: 'sleep', repoId: '0123456789abcdef', branch: 'b' },
      memoryView: 'inline',
      rawView: 'side',
      branches: { k: { ...branch, filtering: false } },
    })
  })

  it('is empty where nothing or nonsense was put by', () => {
    expect([restored(null), restored('{'), restored('{"version":9}')]).toEqual([{}, {}, {}])
    expect(restored('{"version":1,"memoryView":"x","branches":{"k":3}}')).toEqual({ branches: {} })
  })
})

describe('problems', () => {
  it('says what happened, what is unchanged and what helps, and offers commands as buttons', () => {
    const error = new AppError('ERR_NOT_A_REPOSITORY', { path: '/x y' }).toWire()
    const problem = problemOfError('/x y was not opened', error, [{ label: 'Try again' }])
    expect(problem.remedies.map((r) => r.label)).toEqual(['Open another folder', 'Try again'])
    expect(problem.shell).toEqual(["git init '/x y'"])
    expect(problem.paths).toEqual([])
    expect(detailsOf(problem, 'Daybreak 0.1.0')).toBe(
      [
        '/x y was not opened',
        'ERR_NOT_A_REPOSITORY · Daybreak 0.1.0',
        '',
        'What happened',
        '/x y is not inside a git repository.',
        '',
        'What is unchanged',
        'Nothing was read from it and nothing was changed.',
        '',
        'What helps',
        'Make it a repository:',
        "git init '/x y'",
        '',
      ].join('\n'),
    )
  })

  it('lists paths that the sentence does not name', () => {
    const paths = ['a', 'b', 'c', 'd', 'e', 'f.html']
    const error = new AppError('ERR_TORN_FILES', { paths, operationId: 'x' }).toWire()
    expect(problemOfError('t', error).paths).toContain('f.html')
  })

  it('says of a refusal that nothing was moved', () => {
    expect(problemOfRefusal('t', { refusal: 'cannot-undo', why: 'it was undone already' })).toMatchObject({
      what: 'It cannot be undone: it was undone already.',
      unchanged: ['Nothing was moved.'],
      code: 'cannot-undo',
    })
  })
})

describe('marksPhrase', () => {
  const none = { pending: 0, applied: 0, held: [], malformed: 0, failure: null }
  it('says what became of the marks', () => {
    expect(marksPhrase(none)).toBe('')
    expect(marksPhrase({ ...none, pending: 2, applied: 2 })).toBe(', 2 marks applied')
    expect(marksPhrase({ ...none, pending: 3, applied: 1, malformed: 1 })).toBe(
      ', 1 mark applied, 1 mark still pending, 1 mark could not be read',
    )
    expect(marksPhrase({ ...none, pending: 2, failure: 'index.db is locked' })).toBe(
      ', 2 marks not applied: index.db is locked',
    )
  })
})
