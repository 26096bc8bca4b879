import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { act, begin, canRedo, canUndo, now, redo, redoLabel, settle, undo, undoLabel } from './history.ts'

const SEED = 20261201
console.log(`fast-check seed ${SEED}`)

describe('the history', () => {
  it('goes back to the state at opening and forward again, whatever is done in between', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('act' as const), value: fc.nat() }),
      fc.constant({ do: 'undo' as const }),
      fc.constant({ do: 'redo' as const }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let history = begin<{ n: number }>({ n: -1 })
        const opening = now(history)
        let model: { n: number }[] = [opening]
        let at = 0
        for (const one of steps) {
          if (one.do === 'act') {
            const value = { n: one.value }
            history = act(history, value, `${one.value}`)
            model = [...model.slice(0, at + 1), value]
            at = model.length - 1
          } else if (one.do === 'undo') {
            history = undo(history)
            at = Math.max(0, at - 1)
          } else {
            history = redo(history)
            at = Math.min(model.length - 1, at + 1)
          }
          expect(now(history)).toBe(model[at])
          expect([canUndo(history), canRedo(history)]).toEqual([at > 0, at < model.length - 1])
        }
        while (canUndo(history)) history = undo(history)
        expect(now(history)).toBe(opening)
      }),
      { seed: SEED },
    )
  })

  it('makes one act of those that follow each other at once, and not across an undo or a pause', () => {
    let history = act(act(begin('a'), 'b', 'typing', 't'), 'c', 'typing', 't')
    expect(history.entries.map((one) => one.value)).toEqual(['a', 'c'])
    history = act(settle(history), 'd', 'typing', 't')
    expect(history.entries.map((one) => one.value)).toEqual(['a', 'c', 'd'])
    history = act(undo(history), 'e', 'typing', 't')
    expect(history.entries.map((one) => one.value)).toEqual(['a', 'c', 'e'])
    expect([undoLabel(history), redoLabel(undo(history))]).toEqual(['typing', 'typing'])
    expect(act(history, 'e', 'nothing')).toBe(history)
  })
})
