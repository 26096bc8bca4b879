import { type CSSProperties, type KeyboardEvent, type PointerEvent, type RefObject, useState } from 'react'

/** Share of the height, in percent, that the sides have over the result. */
const USUAL = 40
const LEAST = 15
const MOST = 85
const STEP = 5
const KEPT = 'daybreak.merge.split'

interface SplitState {
  readonly style: CSSProperties
  readonly share: number
  readonly set: (share: number) => void
  readonly root: RefObject<HTMLElement | null>
}

function kept(): number {
  try {
    const share = Number(localStorage.getItem(KEPT) ?? USUAL)
    return share >= LEAST && share <= MOST ? share : USUAL
  } catch {
    return USUAL
  }
}

/** How the height is shared, remembered on this machine. */
export function useSplit(root: RefObject<HTMLElement | null>): SplitState {
  const [share, show] = useState(kept)
  const set = (wanted: number) => {
    const now = Math.round(Math.min(MOST, Math.max(LEAST, wanted)) * 10) / 10
    show(now)
    try {
      localStorage.setItem(KEPT, String(now))
    } catch {
      // A browser without storage forgets it.
    }
  }
  return { share, set, root, style: { gridTemplateRows: `minmax(0, ${share}fr) 5px minmax(0, ${100 - share}fr)` } }
}

/** The line between the sides and the result, moved by mouse and by arrow keys; a double click puts it back. */
export function Split({ share, set, root }: SplitState) {
  const press = (event: KeyboardEvent) => {
    const to = { ArrowUp: share - STEP, ArrowDown: share + STEP, Home: LEAST, End: MOST, Enter: USUAL }[event.key]
    if (to === undefined) return
    event.preventDefault()
    set(to)
  }
  const drag = (event: PointerEvent) => {
    const box = root.current?.getBoundingClientRect()
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    set(((event.clientY - box.top) / box.height) * 100)
  }
  return (
    <hr
      className="merge-split"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label="Height of the sides"
      aria-valuenow={Math.round(share)}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      onKeyDown={press}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => set(USUAL)}
    />
  )
}
