import { type ReactNode, useId } from 'react'

interface Props {
  /** The accessible name; contains what is seen. */
  readonly name: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** Why it cannot be changed; stays focusable and says it. */
  readonly refused?: string | null
  readonly shortcut?: string
  readonly children: ReactNode
}

/** A checkbox with a visible label. */
export function Check({ name, checked, onChange, refused = null, shortcut, children }: Props) {
  const id = useId()
  return (
    <label className="check" title={refused ?? undefined}>
      <input
        type="checkbox"
        aria-label={name}
        aria-disabled={refused !== null}
        aria-describedby={refused === null ? undefined : id}
        aria-keyshortcuts={shortcut}
        checked={checked}
        onChange={(event) => {
          if (refused === null) onChange(event.target.checked)
        }}
      />
      <span aria-hidden="true">{children}</span>
      {refused !== null && (
        <span className="vh" id={id}>
          {refused}
        </span>
      )}
      {shortcut && (
        <span aria-hidden="true" className="key">
          {shortcut}
        </span>
      )}
    </label>
  )
}
