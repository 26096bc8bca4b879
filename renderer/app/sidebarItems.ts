import { count } from '../../shared/errors/refusals.ts'
import type { Inbox } from '../../shared/model/index.ts'
import { inboxState } from '../features/sleep/model/verdict.ts'
import { age } from '../ui/time.ts'

export interface SidebarItem {
  readonly branch: string
  readonly tone: 'ok' | 'wait' | 'stop'
  /** What is left to look at, or why it cannot be approved. */
  readonly number: string
  readonly name: string
  readonly hint: string
}

/** The items of the group `Sleep branches`; each name starts with the branch. */
export function sidebarItems(inbox: Inbox, now: Date = new Date()): SidebarItem[] {
  const branches = inbox.sleepBranches.map((b): SidebarItem => {
    const { tone, words, short } = inboxState(b)
    const left = `${b.left.toLocaleString('en-US')} left to look at`
    const remote = b.remote === null ? '' : `, on the remote ${b.remote}`
    return {
      branch: b.branch,
      tone,
      number: short ?? String(b.left),
      name: `${b.branch}, ${words}, ${left}${remote}${b.checkedOutIn === null ? '' : `, checked out in ${b.checkedOutIn}`}`,
      hint: `${b.branch}: ${count(b.commits, 'commit')}, ${count(b.files, 'file')}, ${age(b.committedAt, now)} old${remote}`,
    }
  })
  const known = new Set(branches.map((b) => b.branch))
  const marks = inbox.marksWaiting
    .filter((m) => !known.has(m.branch))
    .map(
      (m): SidebarItem => ({
        branch: m.branch,
        tone: 'wait',
        number: count(m.pending, 'mark'),
        name: `${m.branch}, approved, ${count(m.pending, 'mark')} not applied`,
        hint: `${m.branch}: approved; ${count(m.pending, 'mark')} not applied: ${m.failure}`,
      }),
    )
  return [...marks, ...branches]
}

/** How many things of a repository wait for a person. */
export const waitingIn = (inbox: Inbox): number =>
  inbox.sleepBranches.filter((b) => b.remote === null).length + inbox.marksWaiting.length
