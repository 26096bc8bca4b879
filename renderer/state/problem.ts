import type { WireError } from '../../shared/errors/appError.ts'
import { refusalText } from '../../shared/errors/refusals.ts'
import type { Refusal } from '../../shared/model/index.ts'
import type { Problem, Remedy } from './overlay.ts'

const strings = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((v): v is string => typeof v === 'string')
    : typeof value === 'string'
      ? [value]
      : []

/** The paths that an error's data names and its sentence does not. */
function pathsOf(error: WireError): string[] {
  const data = (error.data ?? {}) as Record<string, unknown>
  return [...strings(data.path), ...strings(data.paths)].filter((path) => !error.message.includes(path))
}

/**
 * A failure as the person sees it. `title` says what did not come about. `remedies` are the acts that the place of failure
 * can offer; the catalogue's own suggestions follow, commands as buttons and command lines as text.
 */
export function problemOfError(title: string, error: WireError, remedies: readonly Remedy[] = []): Problem {
  const retry = remedies.some((r) => r.label === 'Try again')
  const offered = error.suggestions.flatMap((s): Remedy[] => {
    if (s.command === undefined) return []
    if (/\.retry$/.test(s.command)) return []
    return [{ label: s.label, command: s.command }]
  })
  const known = new Set(remedies.map((r) => r.label))
  return {
    title,
    what: error.message,
    paths: pathsOf(error),
    unchanged: error.unchanged,
    helps: error.suggestions
      .filter((s) => s.shell !== undefined || (s.command !== undefined && /\.retry$/.test(s.command) && retry))
      .map((s) => `${s.label}${s.shell === undefined ? '.' : ':'}`),
    shell: error.suggestions.flatMap((s) => (s.shell === undefined ? [] : [s.shell])),
    code: error.code,
    remedies: [...offered.filter((r) => !known.has(r.label)), ...remedies],
  }
}

/** A refusal outside the sleep page's reason line, as the person sees it. */
export function problemOfRefusal(title: string, refusal: Refusal, remedies: readonly Remedy[] = []): Problem {
  const { what, help } = refusalText(refusal)
  return {
    title,
    what,
    paths: [],
    unchanged: ['Nothing was moved.'],
    helps: help,
    shell: [],
    code: refusal.refusal,
    remedies,
  }
}

/** The whole of a problem as text, for the clipboard. */
export function detailsOf(problem: Problem, about: string): string {
  const part = (name: string, lines: readonly string[]) => (lines.length === 0 ? [] : ['', name, ...lines])
  return [
    problem.title,
    `${problem.code} · ${about}`,
    ...part('What happened', [problem.what, ...problem.paths]),
    ...part('What is unchanged', problem.unchanged),
    ...part('What helps', [...problem.helps, ...problem.shell]),
    '',
  ].join('\n')
}
