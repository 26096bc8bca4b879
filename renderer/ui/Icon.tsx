import type { ReactNode } from 'react'

/** Shapes on a 16 × 16 grid, drawn with the text's colour. */
const shapes = {
  ai: (
    <>
      <path fill="currentColor" stroke="none" d="M8 1.2 9.8 6.2 14.8 8 9.8 9.8 8 14.8 6.2 9.8 1.2 8 6.2 6.2z" />
    </>
  ),
  bot: (
    <>
      <rect x="2.75" y="5.25" width="10.5" height="8" rx="1.5" />
      <path d="M8 5.25v-2.5" />
      <circle fill="currentColor" stroke="none" cx="5.9" cy="9" r="1" />
      <circle fill="currentColor" stroke="none" cx="10.1" cy="9" r="1" />
    </>
  ),
  branch: (
    <>
      <circle cx="4.5" cy="3.5" r="1.75" />
      <circle cx="4.5" cy="12.5" r="1.75" />
      <circle cx="11.5" cy="5.5" r="1.75" />
      <path d="M4.5 5.25v5.5M11.5 7.25c0 2.5-3.5 2-6.2 3.7" />
    </>
  ),
  cannot: (
    <>
      <path d="m4 4 8 8M12 4l-8 8" strokeWidth="2" />
    </>
  ),
  check: (
    <>
      <path d="M3 8.5 6.5 12 13 4.5" />
    </>
  ),
  close: (
    <>
      <path d="m4 4 8 8M12 4l-8 8" />
    </>
  ),
  copy: (
    <>
      <rect x="5.25" y="5.25" width="8" height="8" rx="1" />
      <path d="M3 10.5V3.75A1 1 0 0 1 4 2.75h6.5" />
    </>
  ),
  dot: (
    <>
      <circle fill="currentColor" stroke="none" cx="8" cy="8" r="3" />
    </>
  ),
  down: (
    <>
      <path d="m4 6 4 4 4-4" />
    </>
  ),
  file: (
    <>
      <path d="M9 1.75H4.5a1 1 0 0 0-1 1v10.5a1 1 0 0 0 1 1h7a1 1 0 0 0 1-1V5.25z" />
      <path d="M9 1.75v3.5h3.5" />
    </>
  ),
  filter: (
    <>
      <path d="M2.5 4h11M4.5 8h7M6.5 12h3" />
    </>
  ),
  flag: (
    <>
      <path d="M3.75 14V2.5h8l-2 3 2 3h-8" />
    </>
  ),
  folder: (
    <>
      <path d="M1.75 12.25v-8.5h4l1.5 1.75h7v6.75z" />
    </>
  ),
  gear: (
    <>
      <circle cx="8" cy="8" r="2.25" />
      <path d="M8 1.75v2M8 12.25v2M1.75 8h2M12.25 8h2M3.6 3.6 5 5M11 11l1.4 1.4M3.6 12.4 5 11M11 5l1.4-1.4" />
    </>
  ),
  help: (
    <>
      <path d="M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9.1 8 10" />
      <circle fill="currentColor" stroke="none" cx="8" cy="12.6" r="1" />
    </>
  ),
  history: (
    <>
      <path d="M2.5 8a5.5 5.5 0 1 0 1.7-4" />
      <path d="M2.5 2v2.8h2.8M8 5v3.2l2 1.2" />
    </>
  ),
  info: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M8 7.5v3.25" />
      <circle fill="currentColor" stroke="none" cx="8" cy="5.1" r=".9" />
    </>
  ),
  left: (
    <>
      <path d="m10 4-4 4 4 4" />
    </>
  ),
  merge: (
    <>
      <circle cx="4" cy="3.5" r="1.75" />
      <circle cx="4" cy="12.5" r="1.75" />
      <circle cx="12" cy="8.5" r="1.75" />
      <path d="M4 5.25v5.5M4.2 5.4c.6 2 2.6 3 6 3.1" />
    </>
  ),
  mine: (
    <>
      <circle fill="currentColor" stroke="none" cx="8" cy="8" r="6" />
      <path d="m5.4 8.2 1.8 1.8 3.4-3.8" stroke="var(--bg-canvas)" />
    </>
  ),
  moon: (
    <>
      <path d="M13 9.6A5.5 5.5 0 1 1 6.4 3a4.4 4.4 0 0 0 6.6 6.6z" />
    </>
  ),
  more: (
    <>
      <circle fill="currentColor" stroke="none" cx="3" cy="8" r="1.3" />
      <circle fill="currentColor" stroke="none" cx="8" cy="8" r="1.3" />
      <circle fill="currentColor" stroke="none" cx="13" cy="8" r="1.3" />
    </>
  ),
  needs: (
    <>
      <circle cx="8" cy="8" r="4.75" />
      <path fill="currentColor" stroke="none" d="M8 3.25a4.75 4.75 0 0 0 0 9.5z" />
    </>
  ),
  open: (
    <>
      <path d="M8 2 14 8l-6 6-6-6z" />
    </>
  ),
  overlap: (
    <>
      <circle cx="6" cy="8" r="3.75" />
      <circle cx="10" cy="8" r="3.75" />
    </>
  ),
  person: (
    <>
      <circle cx="8" cy="5" r="2.75" />
      <path d="M2.75 13.75c.5-3 2.6-4.25 5.25-4.25s4.75 1.25 5.25 4.25" />
    </>
  ),
  pin: (
    <>
      <path d="M8 9.75v4M5.25 2.25h5.5M6.25 2.25v4l-2 3.5h7.5l-2-3.5v-4" />
    </>
  ),
  ready: (
    <>
      <circle fill="currentColor" stroke="none" cx="8" cy="8" r="5" />
    </>
  ),
  redo: (
    <>
      <path d="m10.5 3 2.75 2.75L10.5 8.5" />
      <path d="M13 5.75H7a3.75 3.75 0 0 0 0 7.5h3" />
    </>
  ),
  rerere: (
    <>
      <path d="M13 8a5 5 0 1 1-1.6-3.7" />
      <path d="M13.2 1.75v3h-3" />
    </>
  ),
  right: (
    <>
      <path d="m6 4 4 4-4 4" />
    </>
  ),
  rule: (
    <>
      <rect fill="currentColor" stroke="none" x="2.5" y="2.5" width="11" height="11" rx="1.5" />
      <path d="M5.2 6.3h5.6M5.2 9.7h5.6" stroke="var(--bg-canvas)" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4" />
      <path d="m10 10 3.5 3.5" />
    </>
  ),
  shield: (
    <>
      <path d="M8 1.75 13 3.5v4c0 3.3-2 5.6-5 6.75C5 13.1 3 10.8 3 7.5v-4z" />
      <path d="m5.8 7.8 1.6 1.6 2.9-3.1" />
    </>
  ),
  sun: (
    <>
      <path d="M3 11.5a5 5 0 0 1 10 0" />
      <path d="M1 11.5h14M4.5 14h7M8 2v2M2.8 5l1.3 1.2M13.2 5l-1.3 1.2" />
    </>
  ),
  swap: (
    <>
      <path d="M4.5 13V3.5M2 6l2.5-2.5L7 6M11.5 3v9.5M9 10l2.5 2.5L14 10" />
    </>
  ),
  theme: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path fill="currentColor" stroke="none" d="M8 2.75a5.25 5.25 0 0 1 0 10.5z" />
    </>
  ),
  undo: (
    <>
      <path d="M5.5 3 2.75 5.75 5.5 8.5" />
      <path d="M3 5.75h6a3.75 3.75 0 0 1 0 7.5H6" />
    </>
  ),
  up: (
    <>
      <path d="m4 10 4-4 4 4" />
    </>
  ),
  wand: (
    <>
      <path d="m3 13 7-7M11.5 1.75v2.5M14.25 4.5h-2.5M13.4 2.6l-1 1" />
    </>
  ),
  warn: (
    <>
      <path d="M8 2.25 14.5 13.5h-13z" />
      <path d="M8 6.5v3" />
      <circle fill="currentColor" stroke="none" cx="8" cy="11.4" r=".9" />
    </>
  ),
} satisfies Record<string, ReactNode>

export type IconName = keyof typeof shapes

interface Props {
  readonly name: IconName
  /** What it says; without it the icon is decoration. */
  readonly label?: string
  readonly className?: string
}

export function Icon({ name, label, className = '' }: Props) {
  if (label === undefined)
    return (
      <svg className={`i ${className}`} viewBox="0 0 16 16" aria-hidden="true">
        {shapes[name]}
      </svg>
    )
  return (
    <svg className={`i ${className}`} viewBox="0 0 16 16" role="img" aria-label={label}>
      <title>{label}</title>
      {shapes[name]}
    </svg>
  )
}
