import { count } from '../../shared/errors/refusals.ts'
import type { HistoryEntry } from '../../shared/model/index.ts'
import type { IconName } from '../ui/Icon.tsx'

export interface EntryView {
  readonly icon: IconName
  readonly tone: 'ok' | 'dim' | 'stop' | 'wait'
  readonly text: string
  readonly detail: string
}

const done: Readonly<Record<HistoryEntry['verb'], string>> = {
  approve: 'Approved',
  abort: 'Aborted',
  'bring-main-in': 'Brought main into',
  undo: 'Undid the last act on',
  revert: 'Reverted',
  'apply-marks': 'Applied the marks of',
  resolve: 'Resolved',
  reopen: 'Reopened',
  continue: 'Went on with',
  'abort-operation': 'Gave up',
  publish: 'Published',
  merge: 'Merged into',
  discard: 'Discarded a candidate for',
}

const tried: Readonly<Record<HistoryEntry['verb'], string>> = {
  approve: 'approve',
  abort: 'abort',
  'bring-main-in': 'bring main into',
  undo: 'undo the last act on',
  revert: 'revert',
  'apply-marks': 'apply the marks of',
  resolve: 'resolve',
  reopen: 'reopen',
  continue: 'go on with',
  'abort-operation': 'give up',
  publish: 'publish',
  merge: 'merge into',
  discard: 'discard a candidate for',
}

const icons: Readonly<Record<HistoryEntry['verb'], IconName>> = {
  approve: 'check',
  abort: 'cannot',
  'bring-main-in': 'merge',
  undo: 'undo',
  revert: 'undo',
  'apply-marks': 'moon',
  resolve: 'check',
  reopen: 'undo',
  continue: 'merge',
  'abort-operation': 'cannot',
  publish: 'check',
  merge: 'merge',
  discard: 'cannot',
}

const short = (oid: string) => oid.slice(0, 7)

/** One act of the history in words. */
export function entryView(e: HistoryEntry): EntryView {
  const extras = [
    ...(e.leftOut.length > 0 ? [`${e.leftOut.length} left out`] : []),
    ...(e.marks?.failure ? [`${count(e.marks.pending, 'mark')} not applied`] : []),
    ...(e.status === 'undone' ? ['undone'] : []),
  ]
  const tail = extras.map((x) => `, ${x}`).join('')
  const moved = e.from && e.to && e.from !== e.to ? `${short(e.from)} → ${short(e.to)}` : e.to ? short(e.to) : ''
  const who = `${whoOf(e)}${e.via === 'app' ? '' : `, by ${e.via === 'cli' ? 'the command line' : e.via}`}`
  const detail = [who, moved, e.detail ?? ''].filter((s) => s !== '').join(' · ')
  const base = { icon: icons[e.verb], detail }
  switch (e.status) {
    case 'running':
      return { ...base, tone: 'wait', text: `Under way: ${tried[e.verb]} ${e.branch}` }
    case 'refused':
      return { ...base, icon: 'info', tone: 'dim', text: `Did not ${tried[e.verb]} ${e.branch}` }
    case 'failed':
      return { ...base, icon: 'warn', tone: 'stop', text: `Failed to ${tried[e.verb]} ${e.branch}` }
    case 'rolled-back':
      return { ...base, icon: 'undo', tone: 'dim', text: `Rolled back: ${tried[e.verb]} ${e.branch}` }
    default:
      return {
        ...base,
        tone: e.status === 'undone' ? 'dim' : e.verb === 'abort' ? 'stop' : e.verb === 'approve' ? 'ok' : 'dim',
        text: `${done[e.verb]} ${e.branch}${tail}`,
      }
  }
}

/** Who did it; in the app that is the one who reads it, unless another name was given. */
export const whoOf = (e: HistoryEntry): string => (e.via === 'app' && e.actor === 'person' ? 'you' : e.actor)

const nouns: Readonly<Record<HistoryEntry['verb'], string>> = {
  approve: 'approval of',
  abort: 'abort of',
  'bring-main-in': 'bringing main into',
  undo: 'undo of',
  revert: 'revert of',
  'apply-marks': 'marks of',
  resolve: 'resolution of',
  reopen: 'reopening of',
  continue: 'going on with',
  'abort-operation': 'giving up',
  publish: 'publishing',
  merge: 'merge into',
  discard: 'discarding a candidate for',
}

/** The accessible name of an entry's Undo button. */
export const undoName = (e: HistoryEntry): string => `Undo ${nouns[e.verb]} ${e.branch}`

/** Whether the marks of an entry can be applied again. */
export const canApplyMarks = (e: HistoryEntry): boolean =>
  e.status === 'done' && e.marks !== null && e.marks.failure !== null
