import { createHash } from 'node:crypto'
import { openCount } from '../../../../../shared/merge/draft/index.ts'
import type { Draft, DraftCheck } from '../../../../../shared/model/index.ts'
import { draftBytes } from '../draftBytes.ts'
import { finish } from '../finish.ts'
import type { TextMerge } from '../textMerge.ts'
import { auditRows } from './auditRows.ts'
import { factsOf } from './facts.ts'
import { markersIn } from './markers.ts'
import { Places } from './places.ts'
import { proofOf } from './proof.ts'
import { type Names, warningRows } from './warningRows.ts'

export interface CheckSetup {
  readonly names: Names
  /** Characters of a conflict marker in this file. */
  readonly markerSize: number
  /** How the repository names its objects. */
  readonly hash: 'sha1' | 'sha256'
  /** A choice that is not a matter of lines is still to be made. */
  readonly choiceOpen: boolean
}

/** What the result of a draft would be, checked against the sides. */
export function checkDraft(text: TextMerge, draft: Draft, setup: CheckSetup): DraftCheck {
  const made = draftBytes(text, draft)
  const file = made.unwritable.length > 0 ? null : finish(text.prepared, made.bytes)
  const open = openCount(draft)
  const places = new Places(text, draft)
  const audit = auditRows(text, draft, made.bytes, places)
  const proof = file === null ? unwritable(text) : proofOf(text, draft, made, file)
  const done = open === 0 && !setup.choiceOpen
  return {
    open: open + (setup.choiceOpen ? 1 : 0),
    oid: done && file !== null ? blobId(file, setup.hash) : null,
    audit: [...audit.rows],
    lost: audit.lost,
    warnings: open === 0 ? warningRows(text, made.bytes, places, setup.names) : [],
    proof: proof.sentence,
    holds: proof.holds,
    facts: factsOf(text.prepared, made.bytes, setup.names),
    markers: markersIn(text.model, places.layout, setup.markerSize),
  }
}

const unwritable = ({ prepared }: TextMerge) => ({
  holds: false,
  sentence: `The result has characters that ${prepared.result.encoding === 'legacy' ? 'Windows-1252' : 'its encoding'} has not`,
})

/** The id that git gives to a file with these bytes. */
export function blobId(bytes: Uint8Array, hash: 'sha1' | 'sha256'): string {
  return createHash(hash).update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
