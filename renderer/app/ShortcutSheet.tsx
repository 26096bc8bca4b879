import { openOverlay } from '../state/app.ts'
import { useApp } from '../state/react.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Keys } from '../ui/Keys.tsx'
import type { Command } from './command.ts'
import { commands } from './commands.ts'

const GROUPS: readonly Command['group'][] = ['Review', 'Conflicts', 'Branch', 'Daybreak']

/** Every shortcut there is, from the command table. */
export function ShortcutSheet() {
  const app = useApp()
  return (
    <Dialog
      title="Keyboard shortcuts"
      icon="help"
      wide
      scrolls
      onClose={() => openOverlay(app, null)}
      foot={<CloseButton />}
    >
      <p className="dim">Single letters act outside text fields. Inside an editor use F7 and Shift+F7.</p>
      <div className="sheet-groups">
        {GROUPS.map((group) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <dl className="shortcuts">
              {commands
                .filter((c) => c.group === group && c.keys)
                .map((c) => (
                  <div key={c.id}>
                    <dt>{c.label}</dt>
                    <dd>
                      {c.keys?.map((keys, i) => (
                        <span key={keys} className="row">
                          {i > 0 && <span className="dimmer small">or</span>}
                          <span className="vh">{keys}</span>
                          <Keys keys={keys} />
                        </span>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <section aria-label="Lists">
          <h3>Lists</h3>
          <dl className="shortcuts">
            <div>
              <dt>Move in the list of changes</dt>
              <dd>
                <kbd>↑</kbd> <kbd>↓</kbd> <kbd>Home</kbd> <kbd>End</kbd>
              </dd>
            </div>
            <div>
              <dt>Open or shut a group</dt>
              <dd>
                <kbd>→</kbd> <kbd>←</kbd>
              </dd>
            </div>
            <div>
              <dt>Show the file</dt>
              <dd>
                <kbd>Enter</kbd>
              </dd>
            </div>
          </dl>
        </section>
      </div>
    </Dialog>
  )
}

function CloseButton() {
  const app = useApp()
  return (
    <>
      <span className="grow" />
      <button type="button" className="btn" onClick={() => openOverlay(app, null)}>
        Close
      </button>
    </>
  )
}
