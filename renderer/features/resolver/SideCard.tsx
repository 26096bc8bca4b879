import { useMemo, useState } from 'react'
import type { ConflictSide, Who } from '../../../shared/model/index.ts'
import { showPath } from '../../ui/path.ts'
import { keyboardScrollable } from '../../ui/scrollable.ts'
import { sizeText } from '../../ui/size.ts'
import { deletedRows, type SideRows, sideRows } from './model/sideRows.ts'
import { WhoMark, whoFacts } from './WhoLine.tsx'

interface Props {
  readonly which: 'ours' | 'theirs'
  readonly who: Who
  /** Null where this side has nothing. */
  readonly side: ConflictSide | null
  readonly base: ConflictSide | null
}

/** What one side has, against base. */
export function SideCard({ which, who, side, base }: Props) {
  const [pixels, setPixels] = useState<string | null>(null)
  const rows = useMemo(() => rowsFor(side, base), [side, base])
  const name = `${which === 'ours' ? 'Ours' : 'Theirs'}: ${who.name}`
  const facts = [...whoFacts(who), who.oid?.slice(0, 7) ?? ''].filter((one) => one !== '').join(', ')
  const size = side === null ? null : [pixels, sizeText(side.size), modeWords(side, base)].filter(Boolean).join(', ')
  return (
    <section className="card" aria-label={name}>
      <div className="merge-head">
        <WhoMark side={which} who={who} />
        <h3 className="cut">{who.name}</h3>
        <span className="cut" title={facts}>
          {facts}
        </span>
        <span className="grow" />
        <span className="nowrap">{rows?.words ?? (side === null ? 'deleted' : size)}</span>
      </div>
      {side !== null && base !== null && side.path !== base.path && (
        <p className="card-path">
          {showPath(base.path)} → <strong>{showPath(side.path)}</strong>
        </p>
      )}
      {side?.image ? (
        <div className="picture">
          <img
            src={side.image}
            alt={`${name}, ${size}`}
            onLoad={(event) => {
              const { naturalWidth, naturalHeight } = event.currentTarget
              if (naturalWidth > 0) setPixels(`${naturalWidth} × ${naturalHeight} pixels`)
            }}
          />
        </div>
      ) : rows ? (
        <Rows rows={rows} gone={side === null} label={`Text of ${name}`} />
      ) : (
        <p className="whole">{wholeWords(side, base)}</p>
      )}
    </section>
  )
}

function rowsFor(side: ConflictSide | null, base: ConflictSide | null): SideRows | null {
  if (side === null) return base?.shows === 'text' && base.text !== null ? deletedRows(base.text) : null
  if (side.text === null || side.shows === 'submodule') return null
  const before = base !== null && base.shows === side.shows ? base.text : null
  return sideRows(before, side.text)
}

const TYPES: Readonly<Record<string, string>> = {
  '120000': 'symbolic link',
  '160000': 'submodule',
  '100755': 'executable',
}

function modeWords(side: ConflictSide, base: ConflictSide | null): string | null {
  const word = TYPES[side.mode] ?? null
  return word ?? (base !== null && base.mode !== side.mode ? 'not executable' : null)
}

function wholeWords(side: ConflictSide | null, base: ConflictSide | null): string {
  if (side === null) return base === null ? 'Nothing is here.' : `Deleted. It was ${sizeText(base.size)}.`
  switch (side.shows) {
    case 'submodule':
      return side.text ?? `The submodule at commit ${side.oid.slice(0, 7)}.`
    case 'text':
      return `A text of ${sizeText(side.size)}, too large to be shown here.`
    case 'image':
      return `An image of ${sizeText(side.size)}, which cannot be shown here.`
    default:
      return `Not text: ${sizeText(side.size)}.`
  }
}

function Rows({ rows, gone, label }: { readonly rows: SideRows; readonly gone: boolean; readonly label: string }) {
  return (
    <section className={`side-rows inset-focus${gone ? ' gone' : ''}`} {...keyboardScrollable} aria-label={label}>
      {rows.rows.map((row) => (
        <div key={row.key} className={`ln ${gone ? '' : row.kind === 'same' ? '' : row.kind}`}>
          <span className="g">{row.line ?? ''}</span>
          <span className="s">{gone ? '' : row.kind === 'add' ? '+' : row.kind === 'del' ? '−' : ''}</span>
          <span className="c">
            {row.spans.map((span, i) => {
              const key = `${i} ${span.op}`
              if (span.op === 'insert') return <ins key={key}>{span.text}</ins>
              if (span.op === 'delete') return <del key={key}>{span.text}</del>
              return gone ? <del key={key}>{span.text}</del> : <span key={key}>{span.text}</span>
            })}
          </span>
        </div>
      ))}
      {rows.cut > 0 && <p className="whole">{rows.cut.toLocaleString('en-US')} more lines are not shown here.</p>}
    </section>
  )
}
