import type { ConflictItem, ConflictKind, ConflictStage, Who } from '../../../../shared/model/index.ts'
import type { Blob } from './content.ts'
import type { Group } from './group.ts'

export interface Entry {
  readonly path: string
  readonly mode: string
  readonly oid: string
}

/** What is known when an item is described. */
export interface ItemFacts {
  /** Names the place for ids. */
  readonly place: string
  readonly group: Group
  readonly ours: Who
  readonly theirs: Who
  readonly blobs: ReadonlyMap<string, Blob>
  /** What the sides' own trees have at the paths of the group; by side and path. */
  readonly own: { readonly ours: ReadonlyMap<string, string>; readonly theirs: ReadonlyMap<string, string> }
  /** Attributes keep it from being merged by line. */
  readonly bySide: boolean
  /** Merged entries of a folder that stands where the file would. */
  readonly folder: readonly Entry[]
  /** Paths of the group that are unmerged now. */
  readonly unmerged: ReadonlySet<string>
}

/** The stages of a group by number, and what follows from their content. */
export interface Sides {
  readonly base: ConflictStage | undefined
  readonly ours: ConflictStage | undefined
  readonly theirs: ConflictStage | undefined
  /** The blobs to merge by line; null where that is not to be done. */
  readonly merged: { readonly base: string | null; readonly ours: string; readonly theirs: string } | null
  /** Git put its own merge, markers and all, in the place of theirs, and what that side has is not to be found. */
  readonly lost: boolean
  /** In how many lines each side differs from the base; null where that was not counted. */
  readonly changed: { readonly ours: number | null; readonly theirs: number | null }
  readonly conflicts: number | null
}

export type Told = Pick<ConflictItem, 'sentence' | 'choices'> & { readonly kind: ConflictKind }
