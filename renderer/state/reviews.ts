import type { FileChange, FileReview, Review } from '../../shared/model/index.ts'
import { type App, patchReview, pushUndo, showError, wireOf } from './app.ts'
import { coalesced } from './coalesce.ts'
import { cutOff } from './connection.ts'
import { branchKey, commitKey, fileKey, type Loaded } from './mirror.ts'

type ById = Map<App, (key: string) => Promise<void>>
const reviews: ById = new Map()
const previews: ById = new Map()

/** One coalesced reader for an app. `work` is told the key, so that no call's own branch is read for another's. */
const once = (all: ById, app: App, work: (app: App, key: string) => Promise<void>) => {
  const known = all.get(app)
  if (known !== undefined) return known
  const made = coalesced((key) => work(app, key))
  all.set(app, made)
  return made
}

const split = (key: string): { repoId: string; branch: string } => ({ repoId: key.slice(0, 16), branch: key.slice(17) })

/** The paths of a review that are left out. */
export const leftOutOf = (review: Review): string[] => review.files.filter((f) => !f.included).map((f) => f.path)

/** Ticks on their way to the core, by branch: how many there ever were, and how many have no answer yet. */
const ticks = new WeakMap<App, Map<string, { readonly asked: number; readonly open: number }>>()

const ticksOf = (app: App, key: string) => ticks.get(app)?.get(key) ?? { asked: 0, open: 0 }

/** Runs what changes ticks; a review that is read meanwhile is not believed. */
async function ticking<T>(app: App, key: string, work: () => Promise<T>): Promise<T> {
  const all = ticks.get(app) ?? new Map()
  ticks.set(app, all)
  const { asked, open } = ticksOf(app, key)
  all.set(key, { asked: asked + 1, open: open + 1 })
  try {
    return await work()
  } finally {
    all.set(key, { ...ticksOf(app, key), open: ticksOf(app, key).open - 1 })
  }
}

/** Reads a branch's review again, and then what Approve would do. */
export const refreshReview = (app: App, repoId: string, branch: string): Promise<void> =>
  once(reviews, app, readReview)(branchKey(repoId, branch))

async function readReview(app: App, key: string): Promise<void> {
  const { repoId, branch } = split(key)
  const before = ticksOf(app, key)
  try {
    const review = await app.client.call('review.get', { repoId, branch })
    const now = ticksOf(app, key)
    // A tick of meanwhile may be missing in what was read, and must not seem to be taken back.
    if (before.open > 0 || now.asked !== before.asked) return void refreshReview(app, repoId, branch)
    patchReview(app, key, { review, problem: null })
  } catch (error) {
    const problem = wireOf(error)
    patchReview(
      app,
      key,
      problem.code === 'ERR_NO_SUCH_BRANCH' ? { problem, review: null, preview: null } : { problem },
    )
    return
  }
  void refreshPreview(app, repoId, branch)
}

/** Asks again what Approve would do with what is left out now. */
export const refreshPreview = (app: App, repoId: string, branch: string): Promise<void> =>
  once(previews, app, readPreview)(branchKey(repoId, branch))

async function readPreview(app: App, key: string): Promise<void> {
  const review = app.mirror.getState().reviews[key]?.review
  if (!review) return
  try {
    const preview = await app.client.call('sleep.preview', { ...split(key), except: leftOutOf(review) })
    patchReview(app, key, { preview, problem: null })
  } catch (error) {
    patchReview(app, key, { problem: wireOf(error) })
  }
}

/** File reviews kept at once; a night has more, so the oldest go. */
const KEPT_FILES = 60

const asked = new WeakMap<App, Set<string>>()

/** Reads one file of a review, unless it is there or on its way. `commit`: only what that commit did. */
export async function loadFile(app: App, review: Review, path: string, commit: string | null): Promise<void> {
  const known = app.mirror.getState().files[fileKey(review, path, commit)]
  if (known === undefined || 'problem' in known) await readFile(app, review, path, commit)
}

async function readFile(app: App, review: Review, path: string, commit: string | null): Promise<void> {
  const key = fileKey(review, path, commit)
  const under = asked.get(app) ?? new Set<string>()
  asked.set(app, under)
  if (under.has(key)) return
  under.add(key)
  const params = { repoId: review.repoId, branch: review.run.branch, path, ...(commit === null ? {} : { commit }) }
  let loaded: Loaded<FileReview>
  try {
    loaded = { value: await app.client.call('review.file', params) }
  } catch (error) {
    loaded = { problem: wireOf(error) }
  } finally {
    under.delete(key)
  }
  app.mirror.setState((m) => {
    const { [key]: _, ...rest } = m.files
    return { files: Object.fromEntries([...Object.entries(rest).slice(1 - KEPT_FILES), [key, loaded]]) }
  })
}

/**
 * After ticks were changed elsewhere: the files of a branch that are kept are forgotten, but for those of `shown`, which are
 * read again and stay in sight until they are. Large files keep what they have.
 */
