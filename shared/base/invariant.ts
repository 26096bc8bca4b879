/** A bug in Daybreak itself: never caused by input, always logged, shown as ERR_INTERNAL. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** Throws an InvariantError when `condition` is false. Not for checking input. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** Makes a switch exhaustive at compile time; reaching it at run time is a bug. */
export function assertNever(value: never): never {
  throw new InvariantError(`unexpected value: ${JSON.stringify(value)}`)
}
