import { count } from '../../../shared/errors/refusals.ts'
import type { LossReport } from '../../../shared/model/index.ts'
import { letGo, restoreLine } from '../../state/losses.ts'
import { useApp, useLost } from '../../state/react.ts'
import { showPath } from '../../ui/path.ts'
import { when } from '../../ui/time.ts'

interface Props {
  readonly repoId: string
  readonly reports: readonly LossReport[]
}

/** What agents lost when they answered their merge candidates: each line with the way back. */
export function LostLines({ repoId, reports }: Props) {
  return (
    <section className="panel lost-lines" aria-label="Lost lines">
      <div className="panel-head">
        <h2>Lost lines</h2>
        <span className="dim small">of either side, in what agents published after a merge</span>
      </div>
      {reports.map((report) => (
        <Report key={report.candidate} repoId={repoId} report={report} />
      ))}
    </section>
  )
}

function Report({ repoId, report }: { readonly repoId: string; readonly report: LossReport }) {
  const app = useApp()
  const lost = useLost()
  const path = showPath(report.path)
  const version = report.version === null ? 'a version that has left trunk' : `version ${report.version}`
  return (
    <fieldset aria-label={`${path}, ${count(report.lines.length, 'line')} lost`}>
      <div className="row lost-head">
        <strong className="cut" title={path}>
          {path}
        </strong>
        <span className="dim small nowrap">
          {version} by {report.by}, {when(report.at)}
        </span>
        <span className="grow" />
        {report.lines.length > 1 && (
          <button
            type="button"
            className="btn s"
            aria-disabled={lost !== null}
            onClick={() => void letGo(app, repoId, report, null)}
          >
            Let all go
          </button>
        )}
      </div>
      <ul>
        {report.lines.map((line) => {
          const who =
            line.side === 'ours'
              ? report.ours
              : line.side === 'theirs'
                ? report.theirs
                : `${report.ours} and ${report.theirs}`
          return (
            <li key={line.index} className="row">
              <code className={line.side} title={line.text}>
                {line.text === '' ? ' ' : line.text}
              </code>
              <span className="dim small nowrap">
                of {who}, line {line.line + 1}
              </span>
              <span className="grow" />
              <button
                type="button"
                className="btn s"
                aria-label={`Restore line: ${line.text}`}
                aria-disabled={lost !== null}
                onClick={() => void restoreLine(app, repoId, report, line.index)}
              >
                Restore line
              </button>
              <button
                type="button"
                className="btn s quiet"
                aria-label={`Let go: ${line.text}`}
                aria-disabled={lost !== null}
                onClick={() => void letGo(app, repoId, report, line.index)}
              >
                Let go
              </button>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
