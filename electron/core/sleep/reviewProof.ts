import { mayTouch, phaseNamed, phaseOrdinal } from '../../../shared/model/phase.ts'
import type { RunCommit } from '../../../shared/model/review.ts'
import type { RawChange } from '../git/diffTree.ts'
import { type CommitEntry, trailerValues } from '../git/log.ts'

type Foreign = NonNullable<RunCommit['foreign']>

/** What a commit of the branch is taken for. */
export interface Proof {
  readonly phase: string | null
  readonly foreign: Foreign | null
  readonly bringsMainIn: boolean
}

/** Trailers of a `Bring main in` merge. */
export const OPERATION_TRAILER = 'Daybreak-Operation'
export const BRINGS_IN_TRAILER = 'Daybreak-Brings-In'

export interface ProofInput {
  /** The run's id: the branch's name without its remote; then what it was before it came back under that name. */
  readonly runs: readonly string[]
  /** Oldest first. */
  readonly commits: readonly CommitEntry[]
  readonly changes: ReadonlyMap<string, readonly RawChange[]>
  /** Ids of merges that were made again and gave the tree they have; see `provenMerges`. */
  readonly merges: ReadonlySet<string>
}

/**
 * Which phase made each commit, if any. A trailer alone proves nothing: the commit must name this run and a known
 * phase, phases must come in their order, and it may touch only what such a phase may touch, as plain files.
 */
export function proveCommits(input: ProofInput): Map<string, Proof> {
  const proofs = new Map<string, Proof>()
  let reached = -1
  for (const commit of input.commits) {
    const proof = prove(commit, input, reached)
    if (proof.phase !== null) reached = phaseOrdinal(proof.phase) ?? reached
    proofs.set(commit.oid, proof)
  }
  return proofs
}

const foreign = (why: Foreign): Proof => ({ phase: null, foreign: why, bringsMainIn: false })

function prove(commit: CommitEntry, input: ProofInput, reached: number): Proof {
  if (commit.parents.length > 1)
    return input.merges.has(commit.oid) ? { phase: null, foreign: null, bringsMainIn: true } : foreign('merge')
  const runs = trailerValues(commit, 'Memhtml-Run')
  const phases = trailerValues(commit, 'Memhtml-Phase')
  if (runs.length === 0 || phases.length === 0) return foreign('no-trailer')
  const [run = ''] = runs
  if (runs.length > 1 || !input.runs.includes(run)) return foreign('other-run')
  const phase = phases.length === 1 ? phaseNamed(phases[0] as string) : null
  if (!phase) return foreign('unknown-phase')
  if ((phaseOrdinal(phase.name) ?? -1) < reached) return foreign('out-of-order')
  const changes = input.changes.get(commit.oid) ?? []
  const allowed = changes.every(
    (change) =>
      mayTouch(phase, change.path, run) &&
      (change.fromPath === null || mayTouch(phase, change.fromPath, run)) &&
      (change.newMode === null || change.newMode === '100644' || change.newMode === change.oldMode),
  )
  return allowed ? { phase: phase.name, foreign: null, bringsMainIn: false } : foreign('path-not-allowed')
}

/**
 * The merges that say that they brought main in, with what they say they brought: two parents, both trailers once,
 * and the first parent the commit named.
 */
export function claimedMerges(commits: readonly CommitEntry[], own: ReadonlySet<string>): CommitEntry[] {
  return commits.filter((commit) => {
    const [main, ...others] = commit.parents
    const named = trailerValues(commit, BRINGS_IN_TRAILER)
    return (
      others.length === 1 &&
      trailerValues(commit, OPERATION_TRAILER).length === 1 &&
      named.length === 1 &&
      named[0] === main &&
      // What was brought in is on main: it is none of the branch's own commits.
      !own.has(main as string)
    )
  })
}

/** At most so many bytes of a counts trailer are read, and so many counts kept. */
const COUNTS_BYTES = 64 * 1024
const COUNTS = 200

/** What a `Memhtml-Counts` trailer says; null where it is absent, twice there, or no object of numbers. */
export function readCounts(commit: Pick<CommitEntry, 'trailers'>): Record<string, number> | null {
  const values = trailerValues(commit, 'Memhtml-Counts')
  const text = values.length === 1 ? (values[0] as string) : ''
  if (text === '' || text.length > COUNTS_BYTES) return null
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const entries = Object.entries(value)
    if (entries.length > COUNTS || entries.some(([, n]) => typeof n !== 'number' || !Number.isFinite(n))) return null
    return Object.fromEntries(entries.filter(([name]) => name !== '__proto__'))
  } catch {
    return null
  }
}
