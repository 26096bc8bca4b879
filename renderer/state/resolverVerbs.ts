import { count } from '../../shared/errors/refusals.ts'
import type { ConflictItem, ConflictSet, ConflictSource, Refusal } from '../../shared/model/index.ts'
import { type App, go, openOverlay, pushUndo, say, showError, showToast } from './app.ts'
import { afterCandidate } from './candidates.ts'
import { findSet, nextItem, openItems, refreshConflicts, routeOfSet, setsOf } from './conflicts.ts'
import { cutOff } from './connection.ts'
import type { Remedy } from './overlay.ts'
import { problemOfRefusal } from './problem.ts'
import { refreshHistory, refreshInbox } from './repositories.ts'
import { draftOf, itemKey, type OpenItem, sourceKey } from './resolver.ts'
import { dropSaving, openItem, patchItem, readItem, saveNow } from './resolverItems.ts'
import { refreshReview } from './reviews.ts'
import { undoOperation } from './verbs.ts'

/** Everything that a verb may have changed. */
async function afterwards(app: App, repoId: string): Promise<void> {
  await Promise.all([refreshConflicts(app, repoId), refreshInbox(app, repoId)])
  if (app.mirror.getState().repos[repoId]?.history) void refreshHistory(app, repoId)
}

const refused = (app: App, title: string, refusal: Refusal, remedies: readonly Remedy[] = []) =>
  openOverlay(app, { kind: 'problem', problem: problemOfRefusal(title, refusal, remedies) })

/** Whether one of a source's pages is shown: where the person has gone elsewhere meanwhile, nothing takes them away. */
function isOnPagesOf(app: App, repoId: string, source: ConflictSource): boolean {
  const { route } = app.session.getState()
  return route.page === 'conflict' && route.repoId === repoId && sourceKey(route.source) === sourceKey(source)
}

/** Goes to the next file that is not resolved, else to the overview, where the operation can go on. */
function toNext(app: App, repoId: string, source: ConflictSource, from: string): void {
  const set = findSet(setsOf(app, repoId), source)
  const { route } = app.session.getState()
  if (route.page !== 'conflict' || route.item !== from) return
  const next = set === null ? null : nextItem(set, from)
  go(app, { page: 'conflict', repoId, source, ...(next === null ? {} : { item: next.id }) })
  if (next !== null) say(app, `Next file: ${next.path}. ${next.sentence}`)
  else if (set !== null) say(app, `Every file is resolved. ${set.proceed.able ? set.proceed.label : ''}`)
}

/** Writes what was decided. `overDisk`: the digest of an edited file that may be replaced. */
export async function markResolved(app: App, key: string, overDisk: string | null = null): Promise<void> {
  const open = openItem(app, key)
  if (open === null || open.busy || cutOff(app)) return
  const { repoId, resolution } = open
  const { source, item } = resolution
  const draft = draftOf(open)
  patchItem(app, key, { busy: true, refusal: null })
  await dropSaving(app, key)
  try {
    const { fingerprint } = item
    const outcome = await app.client.call('conflicts.resolve', {
      repoId,
      source,
      item: item.id,
      fingerprint,
      draft,
      overDisk,
    })
    if (outcome.resolved) {
      const done: OpenItem['resolution'] = { ...resolution, item: { ...item, state: 'resolved', left: 0 } }
      patchItem(app, key, { busy: false, saved: draft, changed: [], resolution: done })
      if (source.from === 'tool') {
        app.resolver.setState({ toolEnded: 'resolved' })
        return
      }
      if (source.from === 'candidate') return await afterCandidate(app, repoId, item.path)
      const undo = () => void reopen(app, repoId, source, item)
      const left = outcome.left === 0 ? 'every file is resolved' : `${count(outcome.left, 'file')} left`
      showToast(app, `${item.path} resolved; ${left}`, 'ok', undo)
      pushUndo(app, { label: `resolution of ${item.path}`, undo })
      await afterwards(app, repoId)
      toNext(app, repoId, source, item.id)
      return
    }
    patchItem(app, key, { busy: false, refusal: outcome.refusal })
    say(app, `${item.path} was not marked resolved.`)
    if (outcome.refusal.refusal === 'conflict-changed' || outcome.refusal.refusal === 'edited-on-disk') {
      await readItem(app, repoId, source, item.id)
      if (outcome.refusal.refusal === 'edited-on-disk') patchItem(app, key, { refusal: outcome.refusal })
    }
  } catch (error) {
    patchItem(app, key, { busy: false })
    showError(app, `${item.path} was not marked resolved`, error, [
      { label: 'Try again', run: () => void markResolved(app, key, overDisk) },
    ])
  }
  await afterwards(app, repoId)
}

