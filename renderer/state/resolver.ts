import { createStore, type StoreApi } from 'zustand/vanilla'
import type { WireError } from '../../shared/errors/appError.ts'
import { type DraftModel, draftModel } from '../../shared/merge/draft/index.ts'
import type { ConflictSource, DecidedBy, Draft, DraftCheck, Refusal, Resolution } from '../../shared/model/index.ts'
import { begin, type History, now } from './history.ts'

/** Files that are selected in the overview of one source; `of` says in which step of which operation. */
export interface Picks {
  readonly of: string
  readonly items: ReadonlySet<string>
}

/** What a conflict is in: open, or by what it was decided. */
export type StateName = 'open' | DecidedBy
export const STATES: readonly StateName[] = ['open', 'mine', 'rule', 'AI', 'rerere']

/** A line of a text that the person asked to see; `jump` rises with each asking. */
export interface Place {
  readonly side: 'base' | 'ours' | 'theirs' | 'result'
  readonly line: number
  readonly jump: number
}

/** One conflict that is opened: its sides, and everything decided about it since. */
export interface OpenItem {
  readonly repoId: string
  readonly resolution: Resolution
  /** Null where lines are not to be decided. */
  readonly model: DraftModel | null
  readonly history: History<Draft>
  /** The conflict that is current; the choice counts behind those in the lines. */
  readonly current: number
  readonly jump: number
  /** A decided conflict whose buttons are shown again. */
  readonly changing: number | null
  /** The steps go through the conflicts in this state only. */
  readonly filter: StateName | null
  readonly place: Place | null
  readonly check: { readonly draft: Draft; readonly value: DraftCheck } | null
  readonly checkProblem: WireError | null
  /** The draft that the core has. */
  readonly saved: Draft
  readonly saveProblem: WireError | null
  /** Why it was not marked resolved at the last try. */
  readonly refusal: Refusal | null
  /** What changed under the page since it was opened, in words. */
  readonly changed: readonly string[]
  /** Digest of an edited file that was told of and put away. */
  readonly diskSeen: string | null
  /** Marking or opening again is under way. */
  readonly busy: boolean
}

export type Opened = OpenItem | { readonly problem: WireError }

export interface ResolverState {
  /** By `itemKey`. */
  readonly items: Readonly<Record<string, Opened>>
  /** Readings under way, by `itemKey`: the name that stops one, and since when, in milliseconds of the clock. */
  readonly reading: Readonly<Record<string, { readonly name: string; readonly since: number }>>
  readonly baseFolded: boolean
  /** The files that are selected in the overviews, by repository and source: they stay when a page is left. */
  readonly picks: Readonly<Record<string, Picks>>
  /** The merge tool was ended from here: the page has nothing more to do. */
  readonly toolEnded: 'resolved' | 'given-up' | null
}

export type ResolverStore = StoreApi<ResolverState>

export const createResolver = (): ResolverStore =>
  createStore<ResolverState>(() => ({ items: {}, reading: {}, baseFolded: false, picks: {}, toolEnded: null }))

export function sourceKey(source: ConflictSource): string {
  if (source.from === 'worktree') return `worktree ${source.worktree}`
  return source.from === 'branch' ? `branch ${source.branch}` : 'tool'
}

export const itemKey = (repoId: string, source: ConflictSource, item: string): string =>
  [repoId, item, sourceKey(source)].join(' ')

export const draftOf = (open: OpenItem): Draft => now(open.history)

/** Whether a choice beside the lines is to be made. */
export const hasChoice = (open: OpenItem): boolean => open.resolution.item.choices.length > 0

/** Whether a file is taken whole, as it is: then its lines are not to be decided. */
function takesWhole(open: OpenItem): boolean {
  const { choice } = draftOf(open)
  const taken = choice === null ? undefined : open.resolution.item.choices.find((one) => one.id === choice)
  return taken?.result.every((one) => one.oid !== 'merged') ?? false
}

/** Every conflict of an item in order, with its state: those of the lines, and the choice behind them. */
export function statesOf(open: OpenItem): StateName[] {
  const draft = draftOf(open)
  const left: StateName = takesWhole(open) ? 'mine' : 'open'
  const lines = draft.lines.map((one): StateName => one?.by ?? left)
  return hasChoice(open) ? [...lines, draft.choice === null ? 'open' : 'mine'] : lines
}

export const leftOf = (open: OpenItem): number => statesOf(open).filter((one) => one === 'open').length

/** Whether the answer of the last check is about the draft as it is. */
export const isChecked = (open: OpenItem): boolean => open.check !== null && open.check.draft === draftOf(open)

/** The page's state of an item as it comes from the core: nothing done yet, the first open conflict current. */
export function openedOf(repoId: string, resolution: Resolution, changed: readonly string[] = []): OpenItem {
  const opened: OpenItem = {
    repoId,
    resolution,
    model: resolution.merge === null ? null : draftModel(resolution.merge),
    history: begin(resolution.draft),
    current: 0,
    jump: 0,
    changing: null,
    filter: null,
    place: null,
    check: null,
    checkProblem: null,
    saved: resolution.draft,
    saveProblem: null,
    refusal: null,
    changed,
    diskSeen: null,
    busy: false,
  }
  return { ...opened, current: Math.max(0, statesOf(opened).indexOf('open')) }
}
