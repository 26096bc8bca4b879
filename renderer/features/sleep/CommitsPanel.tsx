import type { Oid, Review, RunCommit } from '../../../shared/model/index.ts'
import { openOverlay, patchBranch } from '../../state/app.ts'
import { branchKey } from '../../state/mirror.ts'
import { useApp } from '../../state/react.ts'
import type { BranchSession } from '../../state/session.ts'
import { Icon } from '../../ui/Icon.tsx'
import { when } from '../../ui/time.ts'
import { countsText, subjectWords } from './model/changes.ts'
import { foreignWhy } from './model/kinds.ts'
import { walkTo } from './navigate.ts'

/** Commits that are listed before `Show all`. */
const FEW = 5

interface Props {
  readonly review: Review
  readonly session: BranchSession
  /** The commits that touched the file that is shown. */
  readonly touched: readonly Oid[]
}

/** The run's commits, newest first, with the phase that made each; a press walks to it. */
export function CommitsPanel({ review, session, touched }: Props) {
  const app = useApp()
  const { commits, reportPath } = review
  const shown = session.allCommits ? commits : commits.slice(0, FEW)
  const foreign = commits.filter((c) => c.foreign !== null).length
  return (
    <section aria-label="Commits">
      <div className="panel-head">
        <h2>Commits</h2>
        <span className="dim">{commits.length}</span>
        {foreign > 0 && (
          <span className="small wait nowrap">
            {foreign} {foreign === 1 ? 'is' : 'are'} of no phase
          </span>
        )}
        <span className="grow" />
        {commits.length > FEW && (
          <button
            type="button"
            className="btn quiet s"
            aria-expanded={session.allCommits}
            onClick={() =>
              patchBranch(app, branchKey(review.repoId, review.run.branch), { allCommits: !session.allCommits })
            }
          >
            {session.allCommits ? 'Show fewer' : `Show all ${commits.length}`}
          </button>
        )}
        {reportPath !== null && (
          <button
            type="button"
            className="btn quiet s"
            onClick={() => openOverlay(app, { kind: 'report', repoId: review.repoId, branch: review.run.branch })}
          >
            Run report
          </button>
        )}
      </div>
      <ol className="log">
        {shown.map((commit) => (
          <Commit
            key={commit.oid}
            commit={commit}
            walked={session.commit === commit.oid}
            touches={touched.includes(commit.oid)}
            onWalk={() => walkTo(app, session.commit === commit.oid ? null : commit.oid)}
          />
        ))}
      </ol>
    </section>
  )
}

interface CommitProps {
  readonly commit: RunCommit
  readonly walked: boolean
  readonly touches: boolean
  readonly onWalk: () => void
}

function Commit({ commit, walked, touches, onWalk }: CommitProps) {
  const title = [
    commit.subject,
    `${commit.author} <${commit.authorEmail}>`,
    countsText(commit.counts),
    `${commit.files} files`,
    commit.foreign ? `No phase made this: ${foreignWhy(commit.foreign)}.` : '',
  ]
  return (
    <li>
      <button
        type="button"
        className="log-row inset-focus"
        aria-pressed={walked}
        title={title.filter(Boolean).join('\n')}
        onClick={onWalk}
      >
        <span className={`sha${touches ? ' touches' : ''}`}>{commit.oid.slice(0, 7)}</span>
        {commit.foreign ? (
          <span className="flag">
            <Icon name="flag" />
            no phase made this
          </span>
        ) : (
          <span className="phase cut">{commit.phase ?? 'brings main in'}</span>
        )}
        <span className="cut">
          {commit.foreign ? `${commit.author}: ` : ''}
          {subjectWords(commit.subject)}
        </span>
        {touches && <span className="vh">, touches the file that is shown</span>}
        <span className="when">{when(commit.at)}</span>
      </button>
    </li>
  )
}
