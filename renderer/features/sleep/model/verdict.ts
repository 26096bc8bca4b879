import type { WireError } from '../../../../shared/errors/appError.ts'
import { count, refusalText } from '../../../../shared/errors/refusals.ts'
import type { ApprovalPreview, Refusal, Review, SleepBranch } from '../../../../shared/model/index.ts'
import { refusalParts, refusalView, type Step } from '../../../app/refusals.ts'
import { clock } from '../../../ui/time.ts'

export interface Verdict {
  readonly chip: { readonly tone: 'ok' | 'wait' | 'stop'; readonly label: string }
  readonly facts: readonly string[]
  /** The line under the heading: what will happen, or what stands in the way. */
  readonly reason: { readonly tone: 'plain' | 'wait' | 'stop'; readonly lead: string; readonly rest: string }
  readonly canApprove: boolean
  readonly steps: readonly Step[]
  /** The refusal that the line is about. */
  readonly refusal: Refusal | null
}

const short = (oid: string | null | undefined) => oid?.slice(0, 7) ?? ''

/** What is said while the core has not yet said what Approve would do. */
const WAITING = 'Reading what approving would do.'

function willHappen(review: Review, preview: ApprovalPreview): string {
  const trunk = review.trunk.branch
  if (review.run.status.state === 'already-merged')
    return `All of this branch is on ${trunk} already. Approving says so and removes the branch. Undo brings it back.`
  const out = preview.leftOut.length
  const applied = preview.marks - preview.heldMarks.length
  // What is left out makes one more commit, whose id is not known yet.
  const moves =
    out > 0
      ? `${trunk} ${count(preview.commits, 'commit')}`
      : `${trunk} ${count(preview.commits, 'commit')} to ${short(preview.to)}`
  const parts = [
    `moves ${moves}`,
    ...(out > 0 ? [`leaves out ${count(out, 'file')}`] : []),
    ...(applied > 0 ? [`applies ${count(applied, 'mark')}`] : []),
    ...(preview.heldMarks.length > 0 ? [`holds back ${count(preview.heldMarks.length, 'mark')}`] : []),
    'removes this branch',
  ]
  const last = parts.pop()
  return `Approving ${parts.join(', ')} and ${last}. Undo brings it back.`
}

function factsOf(review: Review, preview: ApprovalPreview | null): string[] {
  const { run, trunk } = review
  const facts = [`${count(run.commits, 'commit')} on ${trunk.branch}@${short(review.base)}`]
  if (run.status.state === 'already-merged') facts.push(`on ${trunk.branch} already`)
  else if (review.base !== null && trunk.oid === review.base) facts.push('fast-forward possible')
  else if (trunk.oid !== null) facts.push(`${trunk.branch} is now ${short(trunk.oid)}`)
  const marks = preview?.marks ?? review.ledger?.marks.length ?? 0
  facts.push(marks === 0 ? 'no mark pending' : `${count(marks, 'mark')} pending`)
  if (preview && preview.stale.length > 0)
    facts.push(`${count(preview.stale.length, 'generated list')} may be stale until the next night`)
  const out = review.files.filter((f) => !f.included).length
  if (out > 0) facts.push(`${out} of ${review.files.length} left out`)
  if (review.gate !== null) {
    const { last, trusted } = review.gate
    facts.push(
      last
        ? `gate ${last.passed ? 'passed' : 'failed'} ${clock(last.at)}`
        : trusted
          ? 'gate runs first'
          : 'gate not trusted',
    )
  }
  if (run.checkedOutIn !== null) facts.push(`checked out in ${run.checkedOutIn}`)
  return facts
}

/** Files whose new content is not here: main must not get what it could not be checked out with. */
function cannotLand(review: Review, lacking: Review['files'], facts: readonly string[]): Verdict {
  const [first] = lacking
  const more = lacking.length > 1 ? ` and ${count(lacking.length - 1, 'other file')}` : ''
  return {
    chip: { tone: 'stop', label: 'Object missing' },
    facts,
    reason: {
      tone: 'stop',
      lead: `${first?.path}${more} cannot land:`,
      rest: `this repository lacks the object ${short(first?.missing)} that the branch names. Fetch the branch again, or leave ${lacking.length === 1 ? 'it' : 'them'} out. ${review.trunk.branch} is as it was.`,
    },
    canApprove: false,
    steps: ['read-again'],
    refusal: null,
  }
}

