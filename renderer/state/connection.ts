import { type App, showToast } from './app.ts'

/** Why nothing can be changed, in one line: for descriptions of buttons that cannot be pressed. */
export const LOST = 'Nothing can be changed until the connection to Daybreak is back.'

/** The same for the palette, behind the name of what was wanted. */
export const LOST_SHORT = 'the connection to Daybreak was lost'

/**
 * Whether an act must not begin, which is then said. A call without a connection would wait and be done whenever that is
 * back, when nobody expects it any more.
 */
export function cutOff(app: App): boolean {
  if (app.mirror.getState().connected) return false
  showToast(app, LOST, 'wait')
  return true
}
