import { count } from '../../../shared/errors/refusals.ts'
import { openOverlay } from '../../state/app.ts'
import { branchKey } from '../../state/mirror.ts'
import { useApp, useLost, useMirror } from '../../state/react.ts'
import { setIncluded } from '../../state/reviews.ts'
import { approve } from '../../state/verbs.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { groupsOf, leftIn } from './model/groups.ts'

interface Props {
  readonly repoId: string
  readonly branch: string
  readonly bringMainIn: boolean
}

/** Links listed one by one before the rest is counted. */
const LISTED = 8

/** Asked before approving what was not viewed in full, or what would leave links that point nowhere. */
export function ApproveDialog({ repoId, branch, bringMainIn }: Props) {
  const app = useApp()
  const lost = useLost()
  const state = useMirror((m) => m.reviews[branchKey(repoId, branch)])
  const review = state?.review
  if (!review) return null
  const close = () => openOverlay(app, null)
  const included = review.files.filter((f) => f.included)
  const unseen = leftIn(included)
  const dangling = state?.preview?.dangling ?? []
  const linking = [...new Set(dangling.map((d) => d.path))]

  return (
    <Dialog
      title={`Approve ${branch}?`}
      icon="info"
      onClose={close}
      foot={
        <>
          <span className="grow" />
          <button type="button" className="btn" onClick={close}>
            Go on reviewing
          </button>
          {linking.length > 0 && (
            <button type="button" className="btn" onClick={() => void setIncluded(app, review, linking, false)}>
              {linking.length === 1 ? 'Leave both out' : `Leave out those ${linking.length} too`}
            </button>
          )}
          <button
            type="button"
            className="btn primary"
            aria-disabled={lost !== null}
            title={lost ?? undefined}
            onClick={() => lost === null && void approve(app, repoId, branch, bringMainIn)}
          >
            {bringMainIn ? 'Bring main in and approve' : 'Approve sleep merge'}
          </button>
        </>
      }
    >
      {unseen > 0 ? (
        <>
          <p>
            <strong>
              {unseen.toLocaleString('en-US')} of {count(included.length, 'file')}
            </strong>{' '}
            that would land {unseen === 1 ? 'was' : 'were'} not viewed.
          </p>
          <ul className="counted">
            {groupsOf(included.filter((f) => f.viewed !== 'yes')).map((group) => (
              <li key={group.kind}>
                <span>{group.name}</span>
                <span className="dim">{group.files.length.toLocaleString('en-US')}</span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>Every file that would land was viewed.</p>
      )}
      {dangling.length > 0 && (
        <>
          <p>
            <strong>{count(dangling.length, 'link')} would point nowhere</strong>, since what{' '}
            {dangling.length === 1 ? 'it points' : 'they point'} at is left out:
          </p>
          <ul className="links">
            {dangling.slice(0, LISTED).map((d) => (
              <li key={`${d.path} ${d.target}`}>
                <code>{d.path}</code> <span aria-hidden="true">→</span>
                <span className="vh"> to </span> <code>{d.target}</code>
              </li>
            ))}
            {dangling.length > LISTED && <li className="dim">and {dangling.length - LISTED} more</li>}
          </ul>
        </>
      )}
      <p className="dim">Undo brings everything back.</p>
    </Dialog>
  )
}
