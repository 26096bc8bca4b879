import { count } from '../../../shared/errors/refusals.ts'
import type { Review } from '../../../shared/model/index.ts'
import { Icon } from '../../ui/Icon.tsx'
import { when } from '../../ui/time.ts'

import { subjectWords } from './model/changes.ts'

const SHOWN = 6

const name = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** What was committed on main since the run began, and which of it touches the branch's files. */
export function OnMain({ review }: { readonly review: Review }) {
  const { onTrunk, trunk } = review
  if (onTrunk.length === 0) return null
  const sharing = onTrunk.filter((c) => c.shared.length > 0).length
  const shown = [...onTrunk].slice(0, SHOWN)
  return (
    <section aria-label={`On ${trunk.branch} since this run`} className="on-main">
      <div className="panel-head">
        <h2>On {trunk.branch} since this run</h2>
        <span className="dim">{onTrunk.length}</span>
        <span className="grow" />
        <span className="small dim nowrap">
          {sharing === 0
            ? 'none touches a file of this branch'
            : `${sharing} of ${onTrunk.length} touch files of this branch`}
        </span>
      </div>
      <ol className="log">
        {shown.map((c) => (
          <li key={c.oid}>
            <span className="sha">{c.oid.slice(0, 7)}</span>
            <span className="phase author cut">{c.author}</span>
            <span className="cut" title={c.subject}>
              {subjectWords(c.subject)}
            </span>
            {c.shared.length > 0 && (
              <span className="flag end" title={c.shared.join('\n')}>
                <Icon name="overlap" />
                {c.shared.length === 1 ? name(c.shared[0] ?? '') : count(c.shared.length, 'shared file')}
              </span>
            )}
            <span className="when">{when(c.at)}</span>
          </li>
        ))}
        {onTrunk.length > SHOWN && <li className="dim">and {onTrunk.length - SHOWN} more</li>}
      </ol>
    </section>
  )
}
