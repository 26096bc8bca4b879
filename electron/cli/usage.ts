import { AppError } from '../../shared/errors/index.ts'

/** A command line that is not called as it should be: exit code 2. `suggestion`: a command line that says how. */
export function usageError(issue: string, usage: string, suggestion: string | null = null): AppError {
  return new AppError('ERR_USAGE', { issue, usage, suggestion })
}
