import { type Anchors, mapped } from './anchors.ts'
import type { Editor } from './create.ts'

interface Locked {
  readonly sides: readonly Editor[]
  readonly result: Editor
  readonly anchors: () => Anchors
}

/**
 * Locks the scrolling of the sides to each other, and of the result to the sides by their anchors: what stands at the same
 * share of the two heights belongs together, so that both reach their start and their end at once.
 */
export class Scrolling {
  private readonly locked: Locked
  private busy = false
  /** How far the result stands from its place since the last jump, and where the sides stood then. */
  private apart = { by: 0, at: 0 }

  constructor(locked: Locked) {
    this.locked = locked
    for (const side of locked.sides)
      side.onDidScrollChange((event) => {
        if (!event.scrollTopChanged && !event.scrollLeftChanged) return
        this.once(() => {
          for (const other of locked.sides)
            if (other !== side) other.setScrollPosition({ scrollTop: event.scrollTop, scrollLeft: event.scrollLeft }, 1)
          if (event.scrollTopChanged) this.followSides(side)
        })
      })
    // A side that was folded away has lost its place.
    const [first, ...others] = locked.sides
    for (const side of others)
      side.onDidLayoutChange(() => this.once(() => side.setScrollTop(first?.getScrollTop() ?? 0, 1)))
    locked.result.onDidScrollChange((event) => {
      if (event.scrollTopChanged && !event.scrollHeightChanged) this.once(() => this.followResult())
    })
  }

  /** Brings a conflict into view in all: its top and end, in pixels, among the sides and in the result. */
  reveal(sides: readonly [number, number], result: readonly [number, number]): void {
    this.once(() => {
      for (const side of this.locked.sides) side.setScrollTop(placed(side, sides), 1)
      this.locked.result.setScrollTop(placed(this.locked.result, result), 1)
    })
    const [first] = this.locked.sides
    if (first === undefined) return
    this.apart = { by: this.locked.result.getScrollTop() - this.targetOf(first), at: first.getScrollTop() }
  }

  private once(act: () => void): void {
    if (this.busy) return
    this.busy = true
    act()
    this.busy = false
  }

  private targetOf(side: Editor): number {
    const { result, anchors } = this.locked
    const { sides, result: heights } = anchors()
    const share = shareOf(side)
    return mapped(sides, heights, side.getScrollTop() + share * heightOf(side)) - share * heightOf(result)
  }

  private followSides(side: Editor): void {
    const { by, at } = this.apart
    const left = Math.max(0, 1 - Math.abs(side.getScrollTop() - at) / Math.max(1, heightOf(side)))
    if (left === 0) this.apart = { by: 0, at: 0 }
    this.locked.result.setScrollTop(this.targetOf(side) + by * left, 1)
  }

  private followResult(): void {
    const { result, sides, anchors } = this.locked
    const [first] = sides
    if (first === undefined) return
    this.apart = { by: 0, at: 0 }
    const { sides: heights, result: own } = anchors()
    const share = shareOf(result)
    const top = mapped(own, heights, result.getScrollTop() + share * heightOf(result)) - share * heightOf(first)
    for (const side of sides) side.setScrollTop(top, 1)
  }
}

const heightOf = (editor: Editor): number => editor.getLayoutInfo().height

/** How far it is scrolled: 0 at the start, 1 at the end. */
function shareOf(editor: Editor): number {
  const room = editor.getScrollHeight() - heightOf(editor)
  return room <= 0 ? 0 : Math.min(1, editor.getScrollTop() / room)
}

/** The scroll position that shows what lies from `top` to `end`, a third of the room left above it. */
function placed(editor: Editor, [top, end]: readonly [number, number]): number {
  return top - Math.max(0, (heightOf(editor) - (end - top)) / 3)
}
