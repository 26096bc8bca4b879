import { useEffect, useRef, useState } from 'react'
import { useApp, useLost, useOverlays } from '../state/react.ts'
import { Icon } from '../ui/Icon.tsx'

/** How long a toast stays: longer where it can be undone. The history keeps everything. */
const STAYS_MS = { undo: 30_000, plain: 8000 } as const

/** The toast: a status that says the numbers, with Undo where there is one. It stays while it is pointed at or focused. */
export function ToastRegion() {
  const app = useApp()
  const lost = useLost()
  const toast = useOverlays((o) => o.toast)
  const [held, setHeld] = useState(false)
  const ref = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!toast || held) return
    const ms = toast.undo || toast.act ? STAYS_MS.undo : STAYS_MS.plain
    const timer = setTimeout(() => app.overlays.setState((o) => (o.toast?.id === toast.id ? { toast: null } : o)), ms)
    return () => clearTimeout(timer)
  }, [app, toast, held])

  const dismiss = () => {
    setHeld(false)
    app.overlays.setState({ toast: null })
  }

  return (
    <div
      ref={ref}
      className="toast-region"
      role="status"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {toast && (
        <div className="toast" key={toast.id}>
          <Icon name={toast.tone === 'ok' ? 'check' : toast.tone === 'wait' ? 'warn' : 'info'} />
          <span className="words">{toast.text}</span>
          {toast.undo && (
            <button
              type="button"
              className="btn"
              aria-disabled={lost !== null}
              title={lost ?? undefined}
              onClick={() => {
                if (lost !== null) return
                const { undo } = toast
                dismiss()
                app.overlays.setState((o) => ({ undo: o.undo.filter((u) => u.undo !== undo) }))
                undo?.()
              }}
            >
              Undo
            </button>
          )}
          {toast.act && (
            <button
              type="button"
              className="btn"
              onClick={() => {
                const { act } = toast
                dismiss()
                act?.run()
              }}
            >
              {toast.act.label}
            </button>
          )}
          <button type="button" className="btn icon" aria-label="Dismiss" onClick={dismiss}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  )
}
