import { refusalText } from '../../shared/errors/refusals.ts'
import type { Refusal, RefusalKind } from '../../shared/model/refusal.ts'

/** The one step that helps, as the reason line offers it. */
export type Step =
  | 'bring-main-in-and-approve'
  | 'bring-main-in'
  | 'resolve-conflicts'
  | 'show-local-changes'
  | 'show-trust'
  | 'revert'
  | 'show-history'
  | 'read-again'

export interface RefusalView {
  /** Two or three words for the chip and the inbox. */
  readonly short: string
  /** `wait`: a step helps. `stop`: it cannot be approved as it is. */
  readonly tone: 'wait' | 'stop'
  /** Steps that help, the best one first. */
  readonly steps: readonly Step[]
  /** Whether Approve may be pressed again with this refusal in place, since pressing it is how to try anew. */
  readonly retry: boolean
}

type ViewOf<K extends RefusalKind> = (refusal: Extract<Refusal, { refusal: K }>) => RefusalView

const stop = (short: string, steps: readonly Step[] = []): RefusalView => ({ short, tone: 'stop', steps, retry: false })
const wait = (short: string, steps: readonly Step[] = []): RefusalView => ({ short, tone: 'wait', steps, retry: false })

/** One row a kind: a kind without a row does not compile. */
const views: { readonly [K in RefusalKind]: ViewOf<K> } = {
  'main-advanced': (r) =>
    r.conflicts !== null && r.conflicts.length > 0
      ? wait('Conflicts with main', ['resolve-conflicts'])
      : // What main changed in the night's own files is looked at before it is approved.
        wait('Needs main', r.overlap.length > 0 ? ['bring-main-in'] : ['bring-main-in-and-approve', 'bring-main-in']),
  'dirty-tree': () => wait('Local changes', ['show-local-changes']),
  'gate-failed': (r) => ({
    short: r.reason === 'cancelled' ? 'Gate cancelled' : 'Gate failed',
    tone: r.reason === 'cancelled' ? 'wait' : 'stop',
    steps: [],
    retry: true,
  }),
  'unknown-run': () => stop('Unknown run'),
  'branch-gone': (r) => stop(r.merged ? 'Merged' : 'Branch is gone', ['show-history']),
  'empty-run': () => stop('Empty'),
  unresolved: () => wait('Conflicts with main', ['resolve-conflicts']),
  'branch-in-use': () => wait('In use'),
  'operation-in-progress': () => wait('Git is busy'),
  'worktree-outside': () => stop('Worktree outside'),
  'path-clash': () => wait('Paths clash'),
  'rows-changed': () => stop('Rows changed', ['revert']),
  'not-trusted': () => wait('Not trusted', ['show-trust']),
  'cannot-leave-out': () => wait('Cannot leave out'),
  'remote-branch': () => stop('On a remote'),
  'moved-on': () => wait('main moved on', ['revert']),
  'cannot-undo': () => stop('Cannot be undone', ['show-history']),
  'conflict-changed': () => wait('Sides changed'),
  'edited-on-disk': () => wait('Edited on disk'),
  'markers-left': () => wait('Markers left'),
  'lines-lost': () => wait('Lines lost'),
  'cannot-encode': () => wait('Cannot be encoded'),
  'operation-failed': () => stop('git refused'),
}

/** How the app shows a refusal: chip, tone and the steps it can offer. The sentences are `refusalText`'s. */
export function refusalView(refusal: Refusal): RefusalView {
  return (views[refusal.refusal] as (refusal: Refusal) => RefusalView)(refusal)
}

/** The refusal as two parts: what stands in the way, shown strong, and the rest. */
export function refusalParts(refusal: Refusal): { readonly lead: string; readonly rest: string } {
  const { what } = refusalText(refusal)
  // A sentence does not end inside a command that it quotes.
  const end = what.replace(/`[^`]*`/g, (code) => '`'.repeat(code.length)).search(/[.:] /)
  return end < 0 ? { lead: what, rest: '' } : { lead: what.slice(0, end + 1), rest: what.slice(end + 2) }
}
