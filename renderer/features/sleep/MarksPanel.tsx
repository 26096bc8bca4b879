import type { Mark, Review } from '../../../shared/model/index.ts'
import { Icon } from '../../ui/Icon.tsx'
import { markDetail, markText, sameMark } from './model/marks.ts'

interface Props {
  readonly review: Review
  /** Marks that stay out while what they are about is left out. */
  readonly held: readonly Mark[]
}

/** The ledger at the tip, in words. */
export function MarksPanel({ review, held }: Props) {
  const marks = review.ledger?.marks ?? []
  return (
    <section aria-label="Pending marks">
      <div className="panel-head">
        <h2>Pending marks</h2>
        <span className="dim">{marks.length}</span>
      </div>
      <ol className="log">
        {marks.map((mark) => {
          const isHeld = held.some((h) => sameMark(h, mark))
          return (
            <li key={JSON.stringify(mark)} title={markDetail(mark)} className="mark">
              {mark.kind === 'malformed' && <Icon name="warn" className="wait" />}
              <span className={`cut${isHeld ? ' held' : ''}`}>{markText(mark)}</span>
              {isHeld && <span className="when">held: left out</span>}
            </li>
          )
        })}
        <li className="dim mark">
          <span className="cut">
            {marks.length === 0 ? 'This run left no mark' : `Applied after ${review.trunk.branch} has moved`}
          </span>
        </li>
      </ol>
    </section>
  )
}
