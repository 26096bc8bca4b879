import { afterEach, describe, expect, it } from 'vitest'
import { tempDir } from '../../../e2e/support/index.ts'
import { createIndexDb, type IndexDb } from './indexDb.ts'
import { beginTexts, finishTexts, readTextState, searchTexts, type TextState, writeTexts } from './textIndex.ts'

const open: IndexDb[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

/** Two processes over one file. */
function two(): [IndexDb, IndexDb] {
  const dir = tempDir('index')
  const both: [IndexDb, IndexDb] = [createIndexDb(dir), createIndexDb(dir)]
  open.push(...both)
  return both
}

const text = (path: string, body: string) => ({ path, oid: '1'.repeat(40), title: path, pieces: [body] })
const found = (index: IndexDb, word: string) => searchTexts(index, `"${word}"`, 10, '**').map((one) => one.path)

describe('the full text', () => {
  it('is only called complete by who wrote last', () => {
    const [one, other] = two()
    const seen = readTextState(one)
    const ours = beginTexts(one, seen) as TextState
    writeTexts(one, [text('a.md', 'ours')], [])
    // The other saw the state from before; and then that of now, and takes over.
    expect(beginTexts(other, seen)).toBeNull()
    const theirs = beginTexts(other, readTextState(other)) as TextState
    writeTexts(other, [text('a.md', 'theirs')], [])
    expect(finishTexts(one, ours, 'a'.repeat(40))).toBe(false)
    expect(readTextState(one).tip).toBeNull()
    expect(finishTexts(other, theirs, 'b'.repeat(40))).toBe(true)
    expect(readTextState(one).tip).toBe('b'.repeat(40))
    expect(finishTexts(other, theirs, 'c'.repeat(40))).toBe(false)
  })

  it('finds what was written last, once, and nothing that was taken away', () => {
    const [index] = two()
    writeTexts(index, [text('a.md', 'first words'), text('b.md', 'first of b')], [])
    writeTexts(index, [{ ...text('a.md', ''), pieces: ['second words', 'more second words'] }], [])
    expect(found(index, 'first')).toEqual(['b.md'])
    expect(found(index, 'second')).toEqual(['a.md'])
    writeTexts(index, [], ['a.md', 'never-there.md'])
    expect(found(index, 'second')).toEqual([])
  })
})
