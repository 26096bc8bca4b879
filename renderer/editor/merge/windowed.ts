import type { Editor } from './create.ts'

/** Lines around what is seen that are drawn as well, so that scrolling does not draw at every step. */
const AROUND = 200

/**
 * Calls `draw` with the lines (1-based, inclusive) that are seen and some around, whenever scrolling leaves those drawn
 * last. Returns what draws again at once.
 */
export function windowed(editor: Editor, draw: (from: number, to: number) => void): () => void {
  let from = 0
  let to = -1
  const seen = (): readonly [number, number] => {
    const ranges = editor.getVisibleRanges()
    return [ranges[0]?.startLineNumber ?? 1, ranges.at(-1)?.endLineNumber ?? 1]
  }
  const again = () => {
    const [first, last] = seen()
    from = Math.max(1, first - AROUND)
    to = last + AROUND
    draw(from, to)
  }
  const check = () => {
    const [first, last] = seen()
    if (first < from || last > to) again()
  }
  editor.onDidScrollChange(check)
  editor.onDidLayoutChange(check)
  return again
}
