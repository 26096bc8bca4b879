import { useApp, useMirror, useSession } from '../state/react.ts'
import { refreshInbox } from '../state/repositories.ts'
import { hashOf } from '../state/route.ts'
import { Icon } from '../ui/Icon.tsx'
import { when } from '../ui/time.ts'
import { CandidateRows } from './CandidatesGroup.tsx'
import { ConflictRows } from './ConflictsGroup.tsx'
import { conflictsWaiting } from './conflictItems.ts'
import { sidebarItems } from './sidebarItems.ts'

const SHAPES = { ok: 'ready', wait: 'needs', stop: 'cannot' } as const

/** The inbox: what waits, by kind, and the history. */
export function Sidebar({ repoId }: { readonly repoId: string }) {
  const app = useApp()
  const repo = useMirror((m) => m.repos[repoId])
  const sets = useMirror((m) => m.conflicts[repoId]?.list?.sets)
  const candidates = useMirror((m) => m.candidates[repoId])
  const route = useSession((s) => s.route)
  const inbox = repo?.inbox ?? null
  const items = inbox ? sidebarItems(inbox) : []
  return (
    <nav className="sidebar" aria-label="Inbox">
      <a
        className="side-title inset-focus"
        href={hashOf({ page: 'home', repoId })}
        aria-current={route.page === 'home' ? 'page' : undefined}
      >
        Inbox
      </a>
      <div className="side-scroll">
        <Group label="Sleep branches" total={inbox ? items.length : null}>
          {items.length > 0 && (
            <ul>
              {items.map((item) => (
                <li key={item.branch}>
                  <a
                    className="side-item inset-focus"
                    href={hashOf({ page: 'sleep', repoId, branch: item.branch })}
                    aria-current={route.page === 'sleep' && route.branch === item.branch ? 'page' : undefined}
                    aria-label={item.name}
                    title={item.hint}
                  >
                    <Icon name={SHAPES[item.tone]} className={item.tone} />
                    <span className="cut">{item.branch}</span>
                    <span className="num">{item.number}</span>
                  </a>
                </li>
              ))}
            </ul>
          )}
          {inbox && items.length === 0 && <p className="side-none">None waits</p>}
        </Group>
        <Group
          label="Merge candidates"
          total={candidates?.list ? candidates.list.length + candidates.losses.length : null}
        >
          <CandidateRows repoId={repoId} />
        </Group>
        <Group label="Conflicts" total={sets ? conflictsWaiting(sets) : null}>
          <ConflictRows repoId={repoId} />
        </Group>
        <fieldset className="side-group" aria-label="History">
          <a
            className="side-item inset-focus"
            href={hashOf({ page: 'history', repoId })}
            aria-current={route.page === 'history' ? 'page' : undefined}
          >
            <Icon name="history" className="dimmer" />
            <span className="cut">History</span>
          </a>
        </fieldset>
      </div>
      <div className="side-foot">
        {repo?.problem && (
          <div role="alert" className="stop">
            The inbox could not be read: {repo.problem.message}{' '}
            <button type="button" className="link" onClick={() => void refreshInbox(app, repoId)}>
              Try again
            </button>
          </div>
        )}
        {inbox?.lastRun && (
          <span className="row" title={`${inbox.lastRun.branch}, ${inbox.lastRun.status}`}>
            <Icon name="moon" className="dimmer" />
            <span className="cut">
              Last run {when(inbox.lastRun.at)} · {inbox.lastRun.status}
            </span>
          </span>
        )}
        {inbox && !inbox.lastRun && (
          <span className="row">
            <Icon name="moon" className="dimmer" />
            <span className="cut">No run of sleep yet</span>
          </span>
        )}
      </div>
    </nav>
  )
}

interface GroupProps {
  readonly label: string
  readonly total: number | null
  readonly children: React.ReactNode
}

function Group({ label, total, children }: GroupProps) {
  return (
    <fieldset className="side-group" aria-label={label}>
      <div className="side-label">
        {label}
        <span className="num">{total ?? ''}</span>
      </div>
      {children}
    </fieldset>
  )
}
