export { decide, editResult, type ResultEdit } from './edit.ts'
export { decisionRows, emptyDraft, gapRows, layoutOf, openCount, type ResultLayout, slotsOf } from './layout.ts'
export { type ConflictRanges, type DraftModel, draftModel, joined, type Row, rowsOf } from './model.ts'
