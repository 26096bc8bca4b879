import { type ConflictProvider, type ConflictReader, conflictReader } from './provider.ts'

/** Where nothing ever waits. */
const nothing: ConflictProvider = {
  list: async () => [],
  find: async () => null,
  blob: async () => null,
}

/** The reader over everything in which conflicts wait. */
export const createConflictReader = (): ConflictReader =>
  conflictReader({ worktree: nothing, branch: nothing, tool: nothing })
