/**
 * What may be wrong about a merge that has no conflict left. `added-twice`: both added the same. `moved-and-edited`: one
 * moved a line, the other edited it where it was. `same-list`, `same-table`, `same-section`: both edited one, near each
 * other. `dangling`: one removed a heading or key that the other's new text refers to. `stale`: one replaced a number or
 * name that the other's new text still has.
 */
export type WarningKind =
  | 'added-twice'
  | 'moved-and-edited'
  | 'same-list'
  | 'same-table'
  | 'same-section'
  | 'dangling'
  | 'stale'

/** A line that a warning is about; 0-based, in that file, as one character per byte. */
export interface WarningLine {
  readonly side: 'base' | 'ours' | 'theirs'
  readonly line: number
  readonly text: string
}

export interface Warning {
  readonly kind: WarningKind
  readonly lines: readonly WarningLine[]
  /** The heading, key, number or name it is about. */
  readonly subject?: string
}
