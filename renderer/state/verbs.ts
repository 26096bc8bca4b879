import { count } from '../../shared/errors/refusals.ts'
import type { Refusal } from '../../shared/model/index.ts'
import { type App, go, openOverlay, patchBranch, pushUndo, say, showError, showToast } from './app.ts'
import { cutOff } from './connection.ts'
import { branchKey } from './mirror.ts'
import { approvedText, marksPhrase, undoneText } from './outcomes.ts'
import type { Remedy } from './overlay.ts'
import { problemOfRefusal } from './problem.ts'
import { firstPage, refreshHistory, refreshInbox } from './repositories.ts'
import { leftOutOf, refreshPreview, refreshReview } from './reviews.ts'

const trunkOf = (app: App, repoId: string) => app.mirror.getState().repos[repoId]?.repository.trunk.branch ?? 'main'

/** Marks a verb as under way in its repository until `work` settles, so that no second one is begun. */
async function underWay<T>(app: App, repoId: string, step: string, work: () => Promise<T>): Promise<T> {
  const set = (running: Record<string, unknown>) => app.mirror.setState({ running: running as never })
  const begun = {
    repoId,
    operationId: '',
    verb: 'approve' as const,
    step,
    done: 0,
    total: 0,
    cancellable: false,
    output: '',
  }
  // What the last act said is over: its Undo would no longer be the way back to here.
  app.overlays.setState({ toast: null })
  set({ ...app.mirror.getState().running, [repoId]: begun })
  try {
    return await work()
  } finally {
    const { [repoId]: _, ...rest } = app.mirror.getState().running
    set(rest)
  }
}

/** After a verb: what waits, the history, and the next page where this branch is gone. */
async function afterwards(app: App, repoId: string, branch: string): Promise<void> {
  await refreshInbox(app, repoId)
  if (app.mirror.getState().repos[repoId]?.history) void refreshHistory(app, repoId)
  const { route } = app.session.getState()
  const inbox = app.mirror.getState().repos[repoId]?.inbox
  const gone = !inbox?.sleepBranches.some((b) => b.branch === branch)
  const waits = inbox?.marksWaiting.some((m) => m.branch === branch)
  if (route.page === 'sleep' && route.repoId === repoId && route.branch === branch && gone && !waits)
    go(app, firstPage(app, repoId))
}

const refuse = (app: App, repoId: string, branch: string, refusal: Refusal) => {
  const review = app.mirror.getState().reviews[branchKey(repoId, branch)]?.review
  patchBranch(app, branchKey(repoId, branch), { refused: { tip: review?.tip ?? '', refusal } })
}

/** Approves a branch as it is ticked now. Refusals go to the reason line of its page. */
export async function approve(app: App, repoId: string, branch: string, bringMainIn: boolean): Promise<void> {
  const key = branchKey(repoId, branch)
  const review = app.mirror.getState().reviews[key]?.review
  if (!review || app.mirror.getState().running[repoId] || cutOff(app)) return
  openOverlay(app, null)
  patchBranch(app, key, { refused: null })
  try {
    const outcome = await underWay(app, repoId, `Approving ${branch}`, () =>
      app.client.call('sleep.approve', { repoId, branch, except: leftOutOf(review), bringMainIn, tip: review.tip }),
    )
    if (outcome.approved) {
      const undo = () => void undoOperation(app, repoId, outcome.operationId, false)
      showToast(app, approvedText(outcome, trunkOf(app, repoId)), outcome.marks.failure === null ? 'ok' : 'wait', undo)
      pushUndo(app, { label: `approval of ${branch}`, undo })
    } else {
      refuse(app, repoId, branch, outcome.refusal)
      say(app, `${branch} was not approved.`)
      if (outcome.refusal.refusal === 'not-trusted') openOverlay(app, { kind: 'trust', repoId, branch })
      await refreshReview(app, repoId, branch)
    }
  } catch (error) {
    showError(app, `${branch} was not approved`, error, [
      { label: 'Try again', run: () => void approve(app, repoId, branch, bringMainIn) },
    ])
  }
  await afterwards(app, repoId, branch)
}

/** Removes a branch and applies nothing. Undo brings it back, so nothing is asked first. */
export async function abort(app: App, repoId: string, branch: string): Promise<void> {
  if (app.mirror.getState().running[repoId] || cutOff(app)) return
  const tip = app.mirror.getState().reviews[branchKey(repoId, branch)]?.review?.tip
  try {
    const outcome = await underWay(app, repoId, `Aborting ${branch}`, () =>
      app.client.call('sleep.abort', { repoId, branch, ...(tip === undefined ? {} : { tip }) }),
    )
    if (outcome.aborted) {
      const undo = () => void undoOperation(app, repoId, outcome.operationId, false)
      const marks = outcome.marksDiscarded > 0 ? `, ${count(outcome.marksDiscarded, 'mark')} discarded` : ''
      showToast(
        app,
        `${branch} aborted: the branch is removed${marks}; ${trunkOf(app, repoId)} is as it was`,
        'ok',
        undo,
      )
      pushUndo(app, { label: `abort of ${branch}`, undo })
    } else {
      openOverlay(app, {
        kind: 'problem',
        problem: problemOfRefusal(`${branch} was not aborted`, outcome.refusal, [
          { label: 'Try again', run: () => void abort(app, repoId, branch) },
        ]),
      })
    }
  } catch (error) {
    showError(app, `${branch} was not aborted`, error, [
      { label: 'Try again', run: () => void abort(app, repoId, branch) },
    ])
  }
  await afterwards(app, repoId, branch)
}

