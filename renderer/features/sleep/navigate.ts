import type { FileChange, FileReview, Review } from '../../../shared/model/review.ts'
import { type App, patchBranch, say } from '../../state/app.ts'
import { branchKey, commitKey, fileKey } from '../../state/mirror.ts'
import { setViewed } from '../../state/reviews.ts'
import { type BranchSession, NEW_BRANCH } from '../../state/session.ts'
import { changesIn, viewFor } from './model/changes.ts'
import { filterFiles } from './model/filter.ts'
import { alikeOf, type Group, groupsOf, openFor, orderOf } from './model/groups.ts'
import { kindName } from './model/kinds.ts'

export interface Place {
  readonly key: string
  readonly review: Review
  readonly session: BranchSession
  /** What the list shows: the files of the run or of the walked commit that the filter lets through. */
  readonly groups: readonly Group[]
  readonly order: readonly FileChange[]
  /** The file that is shown: the chosen one, else the first. */
  readonly file: FileChange | null
}

/** The files that are listed: those of the whole run, or of the commit that is walked. */
export function listedFiles(app: App, review: Review, session: BranchSession): readonly FileChange[] {
  if (session.commit === null) return review.files
  const loaded = app.mirror.getState().commits[commitKey(review, session.commit)]
  return loaded && 'value' in loaded ? loaded.value.files : []
}

/** Where the person is on the branch that is shown; null where no review is. */
export function placeOf(app: App): Place | null {
  const { route, branches } = app.session.getState()
  if (route.page !== 'sleep') return null
  const key = branchKey(route.repoId, route.branch)
  const review = app.mirror.getState().reviews[key]?.review
  if (!review) return null
  const session = branches[key] ?? NEW_BRANCH
  const groups = groupsOf(filterFiles(listedFiles(app, review, session), session.filter))
  const order = orderOf(groups)
  return { key, review, session, groups, order, file: fileAt(order, session.path) }
}

/** The chosen file, else the first that is not viewed, else the first. */
export function fileAt(order: readonly FileChange[], path: string | null): FileChange | null {
  return order.find((f) => f.path === path) ?? order.find((f) => f.viewed !== 'yes') ?? order[0] ?? null
}

/** Shows a file, at one of its changes; -1 is the last. */
export function selectFile(app: App, place: Place, path: string, change = 0): void {
  patchBranch(app, place.key, {
    path,
    change,
    scroll: 0,
    jump: place.session.jump + 1,
    open: { ...place.session.open, ...openFor(place.groups, path) },
  })
}

/** A file as it is said aloud when it is stepped to. */
const fileWords = (file: FileChange): string =>
  [file.path, kindName(file.kind).toLowerCase(), file.gist].filter(Boolean).join(', ')

/** Goes to the next or previous file of the list. */
export function stepFile(app: App, by: 1 | -1, change = 0): boolean {
  const place = placeOf(app)
  if (!place?.file) return false
  const at = place.order.indexOf(place.file)
  const to = place.order[at + by]
  if (to === undefined) {
    say(app, by > 0 ? 'This is the last file.' : 'This is the first file.')
    return false
  }
  selectFile(app, place, to.path, change)
  say(app, fileWords(to))
  return true
}

/** The file after `from` that is not viewed, from the top again where none follows. */
export function nextUnviewed(order: readonly FileChange[], from: number): FileChange | null {
  const rest = [...order.slice(from + 1), ...order.slice(0, Math.max(0, from))]
  return rest.find((f) => f.viewed !== 'yes') ?? null
}

/** Ticks all of these files that are not ticked yet. */
export function tickAll(app: App, review: Review, files: readonly FileChange[]): Promise<void> {
  const left = files.filter((f) => f.viewed !== 'yes')
  if (left.length === 0) return Promise.resolve()
  return setViewed(
    app,
    review,
    left.map((f) => ({ path: f.path, keys: null })),
    true,
  )
}

/** Ticks files, by default the one that is shown; where that is among them, goes to the next that is not viewed. */
export function viewedAndNext(app: App, files?: readonly FileChange[]): void {
  const place = placeOf(app)
  if (!place?.file || place.session.commit !== null) return
  const ticked = files ?? [place.file]
  const paths = new Set(ticked.map((f) => f.path))
  const order = place.order.map((f): FileChange => (paths.has(f.path) ? { ...f, viewed: 'yes' } : f))
  const next = nextUnviewed(order, place.order.indexOf(place.file))
  void setViewed(
    app,
    place.review,
    ticked.map((f) => ({ path: f.path, keys: null })),
    true,
  )
  if (!paths.has(place.file.path)) return
  if (next) selectFile(app, place, next.path)
  say(app, next ? `Viewed. Next: ${fileWords(next)}` : 'Every file is viewed.')
}

/**
 * The files that `V` ticks: those of the kind whose row of the list is `row`, else those that are alike with the file that
 * is shown, else that file.
 */
export function setToTick(place: Place, row: string | undefined): readonly FileChange[] {
  const group = place.groups.find((g) => g.kind === row)
  if (group) return group.files
  if (!place.file) return []
  return alikeOf(place.groups, place.file.path)?.files ?? [place.file]
}

/** The file review that is shown, where it was read. */
export function shownFile(app: App, place: Place): FileReview | null {
  if (!place.file) return null
  const loaded = app.mirror.getState().files[fileKey(place.review, place.file.path, place.session.commit)]
  return loaded && 'value' in loaded ? loaded.value : null
}

/** Goes to the next or previous change, on to the next or previous file at the end. */
export function stepChange(app: App, by: 1 | -1): void {
  const place = placeOf(app)
  if (!place?.file) return
  const shown = shownFile(app, place)
  const { memoryView, rawView } = app.session.getState()
  const changes = shown ? changesIn(shown, viewFor(shown, memoryView, rawView)) : []
  const at = place.session.change < 0 ? changes.length - 1 : Math.min(place.session.change, changes.length - 1)
  const to = at + by
  if (to >= 0 && to < changes.length) patchBranch(app, place.key, { change: to, jump: place.session.jump + 1 })
  else stepFile(app, by, by > 0 ? 0 : -1)
}

/** Walks to a commit of the run, or back to the whole run. */
export function walkTo(app: App, commit: string | null): void {
  const place = placeOf(app)
  if (place) patchBranch(app, place.key, { commit, path: null, change: 0, scroll: 0, jump: place.session.jump + 1 })
}

/** Steps through the run's commits, oldest first; from the whole run to the first. */
export function stepCommit(app: App, by: 1 | -1): void {
  const place = placeOf(app)
  if (!place) return
  const oldestFirst = [...place.review.commits].reverse()
  const at =
    place.session.commit === null
      ? by > 0
        ? -1
        : oldestFirst.length
      : oldestFirst.findIndex((c) => c.oid === place.session.commit)
  const to = oldestFirst[at + by]
  if (to) walkTo(app, to.oid)
  else say(app, by > 0 ? 'This is the last commit.' : 'This is the first commit.')
}
