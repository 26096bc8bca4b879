import type { FileChange, Review } from '../../../shared/model/index.ts'
import { useApp, useLost } from '../../state/react.ts'
import { setIncluded, setViewed } from '../../state/reviews.ts'
import { Check } from '../../ui/Check.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { showPath } from '../../ui/path.ts'
import { fromText } from './model/changes.ts'
import { type Alike, leftIn } from './model/groups.ts'
import { kindName } from './model/kinds.ts'

interface Props {
  readonly review: Review
  readonly file: FileChange
  /** Whether one commit is walked: ticks are for the whole run only. */
  readonly walking: boolean
  readonly alike: Alike | null
}

/** Path, kind, phases, and the two ticks. */
export function FileHead({ review, file, walking, alike }: Props) {
  const app = useApp()
  const lost = useLost()
  const slash = file.path.lastIndexOf('/') + 1
  const moved = fromText(file)
  const from = moved === null ? null : showPath(moved)
  return (
    <>
      <header className="file-head">
        <Icon name="file" className="dimmer" />
        <h2 title={showPath(file.path)}>
          {slash > 0 && <span className="dim folder-part">{showPath(file.path.slice(0, slash))}</span>}
          <strong className="cut">{showPath(file.path.slice(slash))}</strong>
        </h2>
        <span className="chip">{kindName(file.kind).toLowerCase()}</span>
        {file.phases.map((phase) => (
          <span key={phase} className="chip phase-chip">
            {phase}
          </span>
        ))}
        <span className="grow" />
        {!walking && (
          <span className="ticks">
            <Check
              name={`Viewed ${file.path}`}
              checked={file.viewed === 'yes'}
              refused={lost}
              shortcut="v"
              onChange={(viewed) => void setViewed(app, review, [{ path: file.path, keys: null }], viewed)}
            >
              Viewed
            </Check>
            <span className="sep" />
            <Check
              name={`Include ${file.path}`}
              checked={file.included}
              refused={file.cannotLeaveOut ? 'the store itself keeps this file' : lost}
              onChange={(included) => void setIncluded(app, review, [file.path], included)}
            >
              Include
            </Check>
          </span>
        )}
      </header>
      {(from || file.foreign || file.alsoOnTrunk || file.declinedBefore) && (
        <ul className="from-line small dim" aria-label="About this change">
          {from && (
            <li className="cut" title={from}>
              {from}
            </li>
          )}
          {file.foreign && (
            <li className="wait" title="A commit that no phase of the run made touched this file.">
              <Icon name="flag" />
              no phase made this
            </li>
          )}
          {file.alsoOnTrunk && (
            <li className="wait">
              <Icon name="overlap" />
              also changed on {review.trunk.branch}
            </li>
          )}
          {file.declinedBefore && <li>declined before: left out of an earlier night</li>}
        </ul>
      )}
      {alike && !walking && (
        <div className="alike-line">
          <p className="cut">
            One of <strong>{alike.files.length}</strong> that are alike: {alike.label}.{' '}
            <span className="dim">{leftIn(alike.files)} left to look at.</span>
          </p>
          <span className="grow" />
          <button
            type="button"
            className="btn s"
            aria-keyshortcuts="Shift+V"
            aria-disabled={leftIn(alike.files) === 0 || lost !== null}
            onClick={() => {
              const left = alike.files.filter((f) => f.viewed !== 'yes')
              if (left.length > 0)
                void setViewed(
                  app,
                  review,
                  left.map((f) => ({ path: f.path, keys: null })),
                  true,
                )
            }}
          >
            Viewed, all {alike.files.length}
          </button>
        </div>
      )}
    </>
  )
}
