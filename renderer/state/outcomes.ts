import { count } from '../../shared/errors/refusals.ts'
import type { ApproveOutcome, MarksOutcome, UndoOutcome } from '../../shared/model/index.ts'

type Approved = Extract<ApproveOutcome, { approved: true }>
type Undone = Extract<UndoOutcome, { undone: true }>

/** What became of the marks, as the end of a sentence: `, 2 marks applied`; empty where there were none. */
export function marksPhrase(marks: MarksOutcome): string {
  const parts: string[] = []
  if (marks.failure !== null) parts.push(`${count(marks.pending, 'mark')} not applied: ${marks.failure}`)
  else if (marks.applied > 0) parts.push(`${count(marks.applied, 'mark')} applied`)
  const waiting = marks.failure === null ? marks.pending - marks.applied - marks.malformed - marks.held.length : 0
  if (waiting > 0) parts.push(`${count(waiting, 'mark')} still pending`)
  if (marks.held.length > 0) parts.push(`${count(marks.held.length, 'mark')} held`)
  if (marks.malformed > 0) parts.push(`${count(marks.malformed, 'mark')} could not be read`)
  return parts.map((part) => `, ${part}`).join('')
}

/** The toast after an approval. */
export function approvedText(o: Approved, trunk: string): string {
  if (o.alreadyMerged)
    return `${o.branch} was on ${trunk} already${o.branchRemoved ? '; the branch is removed' : ''}${marksPhrase(o.marks)}`
  const out = o.leftOut.length > 0 ? `, ${count(o.leftOut.length, 'file')} left out` : ''
  return `${o.branch} approved: ${trunk} moved ${count(o.commits, 'commit')} to ${o.to.slice(0, 7)}${out}${marksPhrase(o.marks)}`
}

const verbs: { readonly [V in Undone['verb']]: string } = {
  approve: 'Approval',
  abort: 'Abort',
  'bring-main-in': 'Bring main in',
  undo: 'Undo',
  revert: 'Revert',
  'apply-marks': 'Applying marks',
  resolve: 'Resolution',
  reopen: 'Reopening',
  continue: 'Going on',
  'abort-operation': 'Giving up',
  publish: 'Publishing',
  merge: 'Merge',
  discard: 'Discarding',
}

/** The toast after an undo or a revert. */
export function undoneText(o: Undone, trunk: string): string {
  if (o.how === 'revert')
    return `${o.branch} reverted: one commit on ${trunk} takes it back${o.to ? `, now at ${o.to.slice(0, 7)}` : ''}`
  const back = o.restoredAs === null ? '' : `; ${o.restoredAs} is back`
  const moved = o.verb === 'approve' && o.to !== null ? `; ${trunk} is at ${o.to.slice(0, 7)} again` : ''
  return `${verbs[o.verb]} of ${o.branch} undone${moved}${back}`
}