/** Merges main into the branch; main does not move. */
export async function bringMainIn(app: App, repoId: string, branch: string): Promise<void> {
  if (app.mirror.getState().running[repoId] || cutOff(app)) return
  patchBranch(app, branchKey(repoId, branch), { refused: null })
  try {
    const outcome = await underWay(app, repoId, `Bringing main into ${branch}`, () =>
      app.client.call('sleep.bringMainIn', { repoId, branch }),
    )
    if (outcome.brought) {
      const undo = () => void undoOperation(app, repoId, outcome.operationId, false)
      const text = outcome.upToDate
        ? `${branch} has all of ${trunkOf(app, repoId)} already`
        : `${trunkOf(app, repoId)} brought into ${branch}, now at ${outcome.to.slice(0, 7)}`
      showToast(app, text, 'ok', outcome.upToDate ? null : undo)
    } else {
      refuse(app, repoId, branch, outcome.refusal)
      say(app, `${trunkOf(app, repoId)} was not brought in.`)
    }
  } catch (error) {
    showError(app, `${trunkOf(app, repoId)} was not brought into ${branch}`, error, [
      { label: 'Try again', run: () => void bringMainIn(app, repoId, branch) },
    ])
  }
  await Promise.all([refreshReview(app, repoId, branch), refreshInbox(app, repoId)])
}

/** Applies the marks of an approved night that were not applied then. */
export async function applyMarks(app: App, repoId: string, branch: string): Promise<void> {
  if (cutOff(app)) return
  try {
    const { marks } = await underWay(app, repoId, `Applying marks of ${branch}`, () =>
      app.client.call('sleep.applyMarks', { repoId, branch }),
    )
    if (marks.failure === null) showToast(app, `${branch}${marksPhrase(marks) || ', no mark was left to apply'}`, 'ok')
    else
      openOverlay(app, {
        kind: 'problem',
        problem: {
          title: `The marks of ${branch} were not applied`,
          what: `${marks.failure.charAt(0).toUpperCase()}${marks.failure.slice(1)}.`,
          paths: [],
          unchanged: [`${trunkOf(app, repoId)} is as it was.`, `${count(marks.pending, 'mark')} stay pending.`],
          helps: ['Mend the cause, then try again.'],
          shell: ['daybreak doctor'],
          code: 'marks',
          remedies: [{ label: 'Try again', run: () => void applyMarks(app, repoId, branch) }],
        },
      })
  } catch (error) {
    showError(app, `The marks of ${branch} were not applied`, error, [
      { label: 'Try again', run: () => void applyMarks(app, repoId, branch) },
    ])
  }
  await Promise.all([refreshInbox(app, repoId), refreshHistory(app, repoId)])
  await afterwards(app, repoId, branch)
}

/** Takes an act back, or reverts an approved night with one commit. Where undo is refused, the revert is offered. */
export async function undoOperation(app: App, repoId: string, operationId: string, revert: boolean): Promise<void> {
  if (cutOff(app)) return
  const title = revert ? 'The night was not reverted' : 'It was not undone'
  try {
    const outcome = await underWay(app, repoId, revert ? 'Reverting' : 'Undoing', () =>
      app.client.call('sleep.undo', { repoId, operationId, revert }),
    )
    if (outcome.undone) {
      showToast(app, undoneText(outcome, trunkOf(app, repoId)), 'ok')
      await refreshInbox(app, repoId)
      const back = outcome.restoredAs ?? outcome.branch
      if (app.mirror.getState().repos[repoId]?.inbox?.sleepBranches.some((b) => b.branch === back))
        go(app, { page: 'sleep', repoId, branch: back })
    } else {
      const offers: Remedy[] =
        outcome.refusal.refusal === 'moved-on' || outcome.refusal.refusal === 'rows-changed'
          ? [{ label: 'Revert this night', run: () => void undoOperation(app, repoId, operationId, true) }]
          : []
      openOverlay(app, { kind: 'problem', problem: problemOfRefusal(title, outcome.refusal, offers) })
    }
  } catch (error) {
    showError(app, title, error, [
      { label: 'Try again', run: () => void undoOperation(app, repoId, operationId, revert) },
    ])
  }
  await Promise.all([refreshInbox(app, repoId), refreshHistory(app, repoId)])
}

/** Takes back the last thing that was done here since the page was opened. */
export async function undoLast(app: App): Promise<void> {
  if (cutOff(app)) return
  const { undo } = app.overlays.getState()
  const last = undo.at(-1)
  if (last === undefined) return showToast(app, 'Nothing was done here yet; the history has earlier acts', 'plain')
  app.overlays.setState({ undo: undo.slice(0, -1) })
  await last.undo()
  say(app, `Undone: ${last.label}`)
}

/** Ends the running operation's child processes. */
export async function cancelRunning(app: App, repoId: string): Promise<void> {
  const running = app.mirror.getState().running[repoId]
  if (!running || running.operationId === '') return
  try {
    await app.client.call('operation.cancel', { repoId, operationId: running.operationId })
  } catch (error) {
    showError(app, 'It was not cancelled', error)
  }
}

/** Accepts the exact text that was shown. */
export async function acceptTrust(app: App, repoId: string, hash: string, branch: string | null): Promise<void> {
  if (cutOff(app)) return
  try {
    await app.client.call('trust.accept', { repoId, hash })
    openOverlay(app, null)
    showToast(app, 'Trusted: exactly this text, until it changes', 'ok')
    if (branch !== null) {
      patchBranch(app, branchKey(repoId, branch), { refused: null })
      await refreshPreview(app, repoId, branch)
      await refreshReview(app, repoId, branch)
    }
    await refreshInbox(app, repoId)
  } catch (error) {
    showError(app, 'It was not trusted', error)
  }
}
