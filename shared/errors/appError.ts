import { catalogue, type ErrorCode, type ErrorData, type Suggestion } from './catalogue.ts'

/** What crosses a wire: no stack, no cause. */
export interface WireError {
  readonly code: ErrorCode
  readonly message: string
  readonly unchanged: readonly string[]
  readonly suggestions: readonly Suggestion[]
  readonly data: unknown
}

interface Row {
  message(data: unknown): string
  unchanged(data: unknown): readonly string[]
  suggestions(data: unknown): readonly Suggestion[]
}

/** A failure from the catalogue. `cause` goes to the log, never over the wire. */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'AppError'
  readonly code: C
  readonly data: ErrorData<C>

  constructor(code: C, data: ErrorData<C>, options?: { cause?: unknown }) {
    super((catalogue[code] as unknown as Row).message(data), options)
    this.code = code
    this.data = data
  }

  /** The form every door sends. */
  toWire(): WireError {
    const row = catalogue[this.code] as unknown as Row
    return {
      code: this.code,
      message: this.message,
      unchanged: row.unchanged(this.data),
      suggestions: row.suggestions(this.data),
      data: this.data,
    }
  }
}

/** Whether `error` is an AppError of this code. */
export function isAppError<C extends ErrorCode>(error: unknown, code: C): error is AppError<C> {
  return error instanceof AppError && error.code === code
}
