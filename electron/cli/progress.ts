import type { Core } from '../core/createCore.ts'
import { plain, plainLines } from './words.ts'

/** Shows each step of a running operation, and what its gate prints, as it happens. */
export function showProgress(core: Core, say: (line: string) => void): void {
  let step = ''
  core.subscribe((event, payload) => {
    if (event !== 'operation.progress' || !('step' in payload)) return
    if (payload.step !== step) say(plain(payload.step))
    step = payload.step
    if (payload.output) say(plainLines(payload.output.replace(/\n$/, '')))
  })
}
