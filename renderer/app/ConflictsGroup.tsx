import { useEffect } from 'react'
import { preloadMergeEditors } from '../editor/merge/load.ts'
import { refreshConflicts } from '../state/conflicts.ts'
import { useApp, useMirror, useSession } from '../state/react.ts'
import { hashOf } from '../state/route.ts'
import { Icon } from '../ui/Icon.tsx'
import { type ConflictRow, conflictRows } from './conflictItems.ts'

/** The sidebar's group `Conflicts`: what git stopped in, with its files. */
export function ConflictRows({ repoId }: { readonly repoId: string }) {
  const app = useApp()
  const conflicts = useMirror((m) => m.conflicts[repoId])
  const here = useSession((s) => hashOf(s.route))
  const rows = conflictRows(repoId, conflicts?.list?.sets ?? [])
  const waits = rows.some((row) => row.kind === 'file' && !row.resolved)
  useEffect(() => {
    if (waits) preloadMergeEditors()
  }, [waits])
  return (
    <>
      {rows.length > 0 && (
        <ul>
          {rows.map((row) => (
            <li key={`${row.kind} ${row.id}`}>
              <Row row={row} current={hashOf(row.route) === here} />
            </li>
          ))}
        </ul>
      )}
      {rows.length === 0 && conflicts?.list && <p className="side-none">None</p>}
      {conflicts?.problem && (
        <p className="side-none stop">
          Not read: {conflicts.problem.message}{' '}
          <button type="button" className="link" onClick={() => void refreshConflicts(app, repoId)}>
            Try again
          </button>
        </p>
      )}
    </>
  )
}

function Row({ row, current }: { readonly row: ConflictRow; readonly current: boolean }) {
  return (
    <a
      className={`side-item inset-focus${row.kind === 'file' ? ' under' : ''}`}
      href={hashOf(row.route)}
      aria-current={current ? 'page' : undefined}
      aria-label={row.name}
      title={row.name}
    >
      <Icon
        name={row.resolved ? 'check' : row.kind === 'set' ? 'overlap' : 'open'}
        className={row.resolved ? 'ok' : 'wait'}
      />
      <span className="cut">{row.label}</span>
      <span className="num">{row.number}</span>
    </a>
  )
}
