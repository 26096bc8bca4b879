import { type ConflictProvider, type ConflictProviders, type ConflictReader, conflictReader } from './provider.ts'
import { worktreeProvider } from './worktree/worktreeProvider.ts'

/** What git left in working trees. */
export const worktreeConflicts: ConflictProvider = worktreeProvider

/** The reader over everything in which conflicts wait. */
export const createConflictReader = (others: Omit<ConflictProviders, 'worktree'>): ConflictReader =>
  conflictReader({ worktree: worktreeConflicts, ...others })
