import { monaco } from '../monaco.ts'
import type { Editor } from './create.ts'

/** Numbers of conflicts in an editor's margin. */
export class Numbers {
  private readonly editor: Editor
  private readonly shown = new Map<number, { line: number; remove: () => void; node: HTMLElement }>()

  constructor(editor: Editor) {
    this.editor = editor
  }

  /** Shows these and no others: conflict, 0-based, to its line, 1-based. */
  set(wanted: ReadonlyMap<number, number>, current: number): void {
    for (const [conflict, { line, remove }] of this.shown)
      if (wanted.get(conflict) !== line) {
        remove()
        this.shown.delete(conflict)
      }
    for (const [conflict, line] of wanted) {
      if (!this.shown.has(conflict)) this.add(conflict, line)
      this.shown.get(conflict)?.node.classList.toggle('merge-current', conflict === current)
    }
  }

  private add(conflict: number, line: number): void {
    const node = document.createElement('div')
    node.className = 'merge-number'
    node.textContent = String(conflict + 1)
    const widget: Parameters<Editor['addGlyphMarginWidget']>[0] = {
      getId: () => `conflict-${conflict}`,
      getDomNode: () => node,
      getPosition: () => ({
        lane: monaco.editor.GlyphMarginLane.Left,
        zIndex: 1,
        range: { startLineNumber: line, startColumn: 1, endLineNumber: line, endColumn: 1 },
      }),
    }
    this.editor.addGlyphMarginWidget(widget)
    this.shown.set(conflict, { line, node, remove: () => this.editor.removeGlyphMarginWidget(widget) })
  }
}
