import { invariant } from '../../../shared/base/invariant.ts'
import type { ResultEdit, ResultLayout } from '../../../shared/merge/draft/index.ts'
import type { Draft, RegionRow } from '../../../shared/model/resolution.ts'
import { monaco } from '../monaco.ts'
import { type Origin, originsOf } from './anchors.ts'
import { asTextChange, edited, isStale, layoutEdits, lineEditsOf, sameLines, smallest } from './changes.ts'
import { createEditor, createModel, type Decorations, type Editor, type Looks, type Model } from './create.ts'
import { originDecorations, resultDecorations, stateOf } from './decorate.ts'
import type { Placeholders } from './placeholders.ts'
import { windowed } from './windowed.ts'

export const BAR_HEIGHT = 32

interface Zone {
  readonly id: string
  afterLineNumber: number
}

interface Events {
  readonly onEdit: (edit: ResultEdit, further: boolean) => void
  /** Where a bar stands now, in pixels from the editor's top; null while it is not seen. */
  readonly onBar: (conflict: number, top: number | null) => void
}

/**
 * The result: what is typed goes to the page as edits of whole lines, and the layouts that come back are shown with the
 * fewest edits. Nothing is done where a layout is what the editor has already, so that cursor and input method stay.
 */
export class Result {
  readonly editor: Editor
  private readonly decorations: Decorations
  /** Where conflicts lie, beside the scroll bar. */
  private readonly overview: Decorations
  private readonly events: Events
  private readonly draw: () => void
  private model: Model | null = null
  private placeholders: Placeholders | null = null
  private zones: Zone[] = []
  private regions: readonly RegionRow[] = []
  private origins: { readonly of: ResultLayout; readonly all: readonly Origin[] } | null = null
  private layout: ResultLayout | null = null
  private draft: Draft | null = null
  /** The lines that the editor has, and the edits whose layouts have not come back. */
  private lines: readonly string[] = []
  private pending: ResultEdit[] = []
  private applying = false

  constructor(host: HTMLElement, looks: Looks, events: Events) {
    this.events = events
    this.editor = createEditor(host, false, looks)
    this.decorations = this.editor.createDecorationsCollection()
    this.overview = this.editor.createDecorationsCollection()
    this.draw = windowed(this.editor, (from, to) => this.drawLines(from, to))
  }

  load(regions: readonly RegionRow[], layout: ResultLayout, draft: Draft, placeholders: Placeholders): void {
    this.regions = regions
    const old = this.model
    this.placeholders = placeholders
    this.layout = layout
    this.draft = draft
    this.lines = layout.lines
    this.pending = []
    this.zones = []
    this.model = createModel(placeholders.show(layout.lines.join('\n')))
    this.editor.setModel(this.model)
    old?.dispose()
    this.model.onDidChangeContent((event) => this.typed(event.changes))
    this.addZones(layout)
    this.draw()
    this.drawOverview()
  }

  /** Shows what the page made of the last act. */
  show(layout: ResultLayout, draft: Draft): void {
    const decided = draft.lines !== this.draft?.lines
    if (layout !== this.layout) {
      if (!sameLines(layout.lines, this.lines)) {
        if (isStale(layout.lines, this.lines, this.pending)) return
        this.apply(layout)
      }
      this.pending = []
      this.layout = layout
      this.placeZones(layout)
    } else if (draft === this.draft) return
    this.draft = draft
    this.draw()
    if (decided) this.drawOverview()
  }

  /** Height of the lines of a conflict and of its bar: top of the bar, and the end of the lines. */
  heightsOf(conflict: number): readonly [number, number] {
    const range = this.layout?.conflicts[conflict]
    if (range === undefined) return [0, 0]
    const line = this.editor.getOption(monaco.editor.EditorOption.lineHeight)
    const top = range.start * line + conflict * BAR_HEIGHT
    return [top, top + BAR_HEIGHT + (range.end - range.start) * line]
  }

  /** The conflict that holds a line (1-based), null outside all. */
  conflictAt(line: number): number | null {
    const slot = this.slotOf(line - 1)
    return slot % 2 === 1 ? slot >> 1 : null
  }

  dispose(): void {
    this.editor.dispose()
    this.model?.dispose()
  }