/** What can be said of a branch: its chip, its facts, the reason line, and whether Approve can be pressed. */
export function verdictOf(
  review: Review,
  preview: ApprovalPreview | null,
  refused: Refusal | null,
  problem: WireError | null = null,
  lost: string | null = null,
): Verdict {
  const facts = factsOf(review, preview)
  if (lost !== null)
    return {
      chip: { tone: 'wait', label: 'No connection' },
      facts,
      reason: { tone: 'wait', lead: '', rest: lost },
      canApprove: false,
      steps: [],
      refusal: null,
    }
  if (problem !== null)
    return {
      chip: { tone: 'stop', label: 'Cannot be read' },
      facts,
      reason: { tone: 'stop', lead: problem.message, rest: problem.unchanged.join(' ') },
      canApprove: false,
      steps: ['read-again'],
      refusal: null,
    }
  const blockers = preview?.blockers ?? (review.run.status.state === 'blocked' ? review.run.status.blockers : [])
  const refusal = refusalToShow(blockers, refused)
  if (refusal) {
    const view = refusalView(refusal)
    const { lead, rest } = refusalParts(refusal)
    const more =
      blockers.length > 1
        ? `Also: ${blockers
            .slice(1)
            .map((b) => refusalView(b).short.toLowerCase())
            .join(', ')}.`
        : ''
    const help = view.steps.length === 0 || refusal.refusal === 'gate-failed' ? refusalText(refusal).help.join(' ') : ''
    return {
      chip: { tone: view.tone, label: view.short },
      facts,
      reason: { tone: view.tone, lead, rest: [rest, help, more].filter((s) => s !== '').join(' ') },
      canApprove: view.retry && blockers.length === 0,
      steps: view.steps,
      refusal,
    }
  }
  const merged = review.run.status.state === 'already-merged'
  const lacking = merged ? [] : review.files.filter((f) => f.included && f.missing !== null && f.missing === f.newOid)
  if (lacking.length > 0) return cannotLand(review, lacking, facts)
  return {
    chip: { tone: 'ok', label: merged ? 'Already merged' : 'Ready' },
    facts,
    reason: { tone: 'plain', lead: '', rest: preview === null ? WAITING : willHappen(review, preview) },
    canApprove: preview !== null,
    steps: [],
    refusal: null,
  }
}

/** Refusals that only a try can find. */
const FOUND_BY_TRYING: ReadonlySet<Refusal['refusal']> = new Set([
  'gate-failed',
  'path-clash',
  'cannot-leave-out',
  'unresolved',
  'not-trusted',
])

/**
 * What the reason line is about: what the core finds by looking goes before what the last try met, but for a try to bring
 * main in, which says more of a main that moved than looking does.
 */
function refusalToShow(blockers: readonly Refusal[], refused: Refusal | null): Refusal | null {
  const [first] = blockers
  const tried = refused && FOUND_BY_TRYING.has(refused.refusal) ? refused : null
  if (first?.refusal === 'main-advanced' && tried?.refusal === 'unresolved') return tried
  if (tried?.refusal === 'unresolved' && blockers.length === 0) return null
  return first ?? tried
}

/** The state of a branch for the inbox: shape, short words, and what is said aloud. */
export function inboxState(branch: SleepBranch): {
  readonly tone: 'ok' | 'wait' | 'stop'
  readonly words: string
  readonly short: string | null
} {
  if (branch.status.state === 'already-merged') return { tone: 'ok', words: 'already merged', short: 'merged' }
  if (branch.status.state === 'ready') return { tone: 'ok', words: 'ready', short: null }
  const [first] = branch.status.blockers
  const label = first ? refusalView(first).short.toLowerCase() : 'blocked'
  if (branch.readiness === 'stop') return { tone: 'stop', words: `cannot be approved, ${label}`, short: label }
  return { tone: 'wait', words: `needs something first: ${label}`, short: null }
}
