import { createHash } from 'node:crypto'
import type { ConflictItem, ConflictSet, ConflictSource } from '../../../../shared/model/index.ts'
import type { ConflictProvider } from '../../conflicts/provider.ts'
import { blobId } from '../../conflicts/text/check/checkDraft.ts'
import { openIn } from '../../conflicts/text/lineConflicts.ts'
import type { TextRunner } from '../../conflicts/text/runner.ts'
import type { RepositoryContext } from '../../context.ts'
import type { Ports } from '../../ports.ts'
import { findCandidate, type StoredCandidate } from '../../store/candidates.ts'
import { itemId, onHead } from './describe.ts'
import { whoOf } from './names.ts'
import { inputOf } from './sides.ts'

/**
 * Candidates as conflicts: ours is what the agent offered, theirs the document's head, merged anew with it whenever it
 * moves. They are listed with the candidates, not with the conflicts in progress.
 */
export function candidateProvider(ports: Ports, runner: TextRunner): ConflictProvider {
  const rowFor = async (repo: RepositoryContext, source: ConflictSource) => {
    const row = source.from === 'candidate' ? findCandidate(repo.state, source.candidate) : null
    return row === null ? null : onHead({ repo, ports, runner }, row)
  }
  return {
    list: async () => [],
    async find(repo, source) {
      const row = await rowFor(repo, source)
      return row === null ? null : setOf(repo, source, row)
    },
    async blob(repo, source, oid) {
      const row = await rowFor(repo, source)
      if (row === null) return null
      const { sides } = await inputOf(repo, row)
      const hash = oid.length === 64 ? 'sha256' : 'sha1'
      for (const side of [sides.base, sides.ours, sides.theirs])
        if (side !== null && blobId(side, hash) === oid) return Buffer.from(side)
      return null
    },
  }
}

async function setOf(repo: RepositoryContext, source: ConflictSource, row: StoredCandidate): Promise<ConflictSet> {
  const [{ ours, theirs }, { sides }] = await Promise.all([whoOf(repo, row), inputOf(repo, row)])
  const hash = row.headOid.length === 64 ? 'sha256' : 'sha1'
  const all = [
    { stage: 1 as const, bytes: sides.base },
    { stage: 2 as const, bytes: sides.ours },
    { stage: 3 as const, bytes: sides.theirs },
  ]
  const stages = all.flatMap(({ stage, bytes }) =>
    bytes === null ? [] : [{ path: row.path, stage, mode: '100644', oid: blobId(bytes, hash) }],
  )
  const bare: ConflictItem = {
    id: itemId(row.id),
    path: row.path,
    paths: [row.path],
    kind: row.baseOid === null ? 'add-add' : 'text',
    sentence: sentenceOf(row, ours.name, theirs.name),
    stages,
    fingerprint: digest(stages),
    state: 'open',
    lines: true,
    choices: [],
    total: row.conflicts,
    left: row.conflicts,
    rerere: 'none',
  }
  const left = openIn(repo, source, bare)
  const over = row.state !== 'open' && !answeredByAgent(row)
  const item: ConflictItem = over
    ? { ...bare, left: 0, state: 'resolved' }
    : { ...bare, left, state: left === 0 ? 'decided' : 'open' }
  return {
    source,
    operation: 'publish',
    title: `${ours.name} against ${theirs.name}`,
    ours,
    theirs,
    baseLabel: row.baseOid === null ? 'no common version' : `version ${row.baseVersion}`,
    publishing: {
      ours: row.baseOid === null ? 'new file' : `version ${row.baseVersion} + edit`,
      theirs: `version ${row.headVersion}`,
      result: `becomes version ${row.headVersion + 1}`,
      escalated: row.escalatedAt === null ? null : { at: row.escalatedAt, reason: row.reason ?? '' },
    },
    items: [item],
    step: null,
    proceed: { able: false, why: 'Publishing the resolution ends it.', label: 'Publish resolution' },
    abort: {
      able: row.state === 'open',
      why: row.state === 'open' ? null : `It is ${row.state} already.`,
      label: 'Discard candidate',
    },
  }
}

/**
 * The agent published its own answer while the person was deciding: the page goes on, on the new head, and what the
 * person decided can still be published.
 */
function answeredByAgent(row: StoredCandidate): boolean {
  if (row.state !== 'published' || row.answer === null) return false
  const answer: unknown = JSON.parse(row.answer)
  return typeof answer === 'object' && answer !== null && 'by' in answer && answer.by === row.actor
}

function sentenceOf(row: StoredCandidate, ours: string, theirs: string): string {
  const met = row.baseOid === null ? 'wanted to create this file, which' : `edited version ${row.baseVersion}, while`
  if (answeredByAgent(row)) return `${ours} has published an answer of its own meanwhile: version ${row.headVersion}.`
  const many = row.conflicts === 1 ? '1 conflict' : `${row.conflicts} conflicts`
  const then = row.baseOid === null ? `${theirs} had made` : `${theirs} published version ${row.headVersion}`
  return `${ours} ${met} ${then}: ${many}.`
}

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
