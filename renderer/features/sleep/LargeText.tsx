import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { FileReview } from '../../../shared/model/index.ts'
import { keyboardScrollable } from '../../ui/scrollable.ts'
import { contentTop, elementHeight, keyStep, scrollTop, TALLEST } from '../../ui/tallScroll.ts'
import { type Difference, differenceOf, type Lines, largeRows, linesOf, sliceOf } from './model/largeRows.ts'

const ROW = 20
const OVERSCAN = 20
/** Beside the text of a row: numbers and sign. */
const GUTTER = { side: 84, inline: 148 } as const
/** Columns are told apart in steps, so that not every pixel of a resize makes all rows anew. */
const COLUMN_STEP = 8

interface Props {
  readonly file: FileReview
  readonly inline: boolean
  readonly at: number
  readonly jump: number
}

/** The width of one character of the code font inside an element, in pixels. */
function characterWidth(element: HTMLElement): number {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return 8
  context.font = getComputedStyle(element).font
  return context.measureText('0').width || 8
}

/** A large file by its changed lines, without highlighting and without a diff in the page: only rows in sight are made. */
export function LargeText({ file, inline, at, jump }: Props) {
  const oneSided = file.old === null || file.new === null
  const stacked = inline || oneSided
  const before = useMemo(() => linesOf(file.old?.text ?? null), [file.old])
  const after = useMemo(() => linesOf(file.new?.text ?? null), [file.new])
  const box = useRef<HTMLElement>(null)
  const [size, setSize] = useState({ height: 600, columns: 80 })
  const [top, setTop] = useState(0)

  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => {
      const width = stacked ? element.clientWidth - GUTTER.inline : element.clientWidth / 2 - GUTTER.side
      const fitting = Math.floor(width / characterWidth(element) / COLUMN_STEP) * COLUMN_STEP
      setSize({ height: element.clientHeight, columns: Math.max(COLUMN_STEP, fitting) })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [stacked])

  const { columns } = size
  const difference = useMemo(() => {
    const known = new Map<string, Difference>()
    return (o: number, n: number): Difference => {
      const key = `${o} ${n}`
      const found = known.get(key) ?? differenceOf(before, o, after, n)
      known.set(key, found)
      return found
    }
  }, [before, after])
  const rows = useMemo(() => {
    const hunks = file.raw.flatMap((c) => (c.part === 'lines' ? [c] : []))
    return largeRows(before, after, hunks, { inline: stacked, columns, difference })
  }, [before, after, file.raw, stacked, columns, difference])

  // The place in the rows is kept beside that of the scroll bar, of which one pixel may stand for many rows.
  const content = rows.length * ROW
  const placed = useRef(0)
  const goTo = useRef((_: number) => {})
  goTo.current = (wanted) => {
    const element = box.current
    if (!element) return
    const to = Math.min(Math.max(0, wanted), Math.max(0, content - element.clientHeight))
    setTop(to)
    element.scrollTop = scrollTop(to, content, element.clientHeight)
    placed.current = element.scrollTop
  }
  const now = useRef(top)
  now.current = top
  const tall = content > TALLEST
  useEffect(() => {
    const element = box.current
    if (!element || !tall) return
    const wheel = (event: WheelEvent) => {
      if (event.ctrlKey) return
      event.preventDefault()
      const unit = event.deltaMode === 1 ? ROW : event.deltaMode === 2 ? element.clientHeight : 1
      goTo.current(now.current + event.deltaY * unit)
    }
    element.addEventListener('wheel', wheel, { passive: false })
    return () => element.removeEventListener('wheel', wheel)
  }, [tall])

  const start = rows.starts[at]
  const lastStep = useRef('')
  useEffect(() => {
    const step = `${jump} ${start}`
    if (start === undefined || lastStep.current === step) return
    lastStep.current = step
    goTo.current(Math.max(0, (start - 4) * ROW))
  }, [start, jump])

  const side = (lines: Lines, line: number, chunk: number, differs: Difference | null, which: 'old' | 'new') => {
    const from = chunk * columns
    const to = from + columns
    if (differs === null) return sliceOf(lines, line, from, to)
    const end = which === 'old' ? differs.oldTo : differs.newTo
    const [a, b] = [Math.min(Math.max(differs.from, from), to), Math.min(Math.max(end, from), to)]
    const word = sliceOf(lines, line, a, b)
    return (
      <>
        {sliceOf(lines, line, from, a)}
        {word !== '' && (which === 'old' ? <del>{word}</del> : <ins>{word}</ins>)}
        {sliceOf(lines, line, b, to)}
      </>
    )
  }

  const rowAt = (i: number): ReactNode => {
    const { old: o, new: n, chunk, mate, changed } = rows.at(i)
    const number = (line: number) => (line < 0 || chunk > 0 ? '' : line + 1)
    if (stacked) {
      const differs = mate < 0 ? null : n < 0 ? difference(o, mate) : difference(mate, n)
      return (
        <div className={`ln${changed ? (n < 0 ? ' del' : ' add') : ''}`}>
          <span className="g">{number(o)}</span>
          <span className="g">{number(n)}</span>
          <span className="s">{changed ? (n < 0 ? '−' : '+') : ''}</span>
          <span className="c">
            {n < 0 ? side(before, o, chunk, differs, 'old') : side(after, n, chunk, differs, 'new')}
          </span>
        </div>
      )
    }
    const differs = changed && o >= 0 && n >= 0 ? difference(o, n) : null
    return (
      <div className="cols">
        <div className={`ln${o < 0 ? ' fill' : changed ? ' del' : ''}`}>
          <span className="g">{number(o)}</span>
          <span className="s">{changed && o >= 0 ? '−' : ''}</span>
          <span className="c">{o >= 0 && side(before, o, chunk, differs, 'old')}</span>
        </div>
        <div className={`ln${n < 0 ? ' fill' : changed ? ' add' : ''}`}>
          <span className="g">{number(n)}</span>
          <span className="s">{changed && n >= 0 ? '+' : ''}</span>
          <span className="c">{n >= 0 && side(after, n, chunk, differs, 'new')}</span>
        </div>
      </div>
    )
  }

  const first = Math.max(0, Math.floor(top / ROW) - OVERSCAN)
  const last = Math.min(rows.length, Math.ceil((top + size.height) / ROW) + OVERSCAN)
  const seen: ReactNode[] = []
  const shift = scrollTop(top, content, size.height) - top
  for (let i = first; i < last; i++)
    seen.push(
      <div key={i} className="large-row" style={{ transform: `translateY(${i * ROW + shift}px)` }}>
        {rowAt(i)}
      </div>,
    )
  return (
    <section
      ref={box}
      className="large editor-slot inset-focus"
      {...keyboardScrollable}
      aria-label={`Differences of ${file.file.path}`}
      onScroll={(event) => {
        const element = event.currentTarget
        if (Math.abs(element.scrollTop - placed.current) < 1) return
        placed.current = -1
        setTop(contentTop(element.scrollTop, content, element.clientHeight))
      }}
      onKeyDown={(event) => {
        const step = tall ? keyStep(event.key, event.shiftKey, ROW, size.height) : null
        if (step === null || event.ctrlKey || event.metaKey || event.altKey) return
        event.preventDefault()
        goTo.current(top + step)
      }}
    >
      <div style={{ height: elementHeight(content), position: 'relative' }}>{seen}</div>
    </section>
  )
}
