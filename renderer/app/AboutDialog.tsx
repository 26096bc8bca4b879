import { openOverlay } from '../state/app.ts'
import { useApp, useMirror } from '../state/react.ts'
import { Dialog } from '../ui/Dialog.tsx'

/** Versions, for a report. */
export function AboutDialog() {
  const app = useApp()
  const info = useMirror((m) => m.info)
  const close = () => openOverlay(app, null)
  if (!info) return null
  const lines = [
    ['Daybreak', info.version],
    ['Host', info.host === 'electron' ? 'desktop app' : 'daybreak serve'],
    ['Node', info.node],
    ['git', info.git ?? 'not found'],
    ['Platform', info.platform],
  ] as const
  return (
    <Dialog
      title="About Daybreak"
      icon="sun"
      onClose={close}
      foot={
        <>
          <span className="grow" />
          <button
            type="button"
            className="btn"
            onClick={() => void navigator.clipboard.writeText(lines.map(([k, v]) => `${k} ${v}`).join('\n'))}
          >
            Copy versions
          </button>
          <button type="button" className="btn" onClick={close}>
            Close
          </button>
        </>
      }
    >
      <dl className="pairs">
        {lines.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
