import { routeOfSet } from '../state/conflicts.ts'
import { useMirror, useSession } from '../state/react.ts'
import { hashOf, type Route } from '../state/route.ts'
import { Icon, type IconName } from '../ui/Icon.tsx'
import { showPath } from '../ui/path.ts'
import { candidateItems } from './candidateItems.ts'
import { conflictsWaiting } from './conflictItems.ts'
import { waitingIn } from './sidebarItems.ts'

/** The inbox as a rail of 48 px, for the page that needs the width. */
export function Rail({ repoId }: { readonly repoId: string }) {
  const inbox = useMirror((m) => m.repos[repoId]?.inbox ?? null)
  const sets = useMirror((m) => m.conflicts[repoId]?.list?.sets)
  const route = useSession((s) => s.route)
  const candidates = useMirror((m) => m.candidates[repoId]?.list)
  const branches = inbox ? waitingIn(inbox) : 0
  const conflicts = conflictsWaiting(sets ?? [])
  const shown = sets?.flatMap((set) => set.items).find((item) => route.page === 'conflict' && item.id === route.item)
  const [first] = sets ?? []
  const ofCandidate = route.page === 'conflict' && route.source.from === 'candidate'
  const open = ofCandidate ? candidates?.find((row) => row.item === route.item) : undefined
  const newest = candidateItems(repoId, candidates ?? [], new Date())[0]
  const toConflicts: Route =
    route.page === 'conflict' && !ofCandidate
      ? { page: 'conflict', repoId, source: route.source }
      : first
        ? routeOfSet(repoId, first)
        : { page: 'home', repoId }
  return (
    <nav className="sidebar rail-bar" aria-label="Inbox">
      <ul>
        <Item name="Inbox, Sleep branches" count={branches} icon="moon" route={{ page: 'home', repoId }} />
        <Item
          name="Merge candidates"
          count={candidates?.length ?? 0}
          icon="merge"
          route={newest?.route ?? { page: 'home', repoId }}
          about={open ? showPath(open.path) : null}
          current={ofCandidate}
        />
        <Item
          name="Conflicts"
          count={conflicts}
          icon="overlap"
          route={toConflicts}
          about={shown ? showPath(shown.path) : null}
          current={!ofCandidate}
        />
        <Item name="History" count={null} icon="history" route={{ page: 'history', repoId }} />
      </ul>
    </nav>
  )
}

interface ItemProps {
  readonly name: string
  readonly count: number | null
  readonly icon: IconName
  readonly route: Route
  readonly about?: string | null
  readonly current?: boolean
}

function Item({ name, count, icon, route, about = null, current = false }: ItemProps) {
  const label = `${name}${count === null ? '' : `, ${count} waiting`}${about === null ? '' : `: ${about}`}`
  return (
    <li>
      <a
        className="rail-item inset-focus"
        href={hashOf(route)}
        aria-label={label}
        title={label}
        aria-current={current ? 'page' : undefined}
      >
        <Icon name={icon} />
        {count !== null && count > 0 && (
          <span className="n" aria-hidden="true">
            {count > 99 ? '99+' : count}
          </span>
        )}
      </a>
    </li>
  )
}
