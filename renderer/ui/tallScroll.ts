/**
 * Scrolling through content that is taller than an element can be: browsers cut elements at 16 to 33 million pixels. The
 * element then has a height that every browser can give it, and its scroll bar stands for the whole by proportion.
 */

/** Heights up to this one are as they are, in pixels. Below the least limit of today's browsers. */
export const TALLEST = 15_000_000

/** Height of the scrolled element for content of this height. */
export const elementHeight = (content: number): number => Math.min(content, TALLEST)

const range = (height: number, view: number) => Math.max(0, height - view)

/** How far down the content is, in pixels, where the element is scrolled to `top`. */
export function contentTop(top: number, content: number, view: number): number {
  if (content <= TALLEST) return top
  return Math.round((top / range(TALLEST, view)) * range(content, view))
}

/** Where the element has to be scrolled to, so that the content's `top` is in sight. */
export function scrollTop(top: number, content: number, view: number): number {
  if (content <= TALLEST) return top
  return (top / range(content, view)) * range(TALLEST, view)
}

/** How far a key moves, in pixels; null for keys that do not, and for those that lead to an end, which need no help. */
export function keyStep(key: string, shift: boolean, row: number, view: number): number | null {
  if (key === 'ArrowDown') return 2 * row
  if (key === 'ArrowUp') return -2 * row
  if (key === 'PageDown' || (key === ' ' && !shift)) return view - 2 * row
  if (key === 'PageUp' || (key === ' ' && shift)) return 2 * row - view
  return null
}
