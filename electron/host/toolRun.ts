import type { MergeTool } from '../core/ports.ts'

/** The files of one call of `daybreak mergetool`, as they are handed to the host. */
export type ToolCall = Omit<MergeTool, 'end'>

/** Under this name the app's process is told of them; JSON. */
export const TOOL_VARIABLE = 'DAYBREAK_MERGETOOL'

/** How long a page may be gone before it counts as closed, in milliseconds: a reload is quicker. */
const GONE = 10_000
/** How long the answer has to reach the page before the tool ends. */
const ANSWER = 700

/** One call while it waits for the person. */
export interface ToolRun {
  readonly tool: MergeTool
  /** Told how many pages are connected. */
  onPages(pages: number): void
  /** Whether the file was resolved; comes once that is known, or the last page was closed for good. */
  readonly ended: Promise<boolean>
}

/** Waits for the end of a merge: by the person's word, or because nobody looks at it any more. */
export function startToolRun(call: ToolCall, gone: number = GONE, answer: number = ANSWER): ToolRun {
  const { promise: ended, resolve } = Promise.withResolvers<boolean>()
  let leaving: NodeJS.Timeout | undefined
  return {
    tool: { ...call, end: (resolved) => void setTimeout(() => resolve(resolved), answer) },
    onPages(pages) {
      clearTimeout(leaving)
      if (pages === 0) leaving = setTimeout(() => resolve(false), gone)
    },
    ended: ended.finally(() => clearTimeout(leaving)),
  }
}

/** The call that this process was started for, taken out of the environment: no child of it is one. Null: none. */
export function takeToolCall(env: NodeJS.ProcessEnv): ToolCall | null {
  const given = env[TOOL_VARIABLE]
  delete env[TOOL_VARIABLE]
  if (given === undefined) return null
  const { base, ours, theirs, merged } = JSON.parse(given) as Record<keyof ToolCall, unknown>
  if (typeof ours !== 'string' || typeof theirs !== 'string' || typeof merged !== 'string') return null
  return { base: typeof base === 'string' ? base : null, ours, theirs, merged }
}
