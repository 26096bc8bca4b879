import type { ChangeKind, RunCommit } from '../../../../shared/model/review.ts'

/** The kinds in the order the list shows them, with their names. `satisfies` keeps the table complete. */
const names = {
  'claim-changed': 'Claim changed',
  'body-changed': 'Body changed',
  changed: 'Changed',
  created: 'Created',
  archived: 'Archived',
  moved: 'Moved',
  deleted: 'Deleted',
  binary: 'Binary',
  submodule: 'Submodule',
  'mode-only': 'Mode only',
  'metadata-only': 'Metadata only',
  generated: 'Generated',
} satisfies Record<ChangeKind, string>

export const KINDS = Object.keys(names) as ChangeKind[]

export const kindName = (kind: ChangeKind): string => names[kind]

/** Kinds that are shut at first: they seldom carry a decision. */
export const shutAtFirst = (kind: ChangeKind): boolean => kind === 'metadata-only' || kind === 'generated'

const foreign: Readonly<Record<NonNullable<RunCommit['foreign']>, string>> = {
  'no-trailer': 'it names no phase',
  'other-run': 'it names another run',
  'unknown-phase': 'it names a phase that is not known',
  'out-of-order': 'its phase comes out of order',
  'path-not-allowed': 'it touches a path that its phase may not touch',
  merge: 'it is a merge that no one announced',
}

/** Why no phase is believed to have made a commit. */
export const foreignWhy = (why: NonNullable<RunCommit['foreign']>): string => foreign[why]
