import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { FileChange, Review } from '../../../shared/model/index.ts'
import { patchBranch } from '../../state/app.ts'
import { branchKey } from '../../state/mirror.ts'
import { useApp } from '../../state/react.ts'
import { hashOf } from '../../state/route.ts'
import type { BranchSession } from '../../state/session.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ChangeFilter, FilterField } from './ChangeFilter.tsx'
import { RowView } from './ChangeRow.tsx'
import { isEmpty } from './model/filter.ts'
import { type Group, leftIn, type Row, rowOfFile, rowsOf, shortNames } from './model/groups.ts'
import { placeOf, selectFile, tickAll } from './navigate.ts'

const ROW_HEIGHT = 28

interface Props {
  readonly review: Review
  /** Every file that could be listed; null while a commit's are read. */
  readonly all: readonly FileChange[] | null
  readonly groups: readonly Group[]
  readonly shown: number
  readonly session: BranchSession
  readonly current: string | null
}

/** The changes by kind. One stop of Tab; arrow keys move inside. Only the rows in sight are in the page. */
export function ChangeList({ review, all, groups, shown, session, current }: Props) {
  const app = useApp()
  const key = branchKey(review.repoId, review.run.branch)
  const rows = useMemo(() => rowsOf(groups, session.open), [groups, session.open])
  const names = useMemo(() => shortNames(all ?? []), [all])
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string | null>(null)
  const focusNext = useRef(false)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
  })

  const currentRow = current === null ? -1 : rowOfFile(rows, current)
  const activeRow = Math.max(0, active === null ? currentRow : rows.findIndex((r) => r.id === active))
  const activeId = rows[activeRow]?.id

  // A file that is chosen elsewhere is brought into sight, and gets the focus where the list has it.
  // Only a step to another file does that, not each new list.
  const step = `${current} ${session.jump}`
  const lastStep = useRef('')
  useEffect(() => {
    if (currentRow < 0 || lastStep.current === step) return
    lastStep.current = step
    virtual.scrollToIndex(currentRow, { align: 'auto' })
    setActive(rows[currentRow]?.id ?? null)
    if (scroller.current?.contains(document.activeElement)) focusNext.current = true
  }, [step, currentRow, rows, virtual])

  useLayoutEffect(() => {
    if (!focusNext.current || activeId === undefined) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(activeId)}"]`)
    if (!row) return
    focusNext.current = false
    row.focus({ preventScroll: true })
  })

  const moveTo = (index: number) => {
    const to = Math.max(0, Math.min(rows.length - 1, index))
    virtual.scrollToIndex(to, { align: 'auto' })
    setActive(rows[to]?.id ?? null)
    focusNext.current = true
  }
  const setOpen = (row: Row, open: boolean) => patchBranch(app, key, { open: { ...session.open, [row.id]: open } })
  const select = (path: string) => {
    const place = placeOf(app)
    if (place) selectFile(app, place, path)
  }

  const hrefOf = (path: string) => hashOf({ page: 'sleep', repoId: review.repoId, branch: review.run.branch, path })

  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[activeRow]
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const openable = row.type !== 'file'
    if (event.key === 'ArrowDown') moveTo(activeRow + 1)
    else if (event.key === 'ArrowUp') moveTo(activeRow - 1)
    else if (event.key === 'Home') moveTo(0)
    else if (event.key === 'End') moveTo(rows.length - 1)
    else if (event.key === 'PageDown') moveTo(activeRow + 12)
    else if (event.key === 'PageUp') moveTo(activeRow - 12)
    else if (event.key === 'ArrowRight' && openable) row.open ? moveTo(activeRow + 1) : setOpen(row, true)
    else if (event.key === 'ArrowLeft' && openable && row.open) setOpen(row, false)
    else if (event.key === 'ArrowLeft') moveTo(rows.findLastIndex((r, i) => i < activeRow && r.type !== 'file'))
    else return
    event.preventDefault()
  }

  const items = virtual.getVirtualItems()
  const byGroup = new Map<string, typeof items>()
  for (const item of items) {
    const row = rows[item.index]
    if (!row) continue
    const kind = row.type === 'kind' ? row.group.kind : row.kind
    byGroup.set(kind, [...(byGroup.get(kind) ?? []), item])
  }
  const flags = review.commits.some((c) => c.phase !== null)
  const filtered = !isEmpty(session.filter)

  return (
    <section className="kinds" aria-label="Changes">
      <div className="panel-head">
        <h2>Changes</h2>
        <FilterField session={session} branch={key} />
        <span className="small dim nowrap" aria-live="polite">
          {filtered
            ? `${shown.toLocaleString('en-US')} of ${(all?.length ?? 0).toLocaleString('en-US')}`
            : `${leftIn(review.files).toLocaleString('en-US')} left`}
        </span>
        <button
          type="button"
          className={`btn s icon quiet${filtered ? ' on' : ''}`}
          aria-label="More filters"
          aria-expanded={session.filtering}
          title="Filter by kind, phase and viewed"
          onClick={() => patchBranch(app, key, { filtering: !session.filtering })}
        >
          <Icon name="filter" />
        </button>
      </div>
      {session.filtering && <ChangeFilter files={all ?? []} session={session} branch={key} />}
      <div className="list" ref={scroller} data-list="changes">
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {groups.map((group) => {
            const inSight = byGroup.get(group.kind)
            if (!inSight) return null
            return (
              <fieldset key={group.kind} aria-label={group.name}>
                {inSight.map((item) => {
                  const row = rows[item.index]
                  if (!row) return null
                  return (
                    <div
                      key={item.key}
                      className="row-at"
                      style={{ height: ROW_HEIGHT, transform: `translateY(${item.start}px)` }}
                    >
                      <RowView
                        row={row}
                        name={names}
                        current={current}
                        tabIndex={row.id === activeId ? 0 : -1}
                        flags={flags}
                        hrefOf={hrefOf}
                        onFocus={() => setActive(row.id)}
                        onKeyDown={onKeyDown}
                        onToggle={(open) => setOpen(row, open)}
                        onSelect={select}
                        onTickAll={session.commit === null ? (files) => void tickAll(app, review, files) : null}
                      />
                    </div>
                  )
                })}
              </fieldset>
            )
          })}
        </div>
        {all === null && <p className="side-none">Reading the commit.</p>}
        {all !== null && shown === 0 && (
          <p className="none-here">{filtered ? 'No file passes the filter.' : 'No file changed.'}</p>
        )}
      </div>
      <p className="hint">
        {review.files.some((f) => f.alsoOnTrunk) ? (
          <span>
            <Icon name="overlap" className="wait" />
            also changed on {review.trunk.branch}
          </span>
        ) : (
          <>
            <span>
              <kbd>v</kbd> viewed and next
            </span>
            <span>
              <kbd>[</kbd> <kbd>]</kbd> file
            </span>
          </>
        )}
      </p>
    </section>
  )
}
