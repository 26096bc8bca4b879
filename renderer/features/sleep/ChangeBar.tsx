import type { Change, FileReview, Review } from '../../../shared/model/index.ts'
import { useApp, useLost } from '../../state/react.ts'
import { setViewed } from '../../state/reviews.ts'
import { Check } from '../../ui/Check.tsx'
import { sizeText } from '../../ui/size.ts'
import { linesText } from './model/changes.ts'

interface Props {
  readonly review: Review
  readonly file: FileReview
  readonly changes: readonly Change[]
  readonly at: number
  readonly walking: boolean
}

/** Above raw lines: which change is current, where it is, and its own tick. */
export function ChangeBar({ review, file, changes, at, walking }: Props) {
  const app = useApp()
  const lost = useLost()
  const change = changes[at]
  const path = file.file.path
  const side = file.new ?? file.old
  return (
    <div className="change-head bar" aria-live="polite">
      {change ? (
        <>
          <h3>
            Change {at + 1} of {changes.length}
          </h3>
          <span className="cut">
            {change.part === 'lines' ? linesText(change) : change.part === 'whole' ? change.text : ''}
          </span>
        </>
      ) : (
        <h3>No line changed</h3>
      )}
      <span className="grow" />
      {file.large && (
        <span className="nowrap">large file: {sizeText(side?.size ?? 0)}, shown without highlighting</span>
      )}
      {change && !walking && (
        <Check
          name={`Viewed ${path}, change ${at + 1} of ${changes.length}`}
          checked={change.viewed}
          refused={lost}
          onChange={(viewed) => void setViewed(app, review, [{ path, keys: [change.key] }], viewed)}
        >
          Viewed
        </Check>
      )}
    </div>
  )
}
