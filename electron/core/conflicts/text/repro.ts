import { createHash } from 'node:crypto'
import { regionRow } from '../../../../shared/merge/draft/index.ts'
import { type HunkText, readable } from '../../../../shared/merge/threeway/hunks.ts'
import type { Merge } from '../../../../shared/merge/threeway/merge.ts'
import type { Draft, Repro } from '../../../../shared/model/index.ts'
import type { SideBytes } from './prepare.ts'

export interface ReproParts {
  readonly sides: SideBytes
  readonly merge: Pick<Merge, 'regions' | 'exact'>
  readonly options: Repro['options']
  readonly draft: Draft | null
  /** The resulting file; null while something is open. */
  readonly result: Uint8Array | null
  readonly version: string
}

/** A merge as a bug report or a fixture. */
export function makeRepro({ sides, merge, options, draft, result, version }: ReproParts): Repro {
  const text = (bytes: Uint8Array): HunkText => readable(bytes)
  return {
    repro: 1,
    versions: { daybreak: version, node: process.versions.node, os: process.platform },
    base: sides.base === null ? null : text(sides.base),
    ours: text(sides.ours),
    theirs: text(sides.theirs),
    options,
    regions: merge.regions.map(regionRow),
    exact: merge.exact,
    draft,
    result: result === null ? null : digestOf(result),
  }
}

/** A label that is a path names folders of the machine: its last part is enough. */
export const bareLabel = (label: string): string => label.split(/[/\\]/).at(-1) ?? ''

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
