import { shellWord } from '../../shared/base/index.ts'
import type { WireError } from '../../shared/errors/index.ts'
import { refusalText } from '../../shared/errors/refusals.ts'
import type { Refusal } from '../../shared/model/index.ts'
import { plain } from './words.ts'

export const API_VERSION = '1'

/** Exit codes: stable. */
export const EXIT = { success: 0, failed: 1, usage: 2, interrupted: 130 } as const

export interface Suggestion {
  readonly label: string
  readonly shell?: string
}

/** What a verb answers: data for `--json`, text for people, and whether it succeeded. */
export interface Answer {
  readonly type: string
  readonly data: unknown
  /** Without a newline at its end; empty prints nothing. */
  readonly text: string
  readonly exitCode: number
  /** The text is what was asked for, also where the exit code says no: it goes to stdout. */
  readonly asked?: boolean
}

/** An answer that says yes. */
export function success(type: string, data: unknown, text: string): Answer {
  return { type, data, text, exitCode: EXIT.success }
}

/** An expected "no": nothing moved. `data` is what the outcome holds beside the refusal, e.g. `{approved: false}`. */
export function refused(type: string, data: object, refusal: Refusal, run: string): Answer {
  const { what, help } = refusalText(refusal)
  const suggestions: Suggestion[] = [...help.map((label) => ({ label })), ...commands(refusal, run)]
  return {
    type,
    data: { ...data, ...refusal, message: what, suggestions },
    text: [`Refused (${refusal.refusal}): ${what}`, 'Nothing was moved.', ...lines(suggestions)].join('\n'),
    exitCode: EXIT.failed,
  }
}

/** Command lines that help with a refusal, where there are any. `run`: the branch, or for undo the operation. */
function commands(refusal: Refusal, run: string): Suggestion[] {
  const name = shellWord(run)
  switch (refusal.refusal) {
    case 'main-advanced':
      return refusal.overlap.length > 0
        ? [{ label: 'Open the app, bring main in there and look at what changed', shell: 'daybreak' }]
        : [{ label: 'Bring main in and approve', shell: `daybreak sleep approve ${name} --bring-main-in` }]
    case 'unresolved':
      return [{ label: 'Open the app and decide them there', shell: 'daybreak' }]
    case 'not-trusted':
      return [{ label: 'Read what would run', shell: 'daybreak trust --show' }]
    case 'moved-on':
    case 'rows-changed':
      return [{ label: 'Revert this night', shell: `daybreak sleep undo ${name} --revert` }]
    case 'empty-run':
      return [{ label: 'Remove the branch', shell: `daybreak sleep abort ${name}` }]
    case 'unknown-run':
    case 'branch-gone':
      return [{ label: 'See what waits', shell: 'daybreak status' }]
    default:
      return []
  }
}

/** A failure in the words people read, on stderr. */
export function failureText(error: WireError): string {
  return [`daybreak: ${plain(error.message)}`, ...error.unchanged, ...lines(error.suggestions)].join('\n')
}

/** The envelope of an answer, one line. */
export function envelope(answer: Answer): string {
  return JSON.stringify({ apiVersion: API_VERSION, type: answer.type, data: answer.data })
}

/** The envelope of a failure, one line. */
export function failureEnvelope(error: WireError): string {
  const { message, code, suggestions, data } = error
  return JSON.stringify({ apiVersion: API_VERSION, error: message, code, suggestions, data })
}

function lines(suggestions: readonly Suggestion[]): string[] {
  return suggestions.map(({ label, shell }) => (shell === undefined ? `  ${label}` : `  ${label}: ${plain(shell)}`))
}
