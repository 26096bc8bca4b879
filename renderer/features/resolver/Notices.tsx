import { refusalText } from '../../../shared/errors/refusals.ts'
import { useApp, useLost } from '../../state/react.ts'
import type { OpenItem } from '../../state/resolver.ts'
import { clearChanged, takeOverDisk } from '../../state/resolverActs.ts'
import { saveNow } from '../../state/resolverItems.ts'
import { markResolved } from '../../state/resolverVerbs.ts'
import { Icon } from '../../ui/Icon.tsx'

/** What changed under the page, why it was not marked resolved, what could not be kept: each with the step that helps. */
export function Notices({ id, open }: { readonly id: string; readonly open: OpenItem }) {
  const app = useApp()
  const lost = useLost()
  const { onDisk } = open.resolution
  const { refusal, changed, saveProblem } = open
  const edited = onDisk.state === 'edited'
  const unseen = edited && onDisk.text !== null && open.diskSeen !== onDisk.digest
  const asked = refusal?.refusal === 'edited-on-disk'
  return (
    <>
      {saveProblem !== null && (
        <div className="reason stop" role="alert">
          <Icon name="warn" />
          <p>
            <strong>What you decided is not kept yet.</strong> {saveProblem.message}
          </p>
          <button type="button" className="btn m" onClick={() => void saveNow(app, id)}>
            Try again
          </button>
        </div>
      )}
      {(changed.length > 0 || (edited && asked) || unseen) && (
        <div className="reason wait" role={asked ? 'alert' : 'status'}>
          <Icon name="warn" />
          <p>
            {asked && <strong>Nothing was written. </strong>}
            {edited && 'The file on disk was edited after git wrote the conflict. '}
            {changed.filter((one) => !(edited && one.endsWith('was edited on disk.'))).join(' ')}
          </p>
          <span className="grow" />
          {edited && onDisk.text !== null && open.model !== null && (
            <button type="button" className="btn m" onClick={() => takeOverDisk(app, id)}>
              Take over what is in the file
            </button>
          )}
          {asked && (
            <button
              type="button"
              className="btn m"
              aria-disabled={lost !== null}
              title={lost ?? undefined}
              onClick={() => lost === null && void markResolved(app, id, onDisk.digest)}
            >
              Replace it
            </button>
          )}
          {(changed.length > 0 || unseen) && (
            <button type="button" className="btn m quiet" onClick={() => clearChanged(app, id)}>
              Dismiss
            </button>
          )}
        </div>
      )}
      {refusal !== null && !asked && (
        <div className="reason stop" role="alert">
          <Icon name="cannot" />
          <p>
            <strong>{refusalText(refusal).what}</strong> {refusalText(refusal).help.join(' ')}
          </p>
        </div>
      )}
    </>
  )
}
