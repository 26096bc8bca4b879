import { refreshCandidates } from '../state/candidateList.ts'
import { useApp, useMirror, useSession } from '../state/react.ts'
import { hashOf } from '../state/route.ts'
import { Icon } from '../ui/Icon.tsx'
import { candidateItems, lossItems } from './candidateItems.ts'

/** The sidebar's group `Merge candidates`: what agents could not publish. */
export function CandidateRows({ repoId }: { readonly repoId: string }) {
  const app = useApp()
  const candidates = useMirror((m) => m.candidates[repoId])
  const here = useSession((s) => hashOf(s.route))
  const items = [
    ...candidateItems(repoId, candidates?.list ?? [], new Date()),
    ...lossItems(repoId, candidates?.losses ?? []),
  ]
  return (
    <>
      {items.length > 0 && (
        <ul>
          {items.map((item) => (
            <li key={item.id}>
              <a
                className="side-item inset-focus"
                href={hashOf(item.route)}
                aria-current={item.route.page === 'conflict' && hashOf(item.route) === here ? 'page' : undefined}
                aria-label={item.name}
                title={item.name}
              >
                <Icon name={item.icon} className={item.tone} />
                <span className="cut">{item.label}</span>
                <span className="num">{item.number}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {items.length === 0 && candidates?.list && <p className="side-none">None</p>}
      {candidates?.problem && (
        <p className="side-none stop">
          Not read: {candidates.problem.message}{' '}
          <button type="button" className="link" onClick={() => void refreshCandidates(app, repoId)}>
            Try again
          </button>
        </p>
      )}
    </>
  )
}
