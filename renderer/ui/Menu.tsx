import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'

export interface MenuItem {
  readonly id: string
  readonly label: ReactNode
  /** The accessible name where the label alone does not say it. */
  readonly name?: string
  readonly checked?: boolean
  readonly run: () => void
}

interface Props {
  readonly label?: string
  readonly className: string
  readonly children: ReactNode
  readonly items: readonly MenuItem[]
}

/** A button that opens a menu: arrow keys move, Home and End jump, Escape and Tab close, the focus goes back. */
export function Menu({ label, className, children, items }: Props) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const id = useId()

  useEffect(() => {
    if (!open) return
    root.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
    const away = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', away)
    return () => document.removeEventListener('pointerdown', away)
  }, [open])

  const close = () => {
    setOpen(false)
    root.current?.querySelector<HTMLElement>('button')?.focus()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...(root.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key]
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') return setOpen(false)
    else if (to !== undefined) all[to]?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="menu-root" ref={root}>
      <button
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={label}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {children}
      </button>
      {open && (
        <div className="menu" role="menu" id={id} aria-label={label} onKeyDown={onKeyDown} tabIndex={-1}>
          {items.map((item) => (
            <button
              type="button"
              key={item.id}
              {...(item.checked === undefined
                ? { role: 'menuitem' }
                : { role: 'menuitemradio', 'aria-checked': item.checked })}
              aria-label={item.name}
              tabIndex={-1}
              className="menu-item"
              onClick={() => {
                close()
                item.run()
              }}
            >
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
