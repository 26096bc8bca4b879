import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { FileReview } from '../../../shared/model/index.ts'
import { keyboardScrollable } from '../../ui/scrollable.ts'
import { chunkOf, type Lines, largeRows, linesOf } from './model/largeRows.ts'

const ROW = 20
const OVERSCAN = 20

interface Props {
  readonly file: FileReview
  readonly inline: boolean
  readonly at: number
  readonly jump: number
}

/** A large file by its changed lines, without highlighting and without a diff in the page: only rows in sight are made. */
export function LargeText({ file, inline, at, jump }: Props) {
  const before = useMemo(() => linesOf(file.old?.text ?? null), [file.old])
  const after = useMemo(() => linesOf(file.new?.text ?? null), [file.new])
  const rows = useMemo(() => {
    const hunks = file.raw.flatMap((c) => (c.part === 'lines' ? [c] : []))
    return largeRows(before, after, hunks, inline || file.old === null || file.new === null)
  }, [before, after, file, inline])
  const box = useRef<HTMLElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(600)

  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const start = rows.starts[at]
  const lastJump = useRef(-1)
  useEffect(() => {
    if (start === undefined || lastJump.current === jump) return
    lastJump.current = jump
    box.current?.scrollTo({ top: Math.max(0, (start - 4) * ROW) })
  }, [start, jump])

  const first = Math.max(0, Math.floor(top / ROW) - OVERSCAN)
  const last = Math.min(rows.length, Math.ceil((top + height) / ROW) + OVERSCAN)
  const seen: ReactNode[] = []
  for (let i = first; i < last; i++) {
    const row = {
      o: rows.old[i] ?? -1,
      n: rows.new[i] ?? -1,
      chunk: rows.chunk[i] ?? 0,
      changed: rows.changed[i] === 1,
    }
    seen.push(
      <div key={i} className="large-row" style={{ transform: `translateY(${i * ROW}px)` }}>
        {inline ? (
          <InlineRow {...row} before={before} after={after} />
        ) : (
          <SideRow {...row} before={before} after={after} />
        )}
      </div>,
    )
  }
  return (
    <section
      ref={box}
      className="large editor-slot inset-focus"
      {...keyboardScrollable}
      aria-label={`Differences of ${file.file.path}`}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div style={{ height: rows.length * ROW, position: 'relative' }}>{seen}</div>
    </section>
  )
}

interface RowProps {
  readonly o: number
  readonly n: number
  readonly chunk: number
  readonly changed: boolean
  readonly before: Lines
  readonly after: Lines
}

const number = (line: number, chunk: number) => (line < 0 || chunk > 0 ? '' : line + 1)

function InlineRow({ o, n, chunk, changed, before, after }: RowProps) {
  const kind = changed ? (n < 0 ? ' del' : ' add') : ''
  return (
    <div className={`ln${kind}`}>
      <span className="g">{number(o, chunk)}</span>
      <span className="g">{number(n, chunk)}</span>
      <span className="s">{changed ? (n < 0 ? '−' : '+') : ''}</span>
      <span className="c">{n < 0 ? chunkOf(before, o, chunk) : chunkOf(after, n, chunk)}</span>
    </div>
  )
}

function SideRow({ o, n, chunk, changed, before, after }: RowProps) {
  return (
    <div className="cols">
      <div className={`ln${o < 0 ? ' fill' : changed ? ' del' : ''}`}>
        <span className="g">{number(o, chunk)}</span>
        <span className="s">{changed && o >= 0 ? '−' : ''}</span>
        <span className="c">{o < 0 ? '' : chunkOf(before, o, chunk)}</span>
      </div>
      <div className={`ln${n < 0 ? ' fill' : changed ? ' add' : ''}`}>
        <span className="g">{number(n, chunk)}</span>
        <span className="s">{changed && n >= 0 ? '+' : ''}</span>
        <span className="c">{n < 0 ? '' : chunkOf(after, n, chunk)}</span>
      </div>
    </div>
  )
}
