import type { MergeView, RegionRow } from '../../../shared/model/resolution.ts'
import { monaco } from '../monaco.ts'
import { type Alignment, align, type Filler, rangeOf, SIDES, type SideName } from './align.ts'
import { createEditor, createModel, type Decorations, type Editor, type Looks, type Model } from './create.ts'
import { firstRegion, type Mark, sideDecorations } from './decorate.ts'
import { Numbers } from './numbers.ts'
import type { Placeholders } from './placeholders.ts'
import { windowed } from './windowed.ts'

/** With more fillers in a text than this, their part below the line numbers is left plain: each costs a node. */
const HATCHED_MARGINS = 1000

interface Pane {
  readonly editor: Editor
  readonly decorations: Decorations
  readonly numbers: Numbers
  model: Model | null
}

/** Ours, base and theirs above the result: read only, level with each other by blank rows. */
export class Sides {
  readonly panes: Readonly<Record<SideName, Pane>>
  alignment: Alignment | null = null
  private view: MergeView | null = null
  private conflictOf: Int32Array = new Int32Array()
  private current = -1
  private marks: (region: number) => Readonly<Record<'ours' | 'theirs', readonly Mark[]>> | null = () => null
  private readonly drawn: (() => void)[] = []

  constructor(hosts: Readonly<Record<SideName, HTMLElement>>, looks: Readonly<Record<SideName, Looks>>) {
    const pane = (side: SideName): Pane => {
      const editor = createEditor(hosts[side], true, looks[side])
      const decorations = editor.createDecorationsCollection()
      return { editor, decorations, numbers: new Numbers(editor), model: null }
    }
    this.panes = { ours: pane('ours'), base: pane('base'), theirs: pane('theirs') }
    for (const side of SIDES)
      this.drawn.push(windowed(this.panes[side].editor, (from, to) => this.draw(side, from, to)))
  }

  load(view: MergeView, placeholders: Placeholders): void {
    this.view = view
    this.conflictOf = new Int32Array(view.regions.length)
    let conflicts = 0
    for (const [i, region] of view.regions.entries()) this.conflictOf[i] = region[0] === 'conflict' ? conflicts++ : -1
    for (const side of SIDES) {
      const pane = this.panes[side]
      const old = pane.model
      pane.model = createModel(placeholders.show(view[side]))
      pane.editor.setModel(pane.model)
      old?.dispose()
    }
    const count = (side: SideName) => this.panes[side].model?.getLineCount() ?? 1
    this.alignment = align(view.regions, { ours: count('ours'), base: count('base'), theirs: count('theirs') })
    for (const side of SIDES) this.fill(side, this.alignment.fillers[side])
    this.redraw()
  }

  /** The rows of a region: first and past the last. */
  rowsOf(region: number): readonly [number, number] {
    const starts = this.alignment?.starts
    return [starts?.[region] ?? 0, starts?.[region + 1] ?? 0]
  }

  setCurrent(conflict: number): void {
    this.current = conflict
    this.redraw()
  }

  /** Word-level changes come later, from a worker: `marks` gives those that are there. */
  setMarks(marks: Sides['marks']): void {
    this.marks = marks
  }

  redraw(): void {
    for (const draw of this.drawn) draw()
  }

  /** The conflict whose lines hold a side's line (1-based), null outside all. */
  conflictAt(side: SideName, line: number): number | null {
    const conflict = this.conflictOf[firstRegion(this.view?.regions ?? [], side, line)] ?? -1
    return conflict < 0 ? null : conflict
  }

  dispose(): void {
    for (const side of SIDES) {
      this.panes[side].editor.dispose()
      this.panes[side].model?.dispose()
    }
  }

  private fill(side: SideName, fillers: readonly Filler[]): void {
    const pane = this.panes[side]
    const few = fillers.length <= HATCHED_MARGINS
    pane.editor.changeViewZones((accessor) => {
      for (const filler of fillers) {
        const conflict = this.conflictOf[filler.region] ?? -1
        const margin = few || (filler.whole && conflict >= 0) ? document.createElement('div') : null
        if (margin) margin.className = 'merge-fill'
        if (margin && filler.whole && conflict >= 0) {
          margin.className += ` merge-margin-${side}`
          const number = document.createElement('span')
          number.className = 'merge-number'
          number.textContent = String(conflict + 1)
          margin.append(number)
        }
        const node = document.createElement('div')
        node.className = 'merge-fill'
        accessor.addZone({
          afterLineNumber: filler.after,
          heightInLines: filler.rows,
          domNode: node,
          marginDomNode: margin,
          ordinal: filler.region,
        })
      }
    })
  }

  private draw(side: SideName, from: number, to: number): void {
    const pane = this.panes[side]
    if (this.view === null || pane.model === null) return
    const { regions } = this.view
    pane.decorations.set(
      sideDecorations({
        side,
        regions,
        conflictOf: this.conflictOf,
        from,
        to,
        current: this.current,
        marks: this.marks,
      }).map(({ line, endLine, column, endColumn, ...options }) => ({
        range: new monaco.Range(line, column ?? 1, endLine, endColumn ?? 1),
        options,
      })),
    )
    const numbers = new Map<number, number>()
    for (let i = firstRegion(regions, side, from); i < regions.length; i++) {
      const [start, end] = rangeOf(regions[i] as RegionRow, side)
      if (start + 1 > to) break
      const conflict = this.conflictOf[i] as number
      if (conflict >= 0 && end > start && start + 1 >= from) numbers.set(conflict, start + 1)
    }
    pane.numbers.set(numbers, this.current)
  }
}
