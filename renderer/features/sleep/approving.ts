import { type App, openOverlay } from '../../state/app.ts'
import { branchKey } from '../../state/mirror.ts'
import { approve } from '../../state/verbs.ts'
import { leftIn } from './model/groups.ts'

/**
 * Approves at once where every included file was viewed and no link would dangle; otherwise asks first, saying what was
 * not viewed and which links would point nowhere.
 */
export function requestApprove(app: App, repoId: string, branch: string, bringMainIn: boolean): void {
  const state = app.mirror.getState().reviews[branchKey(repoId, branch)]
  if (!state?.review) return
  const unseen = leftIn(state.review.files.filter((f) => f.included))
  const dangling = state.preview?.dangling.length ?? 0
  if (unseen > 0 || dangling > 0) openOverlay(app, { kind: 'approve', repoId, branch, bringMainIn })
  else void approve(app, repoId, branch, bringMainIn)
}
