import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { openOverlay, showToast } from '../state/app.ts'
import { useApp } from '../state/react.ts'
import { Icon } from '../ui/Icon.tsx'
import { Keys } from '../ui/Keys.tsx'
import { type Found, findItems, paletteItems } from './paletteItems.ts'

/** Every command by name. What cannot be done now stays in the list with its reason. */
export function Palette() {
  const app = useApp()
  const [items] = useState(() => paletteItems(app))
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const found = findItems(items, typed)
  const current = Math.min(at, Math.max(0, found.length - 1))

  useEffect(() => {
    const before = document.activeElement
    const dialog = ref.current
    if (dialog && !dialog.open) dialog.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])

  useEffect(() => {
    document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' })
  }, [current, id])

  const close = () => openOverlay(app, null)
  const run = (hit: Found | undefined) => {
    if (!hit) return
    if (hit.item.refused !== null) return showToast(app, `${hit.item.label}: ${hit.item.refused}`, 'plain')
    close()
    // After the dialog is gone and has given the focus back, so that what the command focuses stays focused.
    requestAnimationFrame(hit.item.run)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (step !== undefined)
      setAt(
        Math.abs(step) === 1
          ? (current + step + found.length) % Math.max(1, found.length)
          : clamp(current + step, found.length),
      )
    else if (event.key === 'Enter') run(found[current])
    else return
    event.preventDefault()
  }

  return (
    <dialog
      ref={ref}
      className="palette"
      aria-label="Command palette"
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onPointerDown={(event) => {
        if (event.target === ref.current) close()
      }}
    >
      <div className="sheet">
        <div className="find">
          <Icon name="search" />
          <input
            type="text"
            role="combobox"
            aria-label="Command"
            aria-expanded="true"
            aria-controls={id}
            aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
            aria-autocomplete="list"
            placeholder="What do you want to do?"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setAt(0)
            }}
            onKeyDown={onKeyDown}
          />
          <span aria-hidden="true" className="key">
            Esc
          </span>
        </div>
        <div className="opts" role="listbox" id={id} aria-label="Commands">
          {found.map((hit, i) => (
            <Option
              key={hit.item.id}
              id={`${id}-${i}`}
              hit={hit}
              head={found[i - 1]?.item.group !== hit.item.group}
              selected={i === current}
              onHover={() => setAt(i)}
              onRun={() => run(hit)}
            />
          ))}
          {found.length === 0 && <p className="none">No command is called that.</p>}
        </div>
        <div className="foot" aria-hidden="true">
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> choose
          </span>
          <span>
            <kbd>Enter</kbd> run
          </span>
          <span className="grow" />
          <span>
            {found.length} of {items.length} commands
          </span>
        </div>
        <p className="vh" role="status">
          {found.length} commands
        </p>
      </div>
    </dialog>
  )
}

const clamp = (n: number, length: number) => Math.max(0, Math.min(length - 1, n))

interface OptionProps {
  readonly id: string
  readonly hit: Found
  readonly head: boolean
  readonly selected: boolean
  readonly onHover: () => void
  readonly onRun: () => void
}

function Option({ id, hit, head, selected, onHover, onRun }: OptionProps) {
  const { item, pieces } = hit
  return (
    <>
      {head && (
        <div className="grp-l" role="presentation">
          {item.group}
        </div>
      )}
      <div
        id={id}
        className="opt"
        role="option"
        tabIndex={-1}
        aria-selected={selected}
        aria-disabled={item.refused !== null}
        onPointerMove={onHover}
        onClick={onRun}
        onKeyDown={() => {}}
      >
        <Icon name={item.icon} />
        <span className="cut">
          {pieces.map((piece) =>
            piece.hit ? <mark key={piece.at}>{piece.text}</mark> : <span key={piece.at}>{piece.text}</span>,
          )}
        </span>
        {item.refused !== null ? (
          <span className="keys cut why-not">{item.refused}</span>
        ) : (
          item.keys && (
            <span className="keys">
              <Keys keys={item.keys} />
            </span>
          )
        )}
      </div>
    </>
  )
}
