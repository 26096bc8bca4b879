import '../editor.css'
import './merge.css'
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { DraftModel, ResultEdit, ResultLayout } from '../../../shared/merge/draft/index.ts'
import type { Draft, MergeView } from '../../../shared/model/resolution.ts'
import { BarPlaces, Bars } from './Bars.tsx'
import { Editors, PANES, type PaneName, sameMerge } from './editors.ts'
import { Split, useSplit } from './Split.tsx'

export interface MergeEditorsProps {
  readonly view: MergeView
  readonly model: DraftModel
  readonly layout: ResultLayout
  readonly draft: Draft
  readonly path: string
  readonly names: { readonly ours: string; readonly base: string; readonly theirs: string }
  /** What stands above each editor, beside nothing else. */
  readonly heads: {
    readonly ours: ReactNode
    readonly base: ReactNode
    readonly theirs: ReactNode
    readonly result: ReactNode
  }
  /** The conflict that is current. */
  readonly current: number
  /** Rises with each step to `current` that the person asked for: it is scrolled to then. */
  readonly jump: number
  /** A line (0-based) of one of the texts that the person asked to see; `jump` rises with each asking. */
  readonly place?: { readonly side: PaneName; readonly line: number; readonly jump: number } | null
  readonly baseFolded: boolean
  readonly fontSize: number
  /**
   * A hand edit of the result, in its lines; `further`: of one act with the edit before. The layout that follows from it
   * must come back.
   */
  readonly onEdit: (edit: ResultEdit, further: boolean) => void
  /** The person went to a conflict by cursor or focus. */
  readonly onCurrent: (conflict: number) => void
  /** What stands in the bar above a conflict's lines in the result, 32 px high. */
  readonly bar: (conflict: number) => ReactNode
}

/** Ours, base and theirs level with each other above the result, which can be edited. State is the page's. */
export default function MergeEditors(props: MergeEditorsProps) {
  const { view, model, layout, draft, path, names, heads, current, jump, baseFolded, fontSize, bar } = props
  const root = useRef<HTMLElement>(null)
  const hosts = useRef<Partial<Record<PaneName, HTMLElement | null>>>({})
  const editors = useRef<Editors>(null)
  const latest = useRef(props)
  const revealed = useRef<{ view: MergeView; jump: number }>(null)
  const loaded = useRef<MergeView>(null)
  const [places] = useState(() => new BarPlaces())
  const [said, setSaid] = useState('')
  const split = useSplit(root)
  const { ours, theirs } = names
  const looks = useMemo(() => {
    const of = (label: string) => ({ label, fontSize })
    return { ours: of(`Ours: ${ours}`), base: of('Base'), theirs: of(`Theirs: ${theirs}`), result: of('Result') }
  }, [ours, theirs, fontSize])

  const looked = useRef(looks)
  useLayoutEffect(() => {
    if (looked.current !== looks) editors.current?.setLooks(looks)
    looked.current = looks
  }, [looks])

  useLayoutEffect(() => {
    latest.current = props
  })

  useLayoutEffect(() => {
    const { ours, base, theirs, result } = hosts.current
    if (!ours || !base || !theirs || !result) return
    const made = new Editors({ ours, base, theirs, result }, looked.current, {
      onEdit: (edit, further) => latest.current.onEdit(edit, further),
      onCurrent: (conflict) => {
        if (conflict !== latest.current.current) latest.current.onCurrent(conflict)
      },
      onBar: (conflict, top) => places.set(conflict, top),
      onLeave: (pane) => hosts.current[pane]?.focus(),
    })
    editors.current = made
    return () => {
      made.dispose()
      editors.current = null
      loaded.current = null
      revealed.current = null
    }
  }, [places])

  useLayoutEffect(() => {
    const now = editors.current
    if (now === null) return
    if (!sameMerge(loaded.current, view)) {
      loaded.current = view
      places.clear()
      now.load({ view, model, layout, draft }, path)
    } else now.show({ view, model, layout, draft })
  }, [view, model, layout, draft, path, places])

  useLayoutEffect(() => editors.current?.setCurrent(current), [current])

  useEffect(() => {
    const before = revealed.current
    const opened = !sameMerge(before?.view ?? null, view)
    if (!opened && before?.jump === jump) return
    revealed.current = { view, jump }
    editors.current?.reveal(current)
    if (!opened) places.focus(current)
  }, [jump, current, places, view])

  const { place = null } = props
  const placed = useRef(place?.jump ?? 0)
  useEffect(() => {
    if (place === null || placed.current === place.jump) return
    placed.current = place.jump
    editors.current?.revealLine(place.side, place.line)
  }, [place])

  const switchPane = (event: KeyboardEvent) => {
    if (event.key !== 'F6' || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    const panes = PANES.filter((pane) => pane !== 'base' || !baseFolded)
    const from = panes.findIndex((pane) => hosts.current[pane]?.parentElement?.contains(event.target as Node))
    const step = event.shiftKey ? (from < 0 ? 0 : -1) : 1
    const to = panes[(from + step + panes.length) % panes.length] ?? 'result'
    editors.current?.editorOf(to).focus()
    setSaid(looks[to].label)
  }

  const pane = (name: PaneName) => (
    <section
      className="merge-pane"
      key={name}
      data-pane={name}
      data-read-only={name === 'result' ? undefined : ''}
      hidden={name === 'base' && baseFolded}
    >
      <div className="merge-head">{heads[name]}</div>
      <div className="merge-body">
        <section
          className="merge-host"
          tabIndex={-1}
          aria-label={`Editor ${looks[name].label}`}
          ref={(node) => {
            hosts.current[name] = node
          }}
        />
        {name === 'result' ? (
          <Bars
            places={places}
            bar={bar}
            onWheel={(event) => editors.current?.wheel(event)}
            onCurrent={(conflict) => {
              if (conflict !== current) props.onCurrent(conflict)
            }}
          />
        ) : null}
      </div>
    </section>
  )

  return (
    <section
      className="merge"
      ref={root}
      style={split.style}
      aria-label={`Editors of ${path}`}
      onKeyDownCapture={switchPane}
    >
      <div className="merge-three">
        {pane('ours')}
        {pane('base')}
        {pane('theirs')}
      </div>
      <Split {...split} />
      {pane('result')}
      <span className="vh" role="status">
        {said}
      </span>
    </section>
  )
}
