import './landing.css'
import { useEffect, useState } from 'react'
import { useApp, useMirror } from '../../state/react.ts'
import {
  forgetRecent,
  openRepository,
  openSample,
  pickRepository,
  pinRecent,
  refreshRecent,
} from '../../state/repositories.ts'
import { Icon } from '../../ui/Icon.tsx'
import { when } from '../../ui/time.ts'

/** The first page: open a folder, go on with a recent one, or try the sample. */
export function Landing() {
  const app = useApp()
  const recent = useMirror((m) => m.recent)
  const git = useMirror((m) => m.info?.git)
  // A browser says nothing of where a dropped folder is.
  const dropping = useMirror((m) =>
    m.info?.host === 'electron' ? 'Or drop a folder anywhere in this window.' : 'Or give its path.',
  )
  const [making, setMaking] = useState(false)
  // A folder may have gone since the list was read.
  useEffect(() => void refreshRecent(app), [app])

  const sample = async () => {
    setMaking(true)
    await openSample(app)
    setMaking(false)
  }

  return (
    <div className="landing">
      <header>
        <h1>Review what came in overnight</h1>
        <p className="dim">
          Daybreak reads a git repository on this machine. Opening one changes nothing in it, and nothing leaves this
          machine.
        </p>
      </header>
      {git === null && (
        <p className="note wait" role="alert">
          <Icon name="warn" /> No git was found on this machine. Install git 2.38 or newer, then reload.
        </p>
      )}
      <div className="landing-acts">
        <button type="button" className="btn primary" onClick={() => void pickRepository(app)}>
          <Icon name="folder" />
          Open repository…
        </button>
        <button type="button" className="btn" aria-disabled={making} onClick={() => !making && void sample()}>
          Try the sample repository
        </button>
        <p className="small dimmer">{making ? 'Making the sample repository.' : dropping}</p>
      </div>
      <section className="panel" aria-labelledby="recent">
        <div className="panel-head">
          <h2 id="recent">Recent repositories</h2>
        </div>
        {recent.length === 0 && <p className="panel-none">No repository was opened yet.</p>}
        <ul className="recent" aria-label="Recent repositories">
          {recent.map((r) => (
            <li key={r.path}>
              {r.missing ? (
                <div className="recent-open gone">
                  <Icon name="folder" className="dimmer" />
                  <span className="two-lines">
                    <strong className="cut">{r.name}</strong>
                    <span className="small cut" title={r.path}>
                      {r.path}
                    </span>
                  </span>
                  <span className="small wait nowrap">moved or deleted</span>
                </div>
              ) : (
                <button
                  type="button"
                  className="recent-open inset-focus"
                  onClick={() => void openRepository(app, r.path)}
                >
                  <Icon name="folder" className="dimmer" />
                  <span className="two-lines">
                    <strong className="cut">{r.name}</strong>
                    <span className="small dimmer cut" title={r.path}>
                      {r.path}
                    </span>
                  </span>
                  <span className="small dimmer nowrap">{when(r.openedAt)}</span>
                </button>
              )}
              {r.missing ? (
                <button
                  type="button"
                  className="btn s"
                  onClick={() => void pickRepository(app)}
                  aria-label={`Locate ${r.name}`}
                >
                  Locate…
                </button>
              ) : (
                <Pin path={r.path} name={r.name} pinned={r.pinned} />
              )}
              <button
                type="button"
                className="btn s icon quiet"
                aria-label={`Remove ${r.name} from the list`}
                title="Remove from the list"
                onClick={() => void forgetRecent(app, r.path)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

function Pin({ path, name, pinned }: { readonly path: string; readonly name: string; readonly pinned: boolean }) {
  const app = useApp()
  return (
    <button
      type="button"
      className={`btn s icon quiet${pinned ? ' on' : ''}`}
      aria-label={`Pin ${name}`}
      aria-pressed={pinned}
      title={pinned ? 'Pinned: stays at the top' : 'Pin to the top'}
      onClick={() => void pinRecent(app, path, !pinned)}
    >
      <Icon name="pin" />
    </button>
  )
}
