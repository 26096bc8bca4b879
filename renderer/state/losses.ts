import type { LossReport } from '../../shared/model/index.ts'
import { type App, showError, showToast } from './app.ts'
import { refreshCandidates } from './candidateList.ts'
import { cutOff } from './connection.ts'

/** Puts a lost line back where it stood. */
export async function restoreLine(app: App, repoId: string, report: LossReport, index: number): Promise<void> {
  if (cutOff(app)) return
  const { candidate, path } = report
  try {
    const done = await app.client.call('candidates.restoreLine', { repoId, candidate, index })
    const words = done.there ? 'has that line again already' : `has that line again, as version ${done.version}`
    showToast(app, `${path} ${words}`, 'ok')
  } catch (error) {
    showError(app, `The line was not put back into ${path}`, error)
  }
  await refreshCandidates(app, repoId)
}

/** Lets a lost line go, or all of a report: they are not listed any more. */
export async function letGo(app: App, repoId: string, report: LossReport, index: number | null): Promise<void> {
  if (cutOff(app)) return
  try {
    await app.client.call('candidates.letGo', { repoId, candidate: report.candidate, index })
  } catch (error) {
    showError(app, 'Nothing was let go', error)
  }
  await refreshCandidates(app, repoId)
}
