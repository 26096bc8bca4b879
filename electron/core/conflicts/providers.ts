import { type ConflictProvider, type ConflictProviders, type ConflictReader, conflictReader } from './provider.ts'

/** Where nothing ever waits. */
const nothing: ConflictProvider = {
  list: async () => [],
  find: async () => null,
  blob: async () => null,
}

/** What git left in working trees. */
export const worktreeConflicts: ConflictProvider = nothing

/** The reader over everything in which conflicts wait. */
export const createConflictReader = (others: Omit<ConflictProviders, 'worktree'>): ConflictReader =>
  conflictReader({ worktree: worktreeConflicts, ...others })
