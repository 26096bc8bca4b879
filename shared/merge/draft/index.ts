export { decide, editResult, type ResultEdit } from './edit.ts'
export { emptyDraft, layoutOf, openCount, type ResultLayout, slotsOf } from './layout.ts'
export { type ConflictRanges, type DraftModel, draftModel, type Row, regionRow, rowsOf } from './model.ts'
