import type { DraftModel, ResultEdit, ResultLayout } from '../../../shared/merge/draft/index.ts'
import type { Draft, MergeView } from '../../../shared/model/resolution.ts'
import { languageOf } from '../language.ts'
import { monaco } from '../monaco.ts'
import { SIDES, type SideName } from './align.ts'
import { type Anchors, anchorsOf } from './anchors.ts'
import { type Editor, isLarge, type Looks, leaveUndoToPage, lineHeightOf } from './create.ts'
import { placeholdersFor } from './placeholders.ts'
import { BAR_HEIGHT, Result } from './result.ts'
import { Scrolling } from './scrolling.ts'
import { Sides } from './sides.ts'
import { Words } from './words.ts'

export type PaneName = SideName | 'result'
export const PANES: readonly PaneName[] = [...SIDES, 'result']

/** What the page shows: a merge and what was decided of it so far. */
export interface Shown {
  readonly view: MergeView
  readonly model: DraftModel
  readonly layout: ResultLayout
  readonly draft: Draft
}

export interface Events {
  readonly onEdit: (edit: ResultEdit, further: boolean) => void
  readonly onBar: (conflict: number, top: number | null) => void
  /** The person's cursor went into a conflict. */
  readonly onCurrent: (conflict: number) => void
  readonly onLeave: (pane: PaneName) => void
}

leaveUndoToPage()

/** Whether two views are of one merge, so that nothing has to be opened anew. */
export function sameMerge(a: MergeView | null, b: MergeView): boolean {
  if (a === b) return true
  if (a === null || a.base !== b.base || a.ours !== b.ours || a.theirs !== b.theirs) return false
  return (
    a.regions.length === b.regions.length &&
    a.regions.every((region, i) => region.every((value, k) => value === b.regions[i]?.[k]))
  )
}

/** The four editors of a merge, from their making to their end. */
export class Editors {
  private readonly sides: Sides
  private readonly result: Result
  private readonly scrolling: Scrolling
  private readonly events: Events
  private shown: Shown | null = null
  private anchors: Anchors | null = null
  private regionOf: number[] = []
  private words: Words | null = null

  constructor(
    hosts: Readonly<Record<PaneName, HTMLElement>>,
    looks: Readonly<Record<PaneName, Looks>>,
    events: Events,
  ) {
    this.events = events
    this.sides = new Sides(hosts, looks)
    this.result = new Result(hosts.result, looks.result, {
      onBar: events.onBar,
      onEdit: (edit, further) => {
        this.anchors = null
        events.onEdit(edit, further)
      },
    })
    this.scrolling = new Scrolling({
      sides: SIDES.map((side) => this.sides.panes[side].editor),
      result: this.result.editor,
      anchors: () => this.measured(),
    })
    for (const pane of PANES) this.follow(pane)
  }

  editorOf(pane: PaneName): Editor {
    return pane === 'result' ? this.result.editor : this.sides.panes[pane].editor
  }

  load(shown: Shown, path: string): void {
    const { view, layout, draft } = shown
    this.shown = shown
    this.anchors = null
    this.regionOf = view.regions.flatMap(([kind], i) => (kind === 'conflict' ? [i] : []))
    const texts = [view.ours, view.base, view.theirs]
    const offered = view.conflicts.flatMap(({ combined, recorded }) => [combined ?? '', recorded ?? ''])
    const placeholders = placeholdersFor([...texts, layout.lines.join('\n'), ...offered])
    const language = texts.some(isLarge) ? 'plaintext' : languageOf(path)
    this.words?.dispose()
    const words = new Words(shown.model, () => {
      if (this.words === words) this.sides.redraw()
    })
    this.words = words
    this.sides.setMarks(words.of)
    this.sides.load(view, placeholders)
    this.result.load(view.regions, layout, draft, placeholders)
    if (language !== 'plaintext') this.colourLater(language)
  }

