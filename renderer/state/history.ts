/** A line of states with a place in it: the first is the one at opening, those after `at` can be gone forward to. */
export interface History<T> {
  readonly entries: readonly Entry<T>[]
  readonly at: number
}

interface Entry<T> {
  readonly value: T
  /** What led here, in words; empty at opening. */
  readonly label: string
  /** Acts with the same tag that follow each other at once become one. */
  readonly tag: string | null
}

export const begin = <T>(value: T): History<T> => ({ entries: [{ value, label: '', tag: null }], at: 0 })

export function now<T>(history: History<T>): T {
  return (history.entries[history.at] as Entry<T>).value
}

/** The history after an act. What was undone before it is gone. A tag that the last act has too makes one act of both. */
export function act<T>(history: History<T>, value: T, label: string, tag: string | null = null): History<T> {
  if (value === now(history)) return history
  const last = history.entries[history.at]
  const joined = tag !== null && last?.tag === tag
  const kept = history.entries.slice(0, joined ? history.at : history.at + 1)
  return { entries: [...kept, { value, label, tag }], at: kept.length }
}

/** So that the next act is one of its own. */
export function settle<T>(history: History<T>): History<T> {
  const last = history.entries[history.at]
  if (last === undefined || last.tag === null) return history
  return { ...history, entries: history.entries.map((e, i) => (i === history.at ? { ...e, tag: null } : e)) }
}

export const canUndo = (history: History<unknown>): boolean => history.at > 0
export const canRedo = (history: History<unknown>): boolean => history.at < history.entries.length - 1

/** The label of what undo would take back, and of what redo would do again. */
export const undoLabel = (history: History<unknown>): string => history.entries[history.at]?.label ?? ''
export const redoLabel = (history: History<unknown>): string => history.entries[history.at + 1]?.label ?? ''

export function undo<T>(history: History<T>): History<T> {
  return canUndo(history) ? settle({ ...history, at: history.at - 1 }) : history
}

export function redo<T>(history: History<T>): History<T> {
  return canRedo(history) ? settle({ ...history, at: history.at + 1 }) : history
}
