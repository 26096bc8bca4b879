import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type DraftModel, decide, editResult, emptyDraft, layoutOf } from '../../../../shared/merge/draft/index.ts'
import { aboutOf, carryOver, conflictKeys, misfit } from './about.ts'
import { draftBytes } from './draftBytes.ts'
import { type TextMerge, textMerge } from './textMerge.ts'

const SEED = 20261204
console.log(`fast-check seed ${SEED}`)

const open = (base: string, ours: string, theirs: string): TextMerge =>
  textMerge({ base: Buffer.from(base), ours: Buffer.from(ours), theirs: Buffer.from(theirs) }) as TextMerge
const textsOf = (model: DraftModel, i: number) => {
  const { base, ours, theirs } = model.conflicts[i] as DraftModel['conflicts'][number]
  const of = (side: 'base' | 'ours' | 'theirs', range: typeof base) =>
    model[side].slice(range.start, range.end).join('')
  return [of('base', base), of('ours', ours), of('theirs', theirs)]
}

it('carries over only what fits, each decision to a conflict with the same three texts', () => {
  const line = fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', '\n')
  const file = fc.array(line, { maxLength: 12 })
  const takes = fc.array(fc.constantFrom('ours', 'theirs', 'combined', null), { minLength: 12, maxLength: 12 })
  const edits = fc.array(fc.record({ at: fc.nat(), lines: fc.array(fc.constantFrom('x', 'a'), { maxLength: 2 }) }), {
    maxLength: 3,
  })
  const change = fc.record({ at: fc.nat(), removed: fc.nat(2), put: fc.array(line, { maxLength: 2 }) })
  let carriedDecisions = 0
  let carriedEdits = 0
  fc.assert(
    fc.property(file, file, file, takes, edits, change, (base, ours, theirs, chosen, acts, { at, removed, put }) => {
      const before = open(base.join(''), ours.join(''), theirs.join(''))
      let draft = emptyDraft(before.model)
      for (const [i] of draft.lines.entries()) {
        const take = chosen[i] ?? null
        if (take === null || (take === 'combined' && before.view.conflicts[i]?.combined == null)) continue
        draft = decide(draft, i, { take, by: 'mine' })
      }
      for (const act of acts) {
        const shown = layoutOf(before.model, draft).lines.length
        const start = act.at % (shown + 1)
        if (shown + act.lines.length > 0)
          draft = editResult(before.model, draft, { start, end: start, lines: act.lines })
      }
      const changed = [...theirs]
      changed.splice(at % (theirs.length + 1), removed, ...put)
      const after = open(base.join(''), ours.join(''), changed.join(''))
      const about = aboutOf(before.model, conflictKeys(before.model), draft)
      const { draft: now, left } = carryOver(after.model, conflictKeys(after.model), draft, about)
      expect(misfit(after.model, now)).toBeNull()
      draftBytes(after, now)
      for (const [i, one] of now.lines.entries()) {
        if (one === null) continue
        carriedDecisions++
        const same = draft.lines.some(
          (was, j) => was === one && textsOf(before.model, j).join('|') === textsOf(after.model, i).join('|'),
        )
        expect(same).toBe(true)
      }
      for (const edit of now.edits) {
        carriedEdits++
        expect(draft.edits.some((was) => was.text === edit.text && was.removed === edit.removed)).toBe(true)
      }
      const lost =
        draft.edits.length -
        now.edits.length +
        draft.lines.filter((one) => one !== null).length -
        now.lines.filter((one) => one !== null).length
      expect(lost > 0).toBe(left.length > 0)
    }),
    { seed: SEED, numRuns: 1500 },
  )
  expect(carriedDecisions).toBeGreaterThan(100)
  expect(carriedEdits).toBeGreaterThan(50)
})
