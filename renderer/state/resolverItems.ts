import type { ConflictSource, Draft, Resolution } from '../../shared/model/index.ts'
import { type App, showError, wireOf } from './app.ts'
import { cutOff } from './connection.ts'
import { draftOf, itemKey, type Opened, type OpenItem, openedOf } from './resolver.ts'

/** How long after the last act it is kept, and how long before it is checked. */
const SAVE_AFTER_MS = 300
const CHECK_AFTER_MS = 120
/** Opened conflicts that are kept at hand. */
const KEPT_ITEMS = 12

interface Timers {
  save: ReturnType<typeof setTimeout> | null
  check: ReturnType<typeof setTimeout> | null
  /** The last keeping that is under way. */
  saving: Promise<void>
  checking: boolean
}

const timers = new WeakMap<App, Map<string, Timers>>()

function timersOf(app: App, key: string): Timers {
  const all = timers.get(app) ?? new Map<string, Timers>()
  timers.set(app, all)
  const known = all.get(key) ?? { save: null, check: null, saving: Promise.resolve(), checking: false }
  all.set(key, known)
  return known
}

export function openItem(app: App, key: string): OpenItem | null {
  const opened = app.resolver.getState().items[key]
  return opened === undefined || 'problem' in opened ? null : opened
}

export function patchItem(app: App, key: string, change: Partial<OpenItem>): void {
  const opened = openItem(app, key)
  if (opened !== null) put(app, key, { ...opened, ...change })
}

function put(app: App, key: string, opened: Opened): void {
  app.resolver.setState(({ items }) => {
    const { [key]: _, ...rest } = items
    return { items: Object.fromEntries([...Object.entries(rest).slice(1 - KEPT_ITEMS), [key, opened]]) }
  })
}

const paramsOf = ({ repoId, resolution }: OpenItem) => ({
  repoId,
  source: resolution.source,
  item: resolution.item.id,
  fingerprint: resolution.item.fingerprint,
})

/** Checks the draft a moment after the last change; what is known of an earlier one stays until the answer comes. */
export function checkSoon(app: App, key: string, after = CHECK_AFTER_MS): void {
  const timer = timersOf(app, key)
  if (timer.check !== null) clearTimeout(timer.check)
  timer.check = setTimeout(() => {
    timer.check = null
    void check(app, key)
  }, after)
}

async function check(app: App, key: string): Promise<void> {
  const timer = timersOf(app, key)
  const open = openItem(app, key)
  if (open === null || timer.checking) return
  const draft = draftOf(open)
  if (open.check?.draft === draft) return
  timer.checking = true
  let change: Partial<OpenItem>
  try {
    change = { check: { draft, value: await app.client.call('conflicts.check', { ...paramsOf(open), draft }) } }
  } catch (error) {
    change = { checkProblem: wireOf(error) }
  } finally {
    timer.checking = false
  }
  const now = openItem(app, key)
  if (now === null || now.resolution.item.fingerprint !== open.resolution.item.fingerprint) return
  patchItem(app, key, { checkProblem: null, ...change })
  if (draftOf(now) !== draft) checkSoon(app, key, 0)
}

/** Keeps the draft a moment after the last change. */
export function saveSoon(app: App, key: string): void {
  const timer = timersOf(app, key)
  if (timer.save !== null) clearTimeout(timer.save)
  timer.save = setTimeout(() => void saveNow(app, key), SAVE_AFTER_MS)
}

/** Keeps the draft at once where it is not kept yet. Resolves when nothing is on its way any more. */
export function saveNow(app: App, key: string): Promise<void> {
  const timer = timersOf(app, key)
  if (timer.save !== null) clearTimeout(timer.save)
  timer.save = null
  const run = timer.saving.then(async () => {
    const open = openItem(app, key)
    if (open === null || open.resolution.item.state === 'resolved') return
    const draft = draftOf(open)
    if (draft === open.saved) return
    try {
      await app.client.call('conflicts.saveDraft', { ...paramsOf(open), draft })
      patchItem(app, key, { saved: draft, saveProblem: null })
    } catch (error) {
      patchItem(app, key, { saveProblem: wireOf(error) })
    }
  })
  timer.saving = run
  return run
}

/** Lets go of a draft that waits to be kept, and waits for one that is on its way. */
export async function dropSaving(app: App, key: string): Promise<void> {
  const timer = timersOf(app, key)
  if (timer.save !== null) clearTimeout(timer.save)
  timer.save = null
  await timer.saving
}

/** Whether anything decided here is not kept yet. */
export const isUnsaved = (app: App): boolean =>
  Object.values(app.resolver.getState().items).some(
    (one) => !('problem' in one) && one.resolution.item.state !== 'resolved' && draftOf(one) !== one.saved,
  )

export function saveAll(app: App): void {
  for (const key of Object.keys(app.resolver.getState().items)) void saveNow(app, key)
}

const reading = new WeakMap<App, Map<string, Promise<void>>>()

