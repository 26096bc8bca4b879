import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { keyboardScrollable } from './scrollable.ts'

interface Props {
  readonly title: string
  readonly icon?: IconName
  readonly tone?: 'stop' | 'wait'
  /** `alertdialog` for failures, which are read out at once. */
  readonly role?: 'dialog' | 'alertdialog'
  readonly wide?: boolean
  /** Its text may be longer than the window and holds nothing that takes the focus. */
  readonly scrolls?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  readonly foot?: ReactNode
}

/** A modal dialog. The focus begins at `data-first`, else at the first control; the browser keeps it inside; Escape and a press beside it close it. */
export function Dialog({
  title,
  icon,
  tone,
  role = 'dialog',
  wide = false,
  scrolls = false,
  onClose,
  children,
  foot,
}: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()

  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    if (dialog && !dialog.open) dialog.showModal()
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])

  return (
    <dialog
      ref={ref}
      role={role}
      className={`dialog${wide ? ' wide' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        if (event.target === ref.current) onClose()
      }}
    >
      <div className="sheet">
        <div className="body" {...(scrolls ? keyboardScrollable : {})}>
          <span className={tone ?? 'dim'}>{icon && <Icon name={icon} />}</span>
          <div className="content">
            <h2 id={id}>{title}</h2>
            {children}
          </div>
        </div>
        {foot && <div className="foot">{foot}</div>}
      </div>
    </dialog>
  )
}
