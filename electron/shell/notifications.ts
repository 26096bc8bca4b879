import { Notification } from 'electron'
import type { Core } from '../core/createCore.ts'

interface Shown {
  /** Whether the person looks at the app now: the page tells it there. */
  readonly focused: () => boolean
  /** Brings the app to the front. */
  readonly show: () => void
}

/** Tells by the system's notification that a candidate has become the person's. Returns the way to stop. */
export function notifyOfCandidates(core: Core, { focused, show }: Shown): () => void {
  // A notification that nothing refers to may be collected before it is clicked.
  const held = new Set<Notification>()
  return core.subscribe((event, payload) => {
    if (event !== 'candidate.waits' || !('candidate' in payload)) return
    if (focused() || !Notification.isSupported()) return
    const { path, actor, reason } = payload
    const body = reason === null ? `The candidate of ${actor} was not answered in time.` : `${actor}: ${reason}`
    const notification = new Notification({ title: `${path} waits for you`, body })
    held.add(notification)
    notification.on('click', show)
    notification.on('close', () => held.delete(notification))
    notification.show()
  })
}
