import type { WireError } from '../../shared/errors/index.ts'

/** A failure that the core answered with, in its wire form. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly wire: WireError

  constructor(wire: WireError) {
    super(wire.message)
    this.wire = wire
  }
}

/** A failure as an agent reads it: code, what happened, what is unchanged, what to do next. */
export function failureText({ code, message, unchanged, suggestions }: WireError): string {
  const help = suggestions.map(({ label, shell }) => `- ${label}${shell === undefined ? '' : `: ${shell}`}`)
  return [`code: ${code}`, message, ...unchanged, ...help].join('\n')
}
