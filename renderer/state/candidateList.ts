import { type App, wireOf } from './app.ts'
import { coalesced } from './coalesce.ts'
import type { CandidatesMirror } from './mirror.ts'

const readers = new WeakMap<App, (repoId: string) => Promise<void>>()

/** Reads again which candidates are open. Failures keep the last list and are told beside it. */
export function refreshCandidates(app: App, repoId: string): Promise<void> {
  const known = readers.get(app)
  if (known !== undefined) return known(repoId)
  const made = coalesced(async (id) => {
    const put = (change: Partial<CandidatesMirror>) =>
      app.mirror.setState((m) => ({
        candidates: {
          ...m.candidates,
          [id]: { list: null, losses: [], problem: null, ...m.candidates[id], ...change },
        },
      }))
    try {
      const [list, losses] = await Promise.all([
        app.client.call('candidates.list', { repoId: id }),
        app.client.call('candidates.losses', { repoId: id }),
      ])
      put({ list, losses, problem: null })
    } catch (error) {
      put({ problem: wireOf(error) })
    }
  })
  readers.set(app, made)
  return made(repoId)
}
