import { useState } from 'react'
import type { AuditRow, WarningRow } from '../../../shared/model/index.ts'
import { useApp } from '../../state/react.ts'
import { draftOf, isChecked, type OpenItem } from '../../state/resolver.ts'
import { dropLines, dropLost, goToLine, putBack, undrop } from '../../state/resolverActs.ts'
import { Icon } from '../../ui/Icon.tsx'
import {
  type Findings as AuditFindings,
  findingsOf,
  lostWords,
  placeWords,
  rowName,
  sideName,
} from './model/findings.ts'
import { WhoMark } from './WhoLine.tsx'

interface Props {
  readonly id: string
  readonly open: OpenItem
}

/** Rows that are made at once; more on demand. */
const MOST = 100
const NOTHING: AuditFindings = { lost: [], dropped: [], decided: [], other: [], open: 0, blank: 0 }

/** What the check found: lines that are lost, and what is clean but looks wrong. */
export function Findings({ id, open }: Props) {
  const check = open.check
  const pending = !isChecked(open)
  const found = check === null ? NOTHING : findingsOf(check.value.audit, check.draft)
  return (
    <div className={`audit${pending ? ' pending' : ''}`}>
      <LossAudit id={id} open={open} found={found} known={check !== null} />
      <Warnings
        id={id}
        open={open}
        warnings={check?.value.warnings ?? []}
        status={check === null ? '' : check.draft.lines.includes(null) ? 'once nothing is open' : null}
      />
    </div>
  )
}

function LossAudit({ id, open, found, known }: Props & { readonly found: AuditFindings; readonly known: boolean }) {
  const app = useApp()
  const [all, setAll] = useState(false)
  const rows = [...found.lost, ...found.dropped, ...found.other, ...found.decided]
  const shown = all ? rows : rows.slice(0, MOST)
  return (
    <section aria-label="Loss audit">
      <div className="panel-head">
        <h2>Loss audit</h2>
        <span className="small dim cut" role="status">
          {known ? lostWords(found, open.resolution) : ''}
        </span>
        <span className="grow" />
        {found.lost.length > 0 && (
          <button
            type="button"
            className="btn s"
            aria-keyshortcuts="d"
            title="The lines that are not in the result may go (d)"
            onClick={() => dropLost(app, id)}
          >
            Drop all on purpose
            <span className="kbd" aria-hidden="true">
              d
            </span>
          </button>
        )}
      </div>
      {shown.length > 0 && (
        <ul>
          {shown.map((row) => (
            <Row key={`${row.what} ${row.side} ${row.line} ${row.dropped}`} id={id} open={open} row={row} />
          ))}
          {rows.length > shown.length && (
            <li>
              <button type="button" className="btn s" onClick={() => setAll(true)}>
                Show all {rows.length} lines
              </button>
            </li>
          )}
        </ul>
      )}
    </section>
  )
}

function Row({ id, open, row }: Props & { readonly row: AuditRow }) {
  const app = useApp()
  const { ours, theirs } = open.resolution
  const gone = row.what === 'lost' || row.what === 'missing'
  const stale = draftOf(open) !== open.check?.draft
  const show = () => {
    const side = row.side === 'both' ? 'ours' : row.side
    goToLine(app, id, gone ? side : 'result', gone ? row.line : (row.resultLine ?? row.line), row.conflict)
  }
  return (
    <li className={gone && !row.needs ? 'given-up' : ''}>
      {(row.side === 'ours' || row.side === 'both') && <WhoMark side="ours" who={ours} />}
      {(row.side === 'theirs' || row.side === 'both') && <WhoMark side="theirs" who={theirs} />}
      <button type="button" className={`quote ${row.side}`} aria-label={rowName(row, open.resolution)} onClick={show}>
        <code>{row.text === '' ? ' ' : row.text}</code>
      </button>
      <span className="dim small nowrap">
        {gone ? placeWords(row) : row.what === 'moved' ? `moved, ${placeWords(row)}` : `twice, ${placeWords(row)}`}
      </span>
      {gone && !row.needs && !row.dropped && <span className="dim small nowrap">given up by your decision</span>}
      <span className="grow" />
      {gone && !row.dropped && (
        <>
          <button
            type="button"
            className="btn s"
            aria-disabled={row.resultLine === null || stale}
            onClick={() => {
              if (row.resultLine !== null && !stale) putBack(app, id, row)
            }}
          >
            Put back
          </button>
          <button type="button" className="btn s" onClick={() => dropLines(app, id, [row])}>
            Drop on purpose
          </button>
        </>
      )}
      {row.dropped && (
        <>
          <span className="dim small nowrap">dropped on purpose</span>
          <button type="button" className="btn s" onClick={() => undrop(app, id, row)}>
            Take back
          </button>
        </>
      )}
    </li>
  )
}

interface WarningsProps extends Props {
  readonly warnings: readonly WarningRow[]
  /** Why there are none yet; null where all are known. */
  readonly status: string | null
}

/** Lines of one warning that get a button; what was edited in one block can be many. */
const MOST_PLACES = 4

function Warnings({ id, open, warnings, status }: WarningsProps) {
  const app = useApp()
  return (
    <section aria-label="Warnings">
      <div className="panel-head">
        <h2>Warnings</h2>
        <span className="small dim cut" role="status">
          {status ?? (warnings.length === 0 ? 'none' : 'clean, but look')}
        </span>
      </div>
      {warnings.length > 0 && (
        <ul>
          {warnings.map((warning) => (
            <li key={`${warning.kind} ${warning.sentence}`}>
              <Icon name="warn" className="wait" />
              <span className="cut" title={warning.lines.map((one) => one.text).join('\n')}>
                {warning.sentence}
              </span>
              <span className="grow" />
              {warning.lines.slice(0, MOST_PLACES).map((one) => (
                <button
                  key={`${one.side} ${one.line}`}
                  type="button"
                  className="btn s"
                  aria-label={rowName(one, open.resolution)}
                  title={one.text}
                  onClick={() => goToLine(app, id, one.side, one.line, null)}
                >
                  {sideName(one.side, open.resolution)} {one.line + 1}
                </button>
              ))}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
