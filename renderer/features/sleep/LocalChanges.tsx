import type { Refusal } from '../../../shared/model/index.ts'
import { openOverlay } from '../../state/app.ts'
import { useApp } from '../../state/react.ts'
import { Dialog } from '../../ui/Dialog.tsx'

type Dirty = Extract<Refusal, { refusal: 'dirty-tree' }>

/** The local changes that stand in the way, per worktree. */
export function LocalChanges({ refusal }: { readonly refusal: Dirty }) {
  const app = useApp()
  const close = () => openOverlay(app, null)
  return (
    <Dialog
      title="Local changes in the way"
      icon="warn"
      tone="wait"
      onClose={close}
      foot={
        <>
          <span className="grow" />
          <button type="button" className="btn" onClick={close}>
            Close
          </button>
        </>
      }
    >
      <p className="dim">
        These files have local changes and the branch changes them too. Daybreak does not touch them. Commit them or put
        them elsewhere; other local changes are not in the way.
      </p>
      {refusal.worktrees.map((w) => (
        <section key={w.worktree} aria-label={w.worktree}>
          <h3 className="small">
            <code>{w.worktree}</code>
          </h3>
          <ul className="paths">
            {w.paths.map((path) => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  )
}
