import type { LineDecision, Resolution } from '../../shared/model/index.ts'

/** What was taken, in words, with the sides' names. */
export function decisionWords(sides: Pick<Resolution, 'ours' | 'theirs'>, decision: LineDecision): string {
  const { ours, theirs } = sides
  switch (decision.take) {
    case 'base':
      return 'base kept'
    case 'ours':
      return `${ours.name} taken`
    case 'theirs':
      return `${theirs.name} taken`
    case 'ours-then-theirs':
      return `both taken, ${ours.name} first`
    case 'theirs-then-ours':
      return `both taken, ${theirs.name} first`
    case 'combined':
      return 'word edits do not overlap: both are in'
    case 'recorded':
      return 'recorded resolution used'
    case 'text':
      return 'edited by hand'
  }
}
