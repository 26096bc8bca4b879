import { useMemo, useState } from 'react'
import { count } from '../../../shared/errors/refusals.ts'
import type { ConflictItem, ConflictSet } from '../../../shared/model/index.ts'
import { itemLeft } from '../../app/conflictItems.ts'
import { openOverlay } from '../../state/app.ts'
import { nextItem, openItems } from '../../state/conflicts.ts'
import { useApp, useLost, useMirror, useResolver } from '../../state/react.ts'
import { pick, pickedOf } from '../../state/resolverPicks.ts'
import { previewBatch, proceed, reopen } from '../../state/resolverVerbs.ts'
import { hashOf } from '../../state/route.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ariaKeys } from '../../ui/Keys.tsx'
import { showPath } from '../../ui/path.ts'
import { filterItems, kindWords, type ListFilter, NO_FILTER } from './model/list.ts'
import { WhoLine, WhoMark } from './WhoLine.tsx'

interface Props {
  readonly repoId: string
  readonly set: ConflictSet
}

const STATE_WORDS = { all: 'All', open: 'Open', decided: 'Decided', resolved: 'Resolved' } as const

/** All files in conflict of one source, and going on with it or giving it up. */
export function Overview({ repoId, set }: Props) {
  const [filter, setFilter] = useState(NO_FILTER)
  const app = useApp()
  const picked = useResolver((r) => pickedOf(r, repoId, set))
  const shown = useMemo(() => filterItems(set.items, filter), [set.items, filter])
  const chosen = set.items.filter((item) => picked.has(item.id) && item.state !== 'resolved')
  const onPick = (ids: readonly string[], on: boolean) => pick(app, repoId, set, ids, on)
  return (
    <>
      <Head repoId={repoId} set={set} />
      <Reason repoId={repoId} set={set} />
      <ListBar
        repoId={repoId}
        set={set}
        filter={filter}
        onFilter={setFilter}
        chosen={chosen}
        all={shown.filter((item) => item.state !== 'resolved')}
        onPick={onPick}
      />
      <ul className="conflict-list" aria-label="Files in conflict">
        {shown.map((item) => (
          <Row
            key={item.id}
            repoId={repoId}
            set={set}
            item={item}
            picked={picked.has(item.id)}
            onPick={(on) => onPick([item.id], on)}
          />
        ))}
        {shown.length === 0 && <li className="panel-none">No file is like that.</li>}
      </ul>
    </>
  )
}

function Head({ repoId, set }: Props) {
  const app = useApp()
  const running = useMirror((m) => m.running[repoId] !== undefined)
  const left = openItems(set).length
  const lost = useLost()
  const { proceed: on, abort } = set
  const canGo = on.able && !running && lost === null
  const canAbort = abort.able && !running && lost === null
  const whyNot = lost ?? abort.why
  return (
    <header className="page-head">
      <div className="top">
        <h1 className="cut" title={set.title}>
          {set.title}
        </h1>
        <span className="grow" />
        <span className={`chip ${left === 0 ? 'ok' : 'wait'}`} role="status">
          <Icon name={left === 0 ? 'mine' : 'open'} />
          {left} of {count(set.items.length, 'file')} left
        </span>
        <span className="head-acts">
          <button
            type="button"
            className="btn danger"
            aria-label={named('Abort', abort.label)}
            aria-disabled={!canAbort}
            aria-describedby={canAbort ? undefined : 'why-not-abort'}
            title={whyNot ?? undefined}
            onClick={() => canAbort && openOverlay(app, { kind: 'abort-operation', repoId, source: set.source })}
          >
            {abort.label}
          </button>
          <button
            type="button"
            className="btn primary"
            aria-label={named('Continue', on.label)}
            aria-disabled={!canGo}
            aria-describedby={canGo ? undefined : lost === null ? 'reason' : 'why-not-abort'}
            aria-keyshortcuts={ariaKeys('Mod+Enter')}
            title={lost ?? on.why ?? undefined}
            onClick={() => canGo && void proceed(app, repoId, set)}
          >
            {on.label}
          </button>
        </span>
        {whyNot !== null && (
          <span className="vh" id="why-not-abort">
            {whyNot}
          </span>
        )}
      </div>
      <div className="row small dim">
        <WhoLine ours={set.ours} theirs={set.theirs} />
        {set.step && (
          <span className="nowrap">
            · step {set.step.at} of {set.step.of}
          </span>
        )}
        <span className="cut">· base is {set.baseLabel}</span>
      </div>
    </header>
  )
}

const named = (word: string, label: string): string =>
  label.toLowerCase().startsWith(word.toLowerCase()) ? label : `${word}: ${label}`

