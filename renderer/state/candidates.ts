import type { CandidateRow } from '../../shared/model/index.ts'
import { type App, go, openOverlay, showError, showToast } from './app.ts'
import { refreshCandidates } from './candidateList.ts'
import { cutOff } from './connection.ts'
import { refreshHistory } from './repositories.ts'
import type { Route } from './route.ts'

/** The page of a candidate. */
export const candidateRoute = (repoId: string, row: Pick<CandidateRow, 'id' | 'item'>): Route => ({
  page: 'conflict',
  repoId,
  source: { from: 'candidate', candidate: row.id },
  item: row.item,
})

/** Tells that a candidate has become the person's, with the way to it. */
export function announceCandidate(
  app: App,
  waits: { repoId: string; candidate: string; item: string; path: string; actor: string; reason: string | null },
): void {
  const { repoId, candidate, item, path, actor, reason } = waits
  const show = () => go(app, candidateRoute(repoId, { id: candidate, item }))
  const why = reason === null ? 'its agent let its time pass' : reason
  showToast(app, `${path}: the candidate of ${actor} waits for you (${why})`, 'wait', null, {
    label: 'Show',
    run: show,
  })
}

/** Gives a candidate up and shows the inbox. */
export async function discardCandidate(app: App, repoId: string, candidate: string): Promise<void> {
  if (cutOff(app)) return
  openOverlay(app, null)
  try {
    const source = { from: 'candidate' as const, candidate }
    await app.client.call('conflicts.abort', { repoId, source })
    showToast(app, 'The candidate is discarded; the document is as it was', 'ok')
    go(app, { page: 'home', repoId })
  } catch (error) {
    showError(app, 'The candidate was not discarded', error)
  }
  await refreshCandidates(app, repoId)
  if (app.mirror.getState().repos[repoId]?.history) void refreshHistory(app, repoId)
}

/** After a candidate was published: the next one that is the person's, else the inbox. */
export async function afterCandidate(app: App, repoId: string, path: string): Promise<void> {
  showToast(app, `${path} is published`, 'ok')
  await refreshCandidates(app, repoId)
  const next = app.mirror.getState().candidates[repoId]?.list?.find((row) => row.state === 'person')
  go(app, next === undefined ? { page: 'home', repoId } : candidateRoute(repoId, next))
  if (app.mirror.getState().repos[repoId]?.history) void refreshHistory(app, repoId)
}
