import { Fragment, useEffect, useRef } from 'react'
import type { Change, FileReview, Review, Span } from '../../../shared/model/index.ts'
import { useApp, useLost } from '../../state/react.ts'
import { setViewed } from '../../state/reviews.ts'
import { Check } from '../../ui/Check.tsx'
import { changeName, type FieldValue, fieldValues } from './model/changes.ts'

interface Props {
  readonly review: Review
  readonly file: FileReview
  readonly change: number
  readonly jump: number
  readonly walking: boolean
}

const short = (oid: string | undefined) => oid?.slice(0, 7) ?? ''

/** A memory as text: claim, paragraphs and fields that changed, word by word, old beside new. */
export function MemoryText({ review, file, change, jump, walking }: Props) {
  const app = useApp()
  const lost = useLost()
  const { memory, title } = file
  const first = useRef(jump)
  const root = useRef<HTMLDivElement>(null)
  const both = file.old !== null && file.new !== null
  const path = file.file.path

  // Only a step that the person took moves the focus, not the first showing of the page.
  useEffect(() => {
    if (first.current === jump) return
    first.current = jump
    const section = root.current?.querySelector<HTMLElement>(`[data-change="${change}"]`)
    section?.scrollIntoView({ block: 'nearest' })
    // The list of changes keeps the focus where it has it: stepping through files with its keys goes on.
    if (!document.activeElement?.closest('[data-list]')) section?.focus({ preventScroll: true })
  }, [jump, change])

  return (
    <div className="memory" ref={root}>
      {both && (
        <div className="cols" aria-hidden="true">
          <div className="col-head">
            <span>{review.trunk.branch}</span>
            <code>{short(review.base ?? undefined)}</code>
          </div>
          <div className="col-head">
            <span className="cut">{review.run.branch}</span>
            <code>{short(review.tip)}</code>
          </div>
        </div>
      )}
      {title.before !== title.after && both && (
        <section className="change">
          <div className="change-head">
            <h3>Title</h3>
          </div>
          <Pair before={plain(title.before, 'delete')} after={plain(title.after, 'insert')} both />
        </section>
      )}
      {!both && <p className="memory-title">{title.after ?? title.before}</p>}
      {both && file.claim !== null && <p className="memory-claim">{file.claim}</p>}
      {memory.map((c, i) => (
        <section
          className={`change${i === change ? ' at' : ''}`}
          key={c.key}
          data-change={i}
          tabIndex={-1}
          aria-label={`${changeName(c)}, change ${i + 1} of ${memory.length}`}
        >
          <div className="change-head">
            <h3>{changeName(c)}</h3>
            <span>
              change {i + 1} of {memory.length}
            </span>
            <span className="grow" />
            {!walking && (
              <Check
                name={`Viewed ${path}, change ${i + 1} of ${memory.length}`}
                checked={c.viewed}
                refused={lost}
                onChange={(viewed) => void setViewed(app, review, [{ path, keys: [c.key] }], viewed)}
              >
                Viewed
              </Check>
            )}
          </div>
          <ChangeBody change={c} both={both} />
        </section>
      ))}
    </div>
  )
}

const plain = (text: string | null, op: 'delete' | 'insert'): Span[] => (text === null ? [] : [{ op, text }])

function ChangeBody({ change, both }: { readonly change: Change; readonly both: boolean }) {
  switch (change.part) {
    case 'claim':
      return <Pair before={change.before} after={change.after} both={both} />
    case 'body':
      return <Pair before={change.before} after={change.after} both={both} pre={change.block === 'pre'} />
    case 'fields':
      return (
        <dl className="fields">
          {change.fields.map((field) => {
            const values = fieldValues(field.before, field.after)
            return (
              <Fragment key={field.name}>
                <dt className="cut" title={field.name}>
                  {field.name}
                </dt>
                <dd>
                  {both ? (
                    <>
                      <Values values={values.before} />
                      <span className="arrow" role="img" aria-label="to">
                        →
                      </span>
                      <Values values={values.after} />
                    </>
                  ) : (
                    <span className="mono">{[...field.before, ...field.after].join(', ') || 'empty'}</span>
                  )}
                </dd>
              </Fragment>
            )
          })}
        </dl>
      )
    default:
      return <p className="whole">{change.part === 'whole' ? change.text : ''}</p>
  }
}

function Values({ values }: { readonly values: readonly FieldValue[] }) {
  if (values.length === 0) return <span className="dimmer">none</span>
  return values.map(({ text, op }) => {
    const shown = text === '' ? 'empty' : text
    if (op === 'removed')
      return (
        <del key={text} className="mono">
          {shown}
        </del>
      )
    if (op === 'added')
      return (
        <ins key={text} className="mono">
          {shown}
        </ins>
      )
    return (
      <span key={text} className="mono dim">
        {shown}
      </span>
    )
  })
}

interface PairProps {
  readonly before: readonly Span[]
  readonly after: readonly Span[]
  /** Whether the file is there on both sides; else one column is enough. */
  readonly both: boolean
  readonly pre?: boolean
}

function Pair({ before, after, both, pre = false }: PairProps) {
  const old = before.length > 0
  const now = after.length > 0
  const side = (spans: readonly Span[], which: 'old' | 'new') => (
    <p className={`text ${which}${pre ? ' pre' : ''}`}>
      <span className="vh">{which === 'old' ? 'Before: ' : 'After: '}</span>
      <Spans spans={spans} whole={which === 'old' ? !now : !old} />
    </p>
  )
  if (!both)
    return (
      <div>
        {old && side(before, 'old')}
        {now && side(after, 'new')}
      </div>
    )
  return (
    <div className="cols">
      {old ? side(before, 'old') : <p className="text none">not there before</p>}
      {now ? side(after, 'new') : <p className="text none">removed</p>}
    </div>
  )
}

/** Words; what came or went is marked by colour, underline or strike, and for screen readers by its element. */
function Spans({ spans, whole }: { readonly spans: readonly Span[]; readonly whole: boolean }) {
  let at = 0
  return spans.map((span) => {
    const key = at
    at += span.text.length + 1
    // A block that is new or gone as a whole says so by its sign; marking each word would only be loud.
    if (span.op === 'equal' || whole) return <span key={key}>{span.text}</span>
    return span.op === 'delete' ? <del key={key}>{span.text}</del> : <ins key={key}>{span.text}</ins>
  })
}