function Reason({ repoId, set }: Props) {
  const next = nextItem(set, null)
  const { able, why, label } = set.proceed
  return (
    <div className="reason">
      <Icon name={able ? 'check' : 'info'} className={able ? 'ok' : ''} />
      <p id="reason" aria-live="polite">
        {able
          ? `Every file is resolved. “${label}” goes on.`
          : [why, next ? null : 'Every file is resolved.'].filter(Boolean).join(' ')}
      </p>
      <span className="grow" />
      {next && (
        <a className="btn" href={hashOf({ page: 'conflict', repoId, source: set.source, item: next.id })}>
          Decide {showPath(next.path).split('/').at(-1)}
        </a>
      )}
    </div>
  )
}

interface BarProps extends Props {
  readonly filter: ListFilter
  readonly onFilter: (filter: ListFilter) => void
  readonly chosen: readonly ConflictItem[]
  readonly all: readonly ConflictItem[]
  readonly onPick: (ids: readonly string[], on: boolean) => void
}

function ListBar({ repoId, set, filter, onFilter, chosen, all, onPick }: BarProps) {
  const app = useApp()
  const lost = useLost()
  const can = chosen.length > 0 && lost === null
  const every = all.length > 0 && all.every((item) => chosen.includes(item))
  const batch = (take: 'ours' | 'theirs') => void previewBatch(app, repoId, set.source, chosen, take)
  const side = (take: 'ours' | 'theirs') => {
    const who = set[take]
    return (
      <button
        type="button"
        className="btn m"
        aria-disabled={!can}
        title={lost ?? `Take ${who.name}'s file whole, of each that is selected; shown before it is done`}
        aria-label={`All ${take}: ${who.name}`}
        onClick={() => can && batch(take)}
      >
        <WhoMark side={take} who={who} />
        <span className="cut">{who.name}</span>
      </button>
    )
  }
  return (
    <div className="toolbar" role="toolbar" aria-label="Files">
      <label className="check">
        <input
          type="checkbox"
          aria-label="Select all that are shown"
          checked={every}
          onChange={(event) =>
            onPick(
              all.map((item) => item.id),
              event.target.checked,
            )
          }
        />
        <span aria-hidden="true">{chosen.length === 0 ? 'Select all' : `${chosen.length} selected`}</span>
      </label>
      <span className="small dim nowrap">Take whole:</span>
      <div className="group-btns">
        {side('ours')}
        {side('theirs')}
      </div>
      <span className="grow" />
      <input
        type="search"
        className="field"
        aria-label="Filter by path"
        placeholder="Filter by path"
        value={filter.path}
        onChange={(event) => onFilter({ ...filter, path: event.target.value })}
      />
      <fieldset className="seg" aria-label="Filter by state">
        {(Object.keys(STATE_WORDS) as (keyof typeof STATE_WORDS)[]).map((state) => (
          <button
            key={state}
            type="button"
            aria-pressed={filter.state === state}
            onClick={() => onFilter({ ...filter, state })}
          >
            {STATE_WORDS[state]}
          </button>
        ))}
      </fieldset>
    </div>
  )
}

interface RowProps extends Props {
  readonly item: ConflictItem
  readonly picked: boolean
  readonly onPick: (on: boolean) => void
}

function Row({ repoId, set, item, picked, onPick }: RowProps) {
  const app = useApp()
  const lost = useLost()
  const path = showPath(item.path)
  const resolved = item.state === 'resolved'
  return (
    <li className={resolved ? 'seen' : ''}>
      <span className="check">
        <input
          type="checkbox"
          aria-label={`Select ${path}`}
          checked={picked && !resolved}
          aria-disabled={resolved}
          onChange={(event) => {
            if (!resolved) onPick(event.target.checked)
          }}
        />
      </span>
      <Icon
        name={resolved ? 'mine' : item.state === 'decided' ? 'check' : 'open'}
        className={resolved || item.state === 'decided' ? 'ok' : 'wait'}
      />
      <a
        className="two-lines"
        href={hashOf({ page: 'conflict', repoId, source: set.source, item: item.id })}
        aria-label={`${path}, ${kindWords(item.kind)}, ${itemLeft(item)}`}
      >
        <span className="row">
          <strong className="cut">{path}</strong>
          <span className="chip">{kindWords(item.kind)}</span>
          {item.rerere !== 'none' && (
            <span className="chip">
              <Icon name="rerere" />
              recorded resolution
            </span>
          )}
        </span>
        <span className="small dim cut">{item.sentence}</span>
      </a>
      <span className="small dim nowrap">{itemLeft(item)}</span>
      {resolved && set.source.from !== 'tool' && (
        <button
          type="button"
          className="btn s"
          aria-label={`Open again: ${path}`}
          aria-disabled={lost !== null}
          title={lost ?? undefined}
          onClick={() => lost === null && void reopen(app, repoId, set.source, item)}
        >
          Open again
        </button>
      )}
    </li>
  )
}
