import { ended } from '../../../../../shared/merge/draft/model.ts'
import type { AuditRow, Draft, LineDecision } from '../../../../../shared/model/index.ts'
import type { TextMerge } from '../textMerge.ts'

type Loses = 'base' | 'ours' | 'theirs'

/** The sides whose lines a decision gives up by its name: those that the person saw and did not take. */
function givenUpBy(decision: LineDecision): readonly Loses[] {
  // Both word edits stand in one line: no line of the sides is there as it was, and no word of them is lost.
  if (decision.take === 'combined') return ['base', 'ours', 'theirs']
  // The person's own decision about the very same conflict, taken again by its name.
  if (decision.take === 'recorded') return ['base', 'ours', 'theirs']
  if (decision.by !== 'mine') return []
  if (decision.take === 'ours') return ['base', 'theirs']
  if (decision.take === 'theirs') return ['base', 'ours']
  return decision.take === 'base' ? ['ours', 'theirs'] : []
}

/**
 * The lines that decisions gave up, counted by side and content. A line that was lost more often than that was lost
 * otherwise: by a hand edit, or by what a rule, a record or a program wrote.
 */
export class GivenUp {
  private readonly counts: Readonly<Record<Loses, Map<string, number>>>
  private readonly explained = new Map<string, number>()

  constructor({ model }: TextMerge, draft: Draft) {
    const counts = {
      base: new Map<string, number>(),
      ours: new Map<string, number>(),
      theirs: new Map<string, number>(),
    }
    for (const [i, ranges] of model.conflicts.entries()) {
      const decision = draft.lines[i] ?? null
      // An open conflict shows base, and lacks both sides until it is decided.
      const sides = decision === null ? (['base', 'ours', 'theirs'] as const) : givenUpBy(decision)
      for (const side of sides)
        for (let line = ranges[side].start; line < ranges[side].end; line++) {
          const text = ended(model[side][line] as string).slice(0, -1)
          counts[side].set(text, (counts[side].get(text) ?? 0) + 1)
        }
    }
    this.counts = counts
  }

  /** Whether one more lost line of this side with this text is explained by a decision. Each asking counts. */
  explains(side: AuditRow['side'], text: string): boolean {
    const of = (one: Loses) => this.counts[one].get(text) ?? 0
    const most = side === 'both' ? Math.min(of('ours'), of('theirs')) : side === 'result' ? 0 : of(side)
    const key = `${side} ${text}`
    const before = this.explained.get(key) ?? 0
    this.explained.set(key, before + 1)
    return before < most
  }
}