/** Puts a resolved file back into conflict, with what was decided about it. */
export async function reopen(
  app: App,
  repoId: string,
  source: ConflictSource,
  item: Pick<ConflictItem, 'id' | 'path'>,
): Promise<void> {
  if (cutOff(app)) return
  const title = `${item.path} was not opened again`
  try {
    const outcome = await app.client.call('conflicts.reopen', { repoId, source, item: item.id })
    if (outcome.reopened) {
      const show = () => go(app, { page: 'conflict', repoId, source, item: item.id })
      showToast(app, `${item.path} is in conflict again, with your decisions`, 'ok', null, { label: 'Show', run: show })
      await afterwards(app, repoId)
      await readItem(app, repoId, source, item.id)
      if (isOnPagesOf(app, repoId, source)) show()
      return
    }
    refused(app, title, outcome.refusal)
  } catch (error) {
    showError(app, title, error, [{ label: 'Try again', run: () => void reopen(app, repoId, source, item) }])
  }
  await afterwards(app, repoId)
}

/** Goes on with the operation once everything is resolved. */
export async function proceed(app: App, repoId: string, set: ConflictSet): Promise<void> {
  const { source } = set
  if (cutOff(app)) return
  const title = `${set.title}: it did not go on`
  try {
    const outcome = await app.client.call('conflicts.proceed', { repoId, source })
    if (!outcome.done) {
      refused(app, title, outcome.refusal, [{ label: 'Try again', run: () => void proceed(app, repoId, set) }])
      await afterwards(app, repoId)
      return
    }
    const undo = source.from === 'branch' ? () => void undoOperation(app, repoId, outcome.operationId, false) : null
    const at = outcome.to === null ? '' : `, now at ${outcome.to.slice(0, 7)}`
    showToast(
      app,
      outcome.ended ? `${set.title}: done${at}` : `${set.title}: stopped at its next conflicts`,
      'ok',
      undo,
    )
    if (undo !== null) pushUndo(app, { label: set.title, undo })
    await afterwards(app, repoId)
    after(app, repoId, source)
  } catch (error) {
    showError(app, title, error, [{ label: 'Try again', run: () => void proceed(app, repoId, set) }])
  }
}

/**
 * Where to go when a source has ended: to the branch's review, to conflicts that came after, else to the inbox. Nowhere
 * where the person has left its pages meanwhile.
 */
function after(app: App, repoId: string, source: ConflictSource): void {
  if (source.from === 'branch') void refreshReview(app, repoId, source.branch)
  if (!isOnPagesOf(app, repoId, source)) return
  if (source.from === 'branch') {
    go(app, { page: 'sleep', repoId, branch: source.branch })
    return
  }
  const set = findSet(setsOf(app, repoId), source)
  go(app, set !== null && openItems(set).length > 0 ? routeOfSet(repoId, set) : { page: 'home', repoId })
}

/** Gives the operation up. */
export async function abortOperation(app: App, repoId: string, set: ConflictSet): Promise<void> {
  const { source } = set
  if (cutOff(app)) return
  openOverlay(app, null)
  const title = `${set.title}: it was not given up`
  try {
    const outcome = await app.client.call('conflicts.abort', { repoId, source })
    if (!outcome.done) {
      refused(app, title, outcome.refusal, [{ label: 'Try again', run: () => void abortOperation(app, repoId, set) }])
      await afterwards(app, repoId)
      return
    }
    for (const item of set.items) forget(app, itemKey(repoId, source, item.id))
    if (source.from === 'tool') {
      app.resolver.setState({ toolEnded: 'given-up' })
      return
    }
    showToast(
      app,
      source.from === 'branch' ? `${set.title}: the decisions are forgotten` : `${set.title}: given up`,
      'ok',
    )
    await afterwards(app, repoId)
    after(app, repoId, source)
  } catch (error) {
    showError(app, title, error, [{ label: 'Try again', run: () => void abortOperation(app, repoId, set) }])
  }
}