export function rereadTicks(app: App, repoId: string, branch: string, shown: string | null): void {
  const review = app.mirror.getState().reviews[branchKey(repoId, branch)]?.review
  if (!review) return
  const own = shown === null ? null : fileKey(review, shown, null)
  const prefix = `${repoId}\n${branch}\n`
  app.mirror.setState((m) => ({
    files: Object.fromEntries(
      Object.entries(m.files).filter(
        ([key, f]) => key === own || !key.startsWith(prefix) || ('value' in f && f.value.large),
      ),
    ),
  }))
  const kept = own === null ? undefined : app.mirror.getState().files[own]
  if (shown !== null && kept && 'value' in kept && !kept.value.large) void readFile(app, review, shown, null)
}

/** Forgets a file that could not be read and reads it again. */
export function reloadFile(app: App, review: Review, path: string, commit: string | null): Promise<void> {
  app.mirror.setState((m) => {
    const { [fileKey(review, path, commit)]: _, ...files } = m.files
    return { files }
  })
  return loadFile(app, review, path, commit)
}

/** Reads what one commit of the run did. */
export async function loadCommit(app: App, review: Review, commit: string): Promise<void> {
  const key = commitKey(review, commit)
  if (app.mirror.getState().commits[key] !== undefined) return
  const set = (loaded: Loaded<{ commit: Review['commits'][number]; files: FileChange[] }>) =>
    app.mirror.setState((m) => ({ commits: { ...m.commits, [key]: loaded } }))
  try {
    set({ value: await app.client.call('review.commit', { repoId: review.repoId, branch: review.run.branch, commit }) })
  } catch (error) {
    set({ problem: wireOf(error) })
  }
}

function patchFiles(app: App, key: string, change: (file: FileChange) => FileChange): void {
  const review = app.mirror.getState().reviews[key]?.review
  if (!review) return
  const files = review.files.map(change)
  const viewed = files.filter((f) => f.viewed === 'yes').length
  patchReview(app, key, { review: { ...review, files, viewed } })
}

/** The keys of all parts of a file review, so that a tick on the file ticks its changes too. */
const tickParts = (file: FileReview, keys: readonly string[] | null, viewed: boolean): FileReview => {
  const tick = <C extends { key: string; viewed: boolean }>(c: C): C =>
    keys === null || keys.includes(c.key) ? { ...c, viewed } : c
  return { ...file, memory: file.memory.map(tick), raw: file.raw.map(tick) }
}

export interface ViewedMark {
  readonly path: string
  /** Changes inside the file; null: the whole file. */
  readonly keys: readonly string[] | null
}

/** Ticks files or changes of files as viewed or not; shows it at once and puts it right when the core answers. */
export async function setViewed(
  app: App,
  review: Review,
  marks: readonly ViewedMark[],
  viewed: boolean,
  undoable = true,
): Promise<void> {
  if (cutOff(app)) return
  const { repoId } = review
  const { branch } = review.run
  const key = branchKey(repoId, branch)
  const whole = new Set(marks.filter((m) => m.keys === null).map((m) => m.path))
  patchFiles(app, key, (f) => (whole.has(f.path) ? { ...f, viewed: viewed ? 'yes' : 'no' } : f))
  app.mirror.setState((m) => {
    const files = { ...m.files }
    for (const mark of marks) {
      const at = fileKey(review, mark.path, null)
      const known = files[at]
      if (known && 'value' in known) files[at] = { value: tickParts(known.value, mark.keys, viewed) }
    }
    return { files }
  })
  try {
    const { files } = await ticking(app, key, () =>
      app.client.call('review.setViewed', {
        repoId,
        branch,
        marks: marks.map((m) => ({ path: m.path, viewed, ...(m.keys === null ? {} : { keys: [...m.keys] }) })),
      }),
    )
    const states = new Map(files.map((f) => [f.path, f.viewed]))
    patchFiles(app, key, (f) => ({ ...f, viewed: states.get(f.path) ?? f.viewed }))
  } catch (error) {
    showError(app, 'The viewed marks were not kept', error)
    await refreshReview(app, repoId, branch)
    return
  }
  if (undoable)
    pushUndo(app, {
      label: viewed ? 'viewed mark' : 'removal of a viewed mark',
      undo: () => setViewed(app, review, marks, !viewed, false),
    })
}

/** Includes files in what will be approved, or leaves them out. A pair goes together: the core answers with what is out. */
export async function setIncluded(
  app: App,
  review: Review,
  paths: readonly string[],
  included: boolean,
  undoable = true,
): Promise<void> {
  if (cutOff(app)) return
  const { repoId } = review
  const { branch } = review.run
  const key = branchKey(repoId, branch)
  const these = new Set(paths)
  patchFiles(app, key, (f) => (these.has(f.path) ? { ...f, included } : f))
  try {
    const { leftOut } = await ticking(app, key, () =>
      app.client.call('review.setIncluded', { repoId, branch, paths: [...paths], included }),
    )
    const out = new Set(leftOut)
    patchFiles(app, key, (f) => ({
      ...f,
      included: !out.has(f.path) && !(f.fromPath !== null && out.has(f.fromPath)),
    }))
  } catch (error) {
    showError(app, included ? 'It was not included' : 'It was not left out', error)
    await refreshReview(app, repoId, branch)
    return
  }
  void refreshPreview(app, repoId, branch)
  if (undoable)
    pushUndo(app, {
      label: included ? 'include' : 'leave out',
      undo: () => setIncluded(app, review, paths, !included, false),
    })
}
