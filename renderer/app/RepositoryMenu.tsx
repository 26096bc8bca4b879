import { count } from '../../shared/errors/refusals.ts'
import type { Inbox, Repository } from '../../shared/model/index.ts'
import { go } from '../state/app.ts'
import { useApp, useMirror } from '../state/react.ts'
import { openRepository, pickRepository } from '../state/repositories.ts'
import { Icon } from '../ui/Icon.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'

/** What HEAD is, in a word. */
export function headName(repository: Repository): string {
  const { head } = repository
  if (head.kind === 'detached') return `detached at ${head.oid.slice(0, 7)}`
  return head.kind === 'unborn' ? `${head.branch}, no commit yet` : head.branch
}

interface Props {
  readonly repository: Repository
  readonly inbox: Inbox | null
}

/** The repository that is shown, and the way to another. */
export function RepositoryMenu({ repository, inbox }: Props) {
  const app = useApp()
  const recent = useMirror((m) => m.recent)
  const items: MenuItem[] = [
    ...recent
      .filter((r) => !r.missing || r.id === repository.id)
      .map((r) => ({
        id: r.path,
        name: `${r.name}, ${r.path}`,
        label: (
          <>
            <strong>{r.name}</strong>
            <span className="dimmer small cut">{r.path}</span>
          </>
        ),
        checked: r.id === repository.id,
        run: () => void openRepository(app, r.path),
      })),
    { id: 'open', label: 'Open repository…', run: () => void pickRepository(app) },
    { id: 'landing', label: 'All repositories', run: () => go(app, { page: 'landing' }) },
  ]
  return (
    <Menu className="ghost repo" items={items}>
      <strong className="cut" title={repository.path}>
        {repository.name}
      </strong>
      <Icon name="branch" className="dimmer" />
      <span className="dim cut">{headName(repository)}</span>
      {repository.bare ? (
        <span className="dim">bare</span>
      ) : (
        inbox && (
          <span className={`row ${inbox.tree.clean ? 'ok' : 'wait'}`} style={{ gap: 4 }}>
            <Icon name={inbox.tree.clean ? 'check' : 'dot'} />
            <span>{inbox.tree.clean ? 'clean' : count(inbox.tree.total, 'local change')}</span>
          </span>
        )
      )}
      {repository.readOnly && <span className="dim">read-only</span>}
      <Icon name="down" className="dimmer" />
    </Menu>
  )
}