function forget(app: App, key: string): void {
  app.resolver.setState(({ items: { [key]: _, ...items } }) => ({ items }))
}

/** Shows what taking one side of these files whole would give, before it is done. */
export async function previewBatch(
  app: App,
  repoId: string,
  source: ConflictSource,
  items: readonly ConflictItem[],
  take: 'ours' | 'theirs',
): Promise<void> {
  if (cutOff(app)) return
  try {
    const rows = await app.client.call('conflicts.previewBatch', {
      repoId,
      source,
      items: items.map((i) => i.id),
      take,
    })
    const about = items.map((i) => ({ item: i.id, fingerprint: i.fingerprint }))
    openOverlay(app, { kind: 'batch', repoId, source, take, items: about, rows })
  } catch (error) {
    showError(app, 'What it would give could not be read', error)
  }
}

/** Takes one side of several files whole. What is refused stays as it is and is told. */
export async function batch(
  app: App,
  repoId: string,
  source: ConflictSource,
  items: readonly { readonly item: string; readonly fingerprint: string }[],
  take: 'ours' | 'theirs',
): Promise<void> {
  if (cutOff(app)) return
  openOverlay(app, null)
  try {
    for (const { item } of items) await saveNow(app, itemKey(repoId, source, item))
    const rows = await app.client.call('conflicts.batch', { repoId, source, items: [...items], take })
    const bad = rows.filter((row) => row.refusal !== null)
    const done = rows.filter((row) => row.refusal === null)
    for (const { item } of done) forget(app, itemKey(repoId, source, item))
    const undo =
      done.length === 0
        ? null
        : () =>
            void reopenAll(
              app,
              repoId,
              source,
              done.map(({ item, path }) => ({ id: item, path })),
            )
    const text = `${count(done.length, 'file')} resolved${bad.length > 0 ? `, ${bad.length} not` : ''}`
    showToast(app, text, bad.length > 0 ? 'wait' : 'ok', undo)
    if (undo !== null) pushUndo(app, { label: `resolution of ${count(done.length, 'file')}`, undo })
    const [first] = bad
    if (first?.refusal) refused(app, `${first.path} was not resolved`, first.refusal)
    if (source.from === 'tool' && bad.length === 0) app.resolver.setState({ toolEnded: 'resolved' })
  } catch (error) {
    showError(app, 'The files were not resolved', error)
  }
  await afterwards(app, repoId)
}

async function reopenAll(
  app: App,
  repoId: string,
  source: ConflictSource,
  items: readonly Pick<ConflictItem, 'id' | 'path'>[],
): Promise<void> {
  if (cutOff(app)) return
  let back = 0
  for (const item of items) {
    try {
      const outcome = await app.client.call('conflicts.reopen', { repoId, source, item: item.id })
      if (outcome.reopened) back++
      else refused(app, `${item.path} was not opened again`, outcome.refusal)
    } catch (error) {
      showError(app, `${item.path} was not opened again`, error)
    }
  }
  showToast(app, `${count(back, 'file')} in conflict again`, back === items.length ? 'ok' : 'wait')
  await afterwards(app, repoId)
}

/** Puts everything about the shown conflict on the clipboard, for a bug report. */
export async function copyState(app: App, key: string): Promise<void> {
  const open = openItem(app, key)
  if (open === null) return
  const { source, item } = open.resolution
  try {
    const { json } = await app.client.call('conflicts.repro', {
      repoId: open.repoId,
      source,
      item: item.id,
      fingerprint: item.fingerprint,
      draft: draftOf(open),
    })
    await navigator.clipboard.writeText(json)
    showToast(app, 'The state is on the clipboard. It holds the texts, and no names or folders of this machine.', 'ok')
  } catch (error) {
    showError(app, 'The state was not copied', error)
  }
}