/**
 * Reads a conflict, or reads it again after something changed on disk: decisions are kept where the sides are the same,
 * and those that still apply where they are others.
 */
export function readItem(app: App, repoId: string, source: ConflictSource, item: string): Promise<void> {
  const key = itemKey(repoId, source, item)
  const all = reading.get(app) ?? new Map<string, Promise<void>>()
  reading.set(app, all)
  const under = all.get(key)
  if (under !== undefined) return under
  const run = read(app, key, { repoId, source, item }).finally(() => all.delete(key))
  all.set(key, run)
  return run
}

/** Stops a reading that takes long; the page then says so, and offers to try again. */
export async function stopReading(app: App, key: string): Promise<void> {
  const under = app.resolver.getState().reading[key]
  if (under === undefined || cutOff(app)) return
  try {
    await app.client.call('conflicts.stopReading', { reading: under.name })
  } catch (error) {
    showError(app, 'The reading was not cancelled', error)
  }
}

async function read(
  app: App,
  key: string,
  about: { readonly repoId: string; readonly source: ConflictSource; readonly item: string },
): Promise<void> {
  await saveNow(app, key)
  let resolution: Resolution
  const name = crypto.randomUUID()
  try {
    app.resolver.setState(({ reading }) => ({ reading: { ...reading, [key]: { name, since: Date.now() } } }))
    resolution = await app.client.call('conflicts.get', { ...about, reading: name })
  } catch (error) {
    const problem = wireOf(error)
    // What was decided stays in sight where the reading itself failed.
    if (openItem(app, key) === null || problem.code === 'ERR_NO_SUCH_CONFLICT') put(app, key, { problem })
    return
  } finally {
    app.resolver.setState(({ reading: { [key]: _, ...reading } }) => ({ reading }))
  }
  const before = openItem(app, key)
  if (before === null) put(app, key, openedOf(about.repoId, resolution, resolution.carried))
  else if (before.resolution.item.fingerprint === resolution.item.fingerprint)
    put(app, key, renewed(before, resolution))
  else put(app, key, openedOf(about.repoId, resolution, changesBetween(before, resolution)))
  checkSoon(app, key, 0)
}

/** The same sides read again: what was decided here stays, and so do the texts, so that no editor is filled anew. */
function renewed(before: OpenItem, resolution: Resolution): OpenItem {
  const disk = before.resolution.onDisk
  const changed = [...before.changed]
  const open = before.resolution.item.state !== 'resolved' && resolution.item.state !== 'resolved'
  if (open && resolution.onDisk.seen !== disk.seen) {
    const by = { edited: 'edited', missing: 'removed', none: 'removed', git: 'replaced by git' }[
      resolution.onDisk.state
    ]
    changed.push(`${resolution.item.path} was ${by} on disk.`)
  }
  const { merge, sides, draft } = before.resolution
  return {
    ...before,
    resolution: { ...resolution, merge, sides, draft },
    changed: [...new Set(changed)],
    refusal: null,
  }
}

/** What is told after the sides became others: whose changed, what still applies, and what does not. */
function changesBetween(before: OpenItem, resolution: Resolution): string[] {
  const at = (from: Resolution, stage: 1 | 2 | 3) =>
    from.item.stages
      .filter((one) => one.stage === stage)
      .map(({ path, mode, oid }) => `${path} ${mode} ${oid}`)
      .join()
  const who = { 1: 'The version before both', 2: resolution.ours.name, 3: resolution.theirs.name }
  const sides = ([1, 2, 3] as const)
    .filter((stage) => at(before.resolution, stage) !== at(resolution, stage))
    .map((stage) => who[stage])
  const kept = decided(resolution.draft)
  const had = decided(draftOf(before))
  return [
    `${sides.length === 0 ? 'The conflict' : sides.join(' and ')} changed since the page was opened.`,
    ...(had === 0 ? [] : [`${kept} of ${had} ${had === 1 ? 'decision applies' : 'decisions apply'} still.`]),
    ...resolution.carried,
  ]
}

const decided = (draft: Draft): number =>
  draft.lines.filter((one) => one !== null).length + (draft.choice === null ? 0 : 1)

/** Reads the opened conflict again where it is one of this repository. */
export function rereadOpened(app: App, repoId: string): void {
  const { route } = app.session.getState()
  if (route.page !== 'conflict' || route.repoId !== repoId || route.item === undefined) return
  if (app.resolver.getState().toolEnded === null) void readItem(app, repoId, route.source, route.item)
}

/** The key of the conflict that is shown; null where none is. */
export function shownKey(app: App): string | null {
  const { route } = app.session.getState()
  if (route.page !== 'conflict' || route.item === undefined) return null
  return itemKey(route.repoId, route.source, route.item)
}

/** The conflict that is shown and can be decided. */
export function shownItem(app: App): { readonly key: string; readonly open: OpenItem } | null {
  const key = shownKey(app)
  const open = key === null ? null : openItem(app, key)
  return key === null || open === null ? null : { key, open }
}
