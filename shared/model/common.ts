import * as z from 'zod'

/** A git object id, SHA-1 (40 hex digits) or SHA-256 (64). */
export const Oid = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)
export type Oid = z.infer<typeof Oid>

/**
 * A path inside a repository, `/`-separated, as git stores it. Bytes that are not UTF-8 are carried as
 * lone surrogates U+DC80..U+DCFF (one per byte, as Python's surrogateescape does), so that every path
 * round-trips through JSON. `core/git/bytes.ts` encodes and decodes.
 */
export const RepoPath = z.string().min(1)
export type RepoPath = z.infer<typeof RepoPath>

/** Identifies an opened repository: the first 16 hex digits of SHA-256 over its real git common folder. */
export const RepoId = z.string().regex(/^[0-9a-f]{16}$/)
export type RepoId = z.infer<typeof RepoId>

/** An instant, ISO 8601 in UTC with a `Z`. */
export const Instant = z.string()
export type Instant = z.infer<typeof Instant>

/** Identifies one act of a verb for ever: its undo point, its history row, its kept refs. */
export const OperationId = z.string().regex(/^[0-9a-z-]{8,64}$/)
export type OperationId = z.infer<typeof OperationId>

/** A branch's short name, `sleep/2026-11-30`, or for a remote-tracking one `origin/sleep/2026-11-30`. */
export const BranchName = z.string().min(1)
export type BranchName = z.infer<typeof BranchName>