  private typed(changes: Parameters<Parameters<Model['onDidChangeContent']>[0]>[0]['changes']): void {
    const { model, placeholders } = this
    if (this.applying || model === null || placeholders === null) return
    const lineAt = (line: number) => placeholders.read(model.getLineContent(line + 1))
    // Lines of one slot may be told as one edit where the layout is that of the text before.
    const known = this.pending.length === 0
    const edits = lineEditsOf(changes, lineAt, (line, next) => known && this.slotOf(line) === this.slotOf(next))
    for (const [i, edit] of edits.entries()) {
      this.lines = edited(this.lines, edit)
      this.pending.push(edit)
      this.events.onEdit(edit, i > 0)
    }
  }

  /** The slot that a line (0-based) lies in: even ones are gaps, odd ones conflicts. */
  private slotOf(line: number): number {
    const conflicts = this.layout?.conflicts ?? []
    let low = 0
    let high = conflicts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((conflicts[middle]?.end ?? 0) <= line) low = middle + 1
      else high = middle
    }
    return (conflicts[low]?.start ?? Number.POSITIVE_INFINITY) <= line ? 2 * low + 1 : 2 * low
  }

  private apply(layout: ResultLayout): void {
    const { model, placeholders } = this
    if (model === null || placeholders === null || this.layout === null) return
    const whole = smallest(this.lines, layout.lines)
    const edits = sameLines(this.layout.lines, this.lines) ? layoutEdits(this.layout, layout) : whole ? [whole] : []
    const count = model.getLineCount()
    this.applying = true
    model.applyEdits(
      edits.map((edit) => {
        const change = asTextChange(edit, count, (line) => model.getLineLength(line + 1))
        return { range: change.range, text: placeholders.show(change.text), forceMoveMarkers: false }
      }),
    )
    this.applying = false
    this.lines = layout.lines
    invariant(model.getLineCount() === layout.lines.length, 'the result has other lines than its layout')
  }

  private addZones(layout: ResultLayout): void {
    this.editor.changeViewZones((accessor) => {
      for (const [i, { start }] of layout.conflicts.entries()) {
        const zone = {
          afterLineNumber: start,
          heightInPx: BAR_HEIGHT,
          domNode: document.createElement('div'),
          ordinal: i,
          onDomNodeTop: (top: number) => this.events.onBar(i, top < -BAR_HEIGHT ? null : top),
        }
        this.zones.push(Object.assign(zone, { id: accessor.addZone(zone) }))
      }
    })
  }

  private placeZones(layout: ResultLayout): void {
    const moved = this.zones.filter((zone, i) => {
      const start = layout.conflicts[i]?.start ?? 0
      if (zone.afterLineNumber === start) return false
      zone.afterLineNumber = start
      return true
    })
    if (moved.length === 0) return
    this.editor.changeViewZones((accessor) => {
      for (const zone of moved) accessor.layoutZone(zone.id)
    })
  }

  private drawOverview(): void {
    const { layout, draft } = this
    if (layout === null || draft === null) return
    const { OverviewRulerLane } = monaco.editor
    this.overview.set(
      layout.conflicts.map(({ start, end }, i) => ({
        range: new monaco.Range(start + 1, 1, Math.max(start + 1, end), 1),
        options: {
          overviewRuler: {
            color: { id: `editorOverviewRuler.${stateOf(draft, i) === 'open' ? 'warning' : 'info'}Foreground` },
            position: stateOf(draft, i) === 'open' ? OverviewRulerLane.Full : OverviewRulerLane.Right,
          },
        },
      })),
    )
  }

  private drawLines(from: number, to: number): void {
    const { layout, draft } = this
    if (layout === null || draft === null) return
    if (this.origins?.of !== layout) this.origins = { of: layout, all: originsOf(this.regions, layout, draft.edits) }
    const drawn = [...resultDecorations(layout, draft, from, to), ...originDecorations(this.origins.all, from, to)]
    this.decorations.set(
      drawn.map(({ line, endLine, column, endColumn, ...options }) => ({
        range: new monaco.Range(line, column ?? 1, endLine, endColumn ?? 1),
        options,
      })),
    )
  }
}
