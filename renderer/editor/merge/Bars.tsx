import { type ReactNode, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

const NONE: readonly number[] = []
const FOCUSABLE = 'button, [href], input, select, textarea, [tabindex]'

/**
 * Which bars are seen, and where. Monaco says so while it draws, before the frame is painted: those that stay are moved at
 * once, those that come are rendered before the same paint.
 */
export class BarPlaces {
  private readonly tops = new Map<number, number>()
  private readonly nodes = new Map<number, HTMLElement>()
  private readonly listeners = new Set<() => void>()
  private shown: readonly number[] = NONE
  private due = false
  private wanted: number | null = null

  set(conflict: number, top: number | null): void {
    const before = this.tops.get(conflict)
    if (top === null) {
      if (before === undefined) return
      const node = this.nodes.get(conflict)
      // A bar that has the focus stays, out of sight, so that the focus is not lost.
      if (node?.contains(document.activeElement)) this.move(node, -1000)
      else {
        this.tops.delete(conflict)
        this.changed()
      }
      return
    }
    this.tops.set(conflict, top)
    const node = this.nodes.get(conflict)
    if (node) this.move(node, top)
    if (before === undefined) this.changed()
  }

  clear(): void {
    this.tops.clear()
    this.wanted = null
    this.changed()
  }

  /** Puts the focus on a bar, also where it is still to come, if the focus is on another bar or nowhere. */
  focus(conflict: number): void {
    const { activeElement } = document
    const here = activeElement === null || activeElement === document.body
    if (!here && !activeElement?.closest('.merge-bar')) return
    const node = this.nodes.get(conflict)
    if (node && this.tops.has(conflict)) focusIn(node)
    else this.wanted = conflict
  }

  attach(conflict: number, node: HTMLElement): () => void {
    this.nodes.set(conflict, node)
    this.move(node, this.tops.get(conflict) ?? -1000)
    if (this.wanted === conflict) {
      this.wanted = null
      focusIn(node)
    }
    return () => {
      if (this.nodes.get(conflict) === node) this.nodes.delete(conflict)
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly snapshot = (): readonly number[] => this.shown

  private move(node: HTMLElement, top: number): void {
    node.style.transform = `translateY(${top}px)`
  }

  private changed(): void {
    if (this.due) return
    this.due = true
    queueMicrotask(() => {
      this.due = false
      this.shown = [...this.tops.keys()].sort((a, b) => a - b)
      flushSync(() => {
        for (const listener of this.listeners) listener()
      })
    })
  }
}

function focusIn(node: HTMLElement): void {
  const first = node.querySelector<HTMLElement>(FOCUSABLE) ?? node
  first.focus({ preventScroll: true })
}

interface Props {
  readonly places: BarPlaces
  readonly bar: (conflict: number) => ReactNode
  readonly onWheel: (event: WheelEvent) => void
  readonly onCurrent: (conflict: number) => void
}

/** The bars of the conflicts that are seen in the result, in order, over the space that the editor keeps free for them. */
export function Bars({ places, bar, onWheel, onCurrent }: Props) {
  const layer = useRef<HTMLDivElement>(null)
  const shown = useSyncExternalStore(places.subscribe, places.snapshot)
  const wheel = useRef(onWheel)
  useLayoutEffect(() => {
    wheel.current = onWheel
  })
  useEffect(() => {
    const node = layer.current
    const turn = (event: WheelEvent) => {
      // With Ctrl it is zoom.
      if (event.ctrlKey) return
      event.preventDefault()
      wheel.current(event)
    }
    node?.addEventListener('wheel', turn, { passive: false })
    return () => node?.removeEventListener('wheel', turn)
  }, [])
  return (
    <div className="merge-bars" ref={layer}>
      {shown.map((conflict) => (
        <Bar key={conflict} conflict={conflict} places={places} onCurrent={onCurrent}>
          {bar(conflict)}
        </Bar>
      ))}
    </div>
  )
}

interface BarProps {
  readonly conflict: number
  readonly places: BarPlaces
  readonly children: ReactNode
  readonly onCurrent: (conflict: number) => void
}

function Bar({ conflict, places, children, onCurrent }: BarProps) {
  const node = useRef<HTMLDivElement>(null)
  const focused = useRef(false)
  const keeping = useRef(false)
  const went = useRef(onCurrent)
  useLayoutEffect(() => {
    went.current = onCurrent
  })
  useLayoutEffect(() => {
    const bar = node.current
    if (bar === null) return
    const enter = () => {
      focused.current = true
      // Only a person goes to a conflict: a bar that keeps its focus leaves the current one as it is.
      if (!keeping.current) went.current(conflict)
    }
    // A removed element is blurred without going anywhere.
    const leave = (event: FocusEvent) => {
      if (event.relatedTarget !== null) focused.current = false
    }
    bar.addEventListener('focusin', enter)
    bar.addEventListener('focusout', leave)
    const detach = places.attach(conflict, bar)
    return () => {
      bar.removeEventListener('focusin', enter)
      bar.removeEventListener('focusout', leave)
      detach()
    }
  }, [conflict, places])
  useLayoutEffect(() => {
    // The button that was pressed may be gone with what it did; the bar keeps the focus.
    if (!focused.current || document.activeElement !== document.body || !node.current) return
    keeping.current = true
    focusIn(node.current)
    keeping.current = false
  })
  return (
    <div className="merge-bar" ref={node} tabIndex={-1}>
      {children}
    </div>
  )
}
