import type { Emit } from '../../../../shared/contract/index.ts'
import type { RepositoryContext } from '../../context.ts'
import type { Ports } from '../../ports.ts'
import { type CandidateFacts, listCandidates } from '../../store/candidates.ts'
import { itemId, personAtOf } from './describe.ts'

/** How often it is looked, in milliseconds. */
const PACE = 1000

/**
 * Announces candidates that come, change or end in any process, and those that become the person's. What was the
 * person's when it began is not announced again. Returns the way to stop. Never keeps the process alive.
 */
export function watchCandidates(repo: RepositoryContext, ports: Ports, emit: Emit, pace = PACE): () => void {
  const repoId = repo.repository.id
  const read = () => {
    const now = ports.clock().getTime()
    const open = listCandidates(repo.state, false)
    const persons = open.filter((row) => row.escalatedAt !== null || Date.parse(personAtOf(repo, row)) <= now)
    return { open, persons, text: JSON.stringify([open.map((row) => [row.id, row.updatedAt]), persons.length]) }
  }
  let known = read()
  const look = () => {
    let now: ReturnType<typeof read>
    try {
      now = read()
    } catch {
      // A database that cannot be read now is told by whoever asks it for something.
      return
    }
    const before = new Set(known.persons.map((row) => row.id))
    const changed = now.text !== known.text
    known = now
    if (!changed) return
    emit('repo.changed', { repoId, what: ['candidates'] })
    for (const row of now.persons) if (!before.has(row.id)) emit('candidate.waits', waits(repoId, row))
  }
  const timer = setInterval(look, pace)
  timer.unref()
  return () => clearInterval(timer)
}

const waits = (repoId: string, { id, path, actor, reason }: CandidateFacts) => ({
  repoId,
  candidate: id,
  item: itemId(id),
  path,
  actor,
  reason,
})
