import { equalRange } from '../bytes/ranges.ts'
import { type Decision, decidedBytes, type Placed } from '../threeway/decide.ts'
import type { Merge } from '../threeway/merge.ts'

/** What the bytes of one stretch of a result are identical to. */
export interface ProofPart {
  /** Byte offsets in the result, half-open. */
  readonly start: number
  readonly end: number
  readonly equals: readonly ('base' | 'ours' | 'theirs')[]
  /** Of a conflict: its number from 0, and how it was decided. */
  readonly conflict?: number
  readonly take?: Decision['take']
}

export interface Proof {
  /** Whether every byte of the result is accounted for. */
  readonly holds: boolean
  /** Conflicts decided. */
  readonly decided: number
  /** Edits of one side or of both alike that were taken without asking. */
  readonly taken: number
  readonly parts: readonly ProofPart[]
  /** Where the result first differs from what it should be; null where the proof holds. */
  readonly differsAt: number | null
  /** For people: `3 hunks decided; all else identical`. */
  readonly sentence: string
}

/**
 * States what each byte of a result comes from: unchanged text is identical to all three sides, the edit of one side to
 * that side, and a conflict to what was decided. The result is compared with what the decisions give, byte by byte.
 */
export function prove(merge: Merge, decisions: readonly Decision[], result: Uint8Array): Proof {
  const { bytes, placed } = decidedBytes(merge, decisions)
  let at = 0
  const most = Math.min(bytes.length, result.length)
  if (bytes.length === result.length && equalRange(bytes, 0, result, 0, most)) at = most
  else while (at < most && bytes[at] === result[at]) at++
  const holds = at === bytes.length && at === result.length
  let conflict = 0
  const parts = placed.map((part): ProofPart => {
    const { start, end } = part
    if (part.region.kind !== 'conflict') return { start, end, equals: EQUALS[part.region.kind] }
    const { take } = decisions[conflict] as Decision
    return { start, end, equals: equalsOf(take), conflict: conflict++, take }
  })
  const taken = placed.filter(isTaken).length
  return {
    holds,
    decided: decisions.length,
    taken,
    parts,
    differsAt: holds ? null : at,
    sentence: holds ? sentence(decisions.length) : `Not as decided from byte ${at} on`,
  }
}

const EQUALS = {
  unchanged: ['base', 'ours', 'theirs'],
  ours: ['ours'],
  theirs: ['theirs'],
  same: ['ours', 'theirs'],
} as const

function equalsOf(take: Decision['take']): ProofPart['equals'] {
  return take === 'base' || take === 'ours' || take === 'theirs' ? [take] : []
}

function isTaken({ region }: Placed): boolean {
  return region.kind === 'ours' || region.kind === 'theirs' || region.kind === 'same'
}

function sentence(decided: number): string {
  if (decided === 0) return 'Nothing to decide; all identical'
  return `${decided} ${decided === 1 ? 'hunk' : 'hunks'} decided; all else identical`
}
