import type { Inbox, Repository, Theme } from '../../shared/model/index.ts'
import { openOverlay } from '../state/app.ts'
import { useApp, useMirror } from '../state/react.ts'
import { openRepository } from '../state/repositories.ts'
import { changeSettings } from '../state/start.ts'
import { Icon } from '../ui/Icon.tsx'
import { ariaKeys, Keys } from '../ui/Keys.tsx'
import { Menu } from '../ui/Menu.tsx'
import { RepositoryMenu } from './RepositoryMenu.tsx'
import { waitingIn } from './sidebarItems.ts'

const THEMES: readonly { readonly id: Theme; readonly label: string }[] = [
  { id: 'system', label: 'As the system' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
  { id: 'high-contrast', label: 'High contrast' },
]

interface Props {
  readonly repository: Repository | null
  readonly inbox: Inbox | null
}

/** Repository, branch and tree state; the other repository; palette, help and appearance. */
export function TitleBar({ repository, inbox }: Props) {
  const app = useApp()
  const theme = useMirror((m) => m.chosen?.theme ?? m.info?.settings.theme ?? 'system')
  return (
    <header className="titlebar">
      <div className="brand">
        <Icon name="sun" />
        <span>Daybreak</span>
      </div>
      {repository && <RepositoryMenu repository={repository} inbox={inbox} />}
      {repository && <OtherRepository current={repository.id} />}
      <span className="grow" />
      <button
        type="button"
        className="cmd"
        aria-label="Command palette"
        aria-keyshortcuts={ariaKeys('Mod+Shift+P')}
        onClick={() => openOverlay(app, { kind: 'palette' })}
      >
        <Icon name="search" />
        <span className="nowrap">Command palette</span>
        <span className="grow" />
        <Keys keys="Mod+Shift+P" />
      </button>
      <button
        type="button"
        className="ghost icon"
        aria-label="Keyboard shortcuts"
        aria-keyshortcuts="?"
        title="Keyboard shortcuts (?)"
        onClick={() => openOverlay(app, { kind: 'shortcuts' })}
      >
        <Icon name="help" />
      </button>
      <Menu
        label={`Appearance: ${THEMES.find((t) => t.id === theme)?.label.toLowerCase()}`}
        className="ghost icon"
        items={THEMES.map((t) => ({
          id: t.id,
          label: t.label,
          checked: t.id === theme,
          run: () => void changeSettings(app, { theme: t.id }),
        }))}
      >
        <Icon name="theme" />
      </Menu>
    </header>
  )
}

/** One more repository, one click away: one that is open, else the one opened before this. */
function OtherRepository({ current }: { readonly current: string }) {
  const app = useApp()
  const recent = useMirror((m) => m.recent)
  const repos = useMirror((m) => m.repos)
  const other = recent.find((r) => r.id !== current && !r.missing)
  if (!other) return null
  const inbox = repos[other.id]?.inbox
  const waiting = inbox ? `${waitingIn(inbox)} waiting` : null
  return (
    <>
      <span className="sep" />
      <button
        type="button"
        className="ghost other"
        aria-label={[other.name, waiting].filter(Boolean).join(', ')}
        title={other.path}
        onClick={() => void openRepository(app, other.path)}
      >
        <span className="dim cut">{other.name}</span>
        {waiting && <span className="num">{waiting}</span>}
      </button>
    </>
  )
}