  /** Syntax comes after the first paint: its grammar may still have to be loaded, and the text is there to be read. */
  private colourLater(language: string): void {
    const models = PANES.map((pane) => this.editorOf(pane).getModel())
    requestAnimationFrame(() =>
      setTimeout(() => {
        for (const model of models)
          if (model !== null && !model.isDisposed()) monaco.editor.setModelLanguage(model, language)
      }),
    )
  }

  show(shown: Shown): void {
    this.shown = shown
    this.anchors = null
    this.result.show(shown.layout, shown.draft)
  }

  setCurrent(conflict: number): void {
    this.sides.setCurrent(conflict)
  }

  /** Scrolls to a conflict; an editor that has the focus gets its cursor there. */
  reveal(conflict: number): void {
    const region = this.regionOf[conflict]
    if (region === undefined || this.shown === null) return
    const line = this.lineHeight()
    const [start, end] = this.sides.rowsOf(region)
    this.scrolling.reveal([start * line, end * line], this.result.heightsOf(conflict))
    const focused = PANES.find((pane) => this.editorOf(pane).hasTextFocus())
    if (focused === undefined) return
    const ranges = this.shown.model.conflicts[conflict]
    const at = focused === 'result' ? this.shown.layout.conflicts[conflict] : ranges?.[focused]
    this.editorOf(focused).setPosition({ lineNumber: (at?.start ?? 0) + 1, column: 1 }, 'jump')
  }

  /** Shows a line (0-based) of one text and puts the cursor there. */
  revealLine(pane: PaneName, line: number): void {
    const editor = this.editorOf(pane)
    const lineNumber = Math.min(line + 1, editor.getModel()?.getLineCount() ?? 1)
    editor.revealLineInCenter(lineNumber, monaco.editor.ScrollType.Immediate)
    editor.setPosition({ lineNumber, column: 1 }, 'jump')
    editor.focus()
  }

  setLooks(looks: Readonly<Record<PaneName, Looks>>): void {
    this.anchors = null
    for (const pane of PANES) {
      const { fontSize, label } = looks[pane]
      this.editorOf(pane).updateOptions({ fontSize, lineHeight: lineHeightOf(fontSize), ariaLabel: label })
    }
  }

  /** Scrolls the result as a wheel over a bar asks. */
  wheel(event: WheelEvent): void {
    const { editor } = this.result
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? this.lineHeight() : 1
    editor.setScrollTop(editor.getScrollTop() + event.deltaY * unit, 1)
  }

  dispose(): void {
    this.words?.dispose()
    this.words = null
    this.sides.dispose()
    this.result.dispose()
  }

  private lineHeight(): number {
    return this.result.editor.getOption(monaco.editor.EditorOption.lineHeight)
  }

  private measured(): Anchors {
    const { shown, sides } = this
    if (shown === null || sides.alignment === null) return { sides: new Float64Array(1), result: new Float64Array(1) }
    this.anchors ??= anchorsOf(
      shown.view.regions,
      sides.alignment.starts,
      sides.alignment.total,
      shown.layout,
      shown.draft.edits,
      { line: this.lineHeight(), bar: BAR_HEIGHT },
    )
    return this.anchors
  }

  private follow(pane: PaneName): void {
    const editor = this.editorOf(pane)
    editor.onDidChangeCursorPosition((event) => {
      // Only the person's own moves: not those of an edit, of a jump or of a text that is set.
      if (event.source === 'jump' || event.source === 'model' || !editor.hasTextFocus()) return
      const line = event.position.lineNumber
      const conflict = pane === 'result' ? this.result.conflictAt(line) : this.sides.conflictAt(pane, line)
      if (conflict !== null) this.events.onCurrent(conflict)
    })
    editor.addCommand(
      monaco.KeyCode.Escape,
      () => this.events.onLeave(pane),
      'editorTextFocus && !findWidgetVisible && !editorHasMultipleSelections && !suggestWidgetVisible',
    )
  }
}
