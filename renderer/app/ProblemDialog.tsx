import { useState } from 'react'
import { openOverlay } from '../state/app.ts'
import type { Problem, Remedy } from '../state/overlay.ts'
import { detailsOf } from '../state/problem.ts'
import { useApp, useMirror } from '../state/react.ts'
import { Coded } from '../ui/Coded.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Icon } from '../ui/Icon.tsx'
import { commandOf } from './commands.ts'

/** A failure: what happened, to which path, what is unchanged, what helps. Its text can be selected and copied whole. */
export function ProblemDialog({ problem }: { readonly problem: Problem }) {
  const app = useApp()
  const info = useMirror((m) => m.info)
  const [copied, setCopied] = useState(false)
  const close = () => openOverlay(app, null)
  const about = info ? `Daybreak ${info.version}, git ${info.git ?? 'not found'}, ${info.platform}` : 'Daybreak'

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(detailsOf(problem, about))
      setCopied(true)
    } catch {
      setCopied(false)
    }
  }
  const run = (remedy: Remedy) => {
    close()
    const command = remedy.command === undefined ? undefined : commandOf(remedy.command)
    if (remedy.run) remedy.run()
    else command?.run(app)
  }

  return (
    <Dialog
      title={problem.title}
      icon="warn"
      tone="stop"
      role="alertdialog"
      wide={problem.remedies.length > 1}
      onClose={close}
      foot={
        <>
          <button type="button" className="btn quiet" onClick={() => void copy()}>
            <Icon name="copy" />
            {copied ? 'Copied' : 'Copy details'}
          </button>
          <code className="small dimmer cut">{problem.code}</code>
          <span className="grow" />
          <button
            type="button"
            className="btn"
            data-first={problem.remedies.length === 0 ? '' : undefined}
            onClick={close}
          >
            Close
          </button>
          {problem.remedies.map((remedy, i) => (
            <button
              type="button"
              key={remedy.label}
              data-first={i === problem.remedies.length - 1 ? '' : undefined}
              className={`btn${i === problem.remedies.length - 1 ? ' primary' : ''}`}
              onClick={() => run(remedy)}
            >
              {remedy.label}
            </button>
          ))}
        </>
      }
    >
      <div role="alert">
        <dl>
          <div>
            <dt>What happened</dt>
            <dd>
              <Coded text={problem.what} />
            </dd>
            {problem.paths.map((path) => (
              <dd key={path}>
                <code>{path}</code>
              </dd>
            ))}
          </div>
          {problem.unchanged.length > 0 && (
            <div>
              <dt>What is unchanged</dt>
              <dd>
                <ul className="same">
                  {problem.unchanged.map((line) => (
                    <li key={line}>
                      <Icon name="check" className="ok" />
                      <span>{line}</span>
                    </li>
                  ))}
                </ul>
              </dd>
            </div>
          )}
          {(problem.helps.length > 0 || problem.shell.length > 0) && (
            <div>
              <dt>What helps</dt>
              {problem.helps.map((line) => (
                <dd key={line}>
                  <Coded text={line} />
                </dd>
              ))}
              {problem.shell.map((line) => (
                <dd key={line}>
                  <code className="shell">{line}</code>
                </dd>
              ))}
            </div>
          )}
        </dl>
      </div>
    </Dialog>
  )
}
