import * as z from 'zod'
import { shellWord } from '../base/index.ts'
import { Refusal } from '../model/refusal.ts'
import { refusalText } from './refusals.ts'

/** A step that helps: the id of an app command, or a command line that exists. Tests walk every one. */
export interface Suggestion {
  readonly label: string
  /** Id from the renderer's command table, where the app can do it. */
  readonly command?: string
  /** A `daybreak …` or `git …` command line, where it is done in a terminal. */
  readonly shell?: string
}

interface Entry<D extends z.ZodType> {
  readonly data: D
  readonly message: (data: z.infer<D>) => string
  /** What did not change, as short sentences. */
  readonly unchanged: (data: z.infer<D>) => readonly string[]
  readonly suggestions: (data: z.infer<D>) => readonly Suggestion[]
}

const entry = <D extends z.ZodType>(row: Entry<D>): Entry<D> => row

const path = z.strictObject({ path: z.string() })
const nothing = z.strictObject({})
const untouched = () => ['Nothing was read from it and nothing was changed.']
const intact = () => ['Nothing was changed.']

/** Every failure Daybreak reports. Codes are append-only. */
export const catalogue = {
  ERR_BAD_REQUEST: entry({
    data: z.strictObject({ method: z.string(), issues: z.array(z.string()) }),
    message: (d) => `The request ${d.method} was not understood: ${d.issues.join('; ')}.`,
    unchanged: intact,
    suggestions: () => [],
  }),
  ERR_INTERNAL: entry({
    data: z.strictObject({ reference: z.string() }),
    message: (d) => `Something in Daybreak itself went wrong (reference ${d.reference}).`,
    unchanged: () => ['An unfinished act is finished or rolled back at the next command.'],
    suggestions: () => [{ label: 'Look for what is wrong', shell: 'daybreak doctor' }],
  }),
  ERR_NOT_SUPPORTED_HERE: entry({
    data: z.strictObject({ method: z.string() }),
    message: (d) => `${d.method} needs the desktop app.`,
    unchanged: intact,
    suggestions: () => [],
  }),
  ERR_CONNECTION_LOST: entry({
    data: nothing,
    message: () => 'The connection to Daybreak was lost.',
    unchanged: () => ['What was asked for last may or may not have been done; the page is read again on reconnecting.'],
    suggestions: () => [{ label: 'Reload', command: 'app.reload' }],
  }),
  ERR_CANCELLED: entry({
    data: z.strictObject({ what: z.string() }),
    message: (d) => `${d.what} was cancelled.`,
    unchanged: intact,
    suggestions: () => [],
  }),
  ERR_NODE_TOO_OLD: entry({
    data: z.strictObject({ found: z.string(), needed: z.string() }),
    message: (d) => `Daybreak needs Node ${d.needed} or newer; this is ${d.found}.`,
    unchanged: intact,
    suggestions: () => [],
  }),
  ERR_GIT_MISSING: entry({
    data: nothing,
    message: () => 'No git was found on this machine.',
    unchanged: intact,
    suggestions: () => [{ label: 'Install git 2.38 or newer, then try again', command: 'repository.retry' }],
  }),
  ERR_GIT_TOO_OLD: entry({
    data: z.strictObject({ found: z.string(), needed: z.string() }),
    message: (d) => `Daybreak needs git ${d.needed} or newer; this is ${d.found}.`,
    unchanged: intact,
    suggestions: () => [{ label: 'Update git, then try again', command: 'repository.retry' }],
  }),
  ERR_GIT: entry({
    data: z.strictObject({ verb: z.string(), exitCode: z.int().nullable(), detail: z.string() }),
    message: (d) => `git ${d.verb} failed${d.exitCode === null ? '' : ` (exit ${d.exitCode})`}: ${d.detail}`,
    unchanged: () => ['An unfinished act is finished or rolled back at the next command.'],
    suggestions: () => [{ label: 'Look for what is wrong', shell: 'daybreak doctor' }],
  }),
  ERR_NOT_A_REPOSITORY: entry({
    data: path,
    message: (d) => `${d.path} is not inside a git repository.`,
    unchanged: untouched,
    suggestions: (d) => [
      { label: 'Open another folder', command: 'repository.open' },
      { label: 'Make it a repository', shell: `git init ${shellWord(d.path)}` },
    ],
  }),
  ERR_PATH_NOT_FOUND: entry({
    data: path,
    message: (d) => `${d.path} is not there.`,
    unchanged: intact,
    suggestions: () => [{ label: 'Open another folder', command: 'repository.open' }],
  }),
  ERR_NO_PERMISSION: entry({
    data: path,
    message: (d) => `You may not read ${d.path}.`,
    unchanged: untouched,
    suggestions: (d) => [{ label: 'Give yourself access', shell: `ls -ld ${shellWord(d.path)}` }],
  }),
  ERR_DUBIOUS_OWNERSHIP: entry({
    data: path,
    message: (d) => `${d.path} belongs to another user, so git does not open it.`,
    unchanged: untouched,
    suggestions: (d) => [
      {
        label: 'If you trust its owner, allow it',
        shell: `git config --global --add safe.directory ${shellWord(d.path)}`,
      },
    ],
  }),
  ERR_REPOSITORY_NOT_OPEN: entry({
    data: z.strictObject({ repoId: z.string() }),
    message: () => 'That repository is not open any more.',
    unchanged: intact,
    suggestions: () => [{ label: 'Open it again', command: 'repository.open' }],
  }),
  ERR_REPOSITORY_DAMAGED: entry({
    data: z.strictObject({ path: z.string(), missing: z.string() }),
    message: (d) => `${d.path} lacks an object that it names: ${d.missing}.`,
    unchanged: intact,
    suggestions: () => [{ label: 'See what else is missing', shell: 'git fsck --full' }],
  }),
  ERR_NO_TRUNK: entry({
    data: z.strictObject({ path: z.string(), tried: z.array(z.string()) }),
    message: (d) => `No trunk was found in ${d.path}; tried ${d.tried.join(', ')}.`,
    unchanged: intact,
    suggestions: () => [{ label: 'Say which branch it is', shell: 'daybreak config set trunk BRANCH' }],
  }),
  ERR_NO_SUCH_BRANCH: entry({
    data: z.strictObject({ branch: z.string() }),
    message: (d) => `There is no branch ${d.branch}.`,
    unchanged: intact,
    suggestions: () => [{ label: 'See what waits', shell: 'daybreak status' }],
  }),
  ERR_NO_SUCH_CONFLICT: entry({
    data: z.strictObject({ what: z.string() }),
    message: (d) => `There is no such conflict any more: ${d.what}.`,
    unchanged: intact,
    suggestions: () => [{ label: 'See what waits', shell: 'daybreak status' }],
  }),
  ERR_NO_SUCH_FILE: entry({
    data: z.strictObject({ path: z.string(), branch: z.string() }),
    message: (d) => `${d.path} is not among the changes of ${d.branch}.`,
    unchanged: intact,
    suggestions: () => [{ label: 'Read the changes again', command: 'review.reload' }],
  }),
  ERR_NO_SUCH_OPERATION: entry({
    data: z.strictObject({ operationId: z.string() }),
    message: (d) => `History has no operation ${d.operationId}.`,
    unchanged: intact,
    suggestions: () => [{ label: 'See the history', command: 'history.show' }],
  }),
  ERR_LOCKED: entry({
    data: z.strictObject({ path: z.string(), ageSeconds: z.number(), what: z.string() }),
    message: (d) => `${d.what} is held by someone else: ${d.path} has been there for ${Math.round(d.ageSeconds)} s.`,
    unchanged: () => ['Nothing was moved; the lock was left in place.'],
    suggestions: (d) => [
      { label: 'Try again', command: 'error.retry' },
      { label: 'If no git runs there, remove the lock', shell: `rm ${shellWord(d.path)}` },
    ],
  }),
  ERR_TORN_FILES: entry({
    data: z.strictObject({ paths: z.array(z.string()), operationId: z.string() }),
    message: (d) =>
      `A verb that was killed left ${d.paths.length} file(s) holding neither the old nor the new content: ${d.paths.slice(0, 5).join(', ')}.`,
    unchanged: () => ['Those files were left as they are.'],
    suggestions: () => [
      { label: 'Look at them, put each right, then try again', command: 'error.retry' },
      { label: 'See what is known', shell: 'daybreak doctor' },
    ],
  }),
  ERR_DISK_FULL: entry({
    data: path,
    message: (d) => `The disk is full. This file could not be written: ${d.path}.`,
    unchanged: () => ['main and your working tree are as they were.'],
    suggestions: () => [{ label: 'Free some space, then try again', command: 'error.retry' }],
  }),
  ERR_READ_ONLY: entry({
    data: path,
    message: (d) => `${d.path} cannot be written, so nothing can be changed there.`,
    unchanged: intact,
    suggestions: () => [{ label: 'Give yourself write access, then try again', command: 'error.retry' }],
  }),
  ERR_STORAGE: entry({
    data: z.strictObject({ path: z.string(), detail: z.string() }),
    message: (d) => `The database ${d.path} could not be used: ${d.detail}.`,
    unchanged: () => ['Your repository and its branches are as they were.'],
    suggestions: () => [{ label: 'Look for what is wrong', shell: 'daybreak doctor' }],
  }),
  ERR_STORAGE_BUSY: entry({
    data: z.strictObject({ path: z.string(), waitedSeconds: z.number() }),
    message: (d) => `The database ${d.path} stayed locked for ${Math.round(d.waitedSeconds)} s.`,
    unchanged: () => ['Nothing was written to it.'],
    suggestions: () => [{ label: 'Try again', command: 'error.retry' }],
  }),
  ERR_STORAGE_NEWER: entry({
    data: z.strictObject({ path: z.string(), found: z.int(), known: z.int() }),
    message: (d) => `${d.path} was written by a newer Daybreak (schema ${d.found}; this one knows ${d.known}).`,
    unchanged: intact,
    suggestions: () => [{ label: 'Update Daybreak', command: 'app.about' }],
  }),
  ERR_CONFIG: entry({
    data: z.strictObject({ where: z.string(), issues: z.array(z.string()) }),
    message: (d) => `${d.where} is not valid: ${d.issues.join('; ')}.`,
    unchanged: intact,
    suggestions: () => [{ label: 'Mend the file, then try again', command: 'error.retry' }],
  }),
  ERR_PORT_IN_USE: entry({
    data: z.strictObject({ port: z.int() }),
    message: (d) => `Port ${d.port} is taken.`,
    unchanged: intact,
    suggestions: () => [{ label: 'Let Daybreak choose one', shell: 'daybreak serve' }],
  }),
  ERR_FOLDER_TAKEN: entry({
    data: path,
    message: (d) => `${d.path} is there already and is not empty.`,
    unchanged: intact,
    suggestions: () => [{ label: 'Choose another folder', command: 'repository.open' }],
  }),
  ERR_USAGE: entry({
    data: z.strictObject({ issue: z.string(), usage: z.string(), suggestion: z.string().nullable() }),
    message: (d) => d.issue,
    unchanged: intact,
    suggestions: (d) => [{ label: 'See how it is called', shell: d.suggestion ?? 'daybreak --help' }],
  }),
  ERR_WHICH_RUN: entry({
    data: z.strictObject({ runs: z.array(z.string()), verb: z.string() }),
    message: (d) =>
      d.runs.length === 0
        ? 'No sleep branch waits.'
        : `${d.runs.length} sleep branches wait; say which one: ${d.runs.join(', ')}.`,
    unchanged: intact,
    suggestions: (d) =>
      d.runs.length === 0
        ? [{ label: 'See what waits', shell: 'daybreak status' }]
        : d.runs.slice(0, 5).map((run) => ({ label: `Take ${run}`, shell: `daybreak ${d.verb} ${shellWord(run)}` })),
  }),
  ERR_NOTHING_TO_UNDO: entry({
    data: nothing,
    message: () => 'Nothing in the history can be taken back.',
    unchanged: intact,
    suggestions: () => [{ label: 'See the history', command: 'history.show' }],
  }),
  ERR_PORT_FORBIDDEN: entry({
    data: z.strictObject({ port: z.int() }),
    message: (d) => `The system does not let Daybreak listen on port ${d.port}.`,
    unchanged: intact,
    suggestions: () => [{ label: 'Let Daybreak choose one', shell: 'daybreak serve' }],
  }),
  ERR_NO_SUCH_COMMIT: entry({
    data: z.strictObject({ commit: z.string(), branch: z.string() }),
    message: (d) => `${d.commit.slice(0, 10)} is not among the commits of ${d.branch}.`,
    unchanged: intact,
    suggestions: () => [{ label: 'Read the changes again', command: 'review.reload' }],
  }),
  ERR_BRANCH_GONE: entry({
    data: z.strictObject({
      branch: z.string(),
      /** `no-ref`: a run of this name is known, its branch is not there. `no-objects`: the branch names commits that are gone. */
      why: z.enum(['no-ref', 'no-objects']),
      /** What the store says of the run, null where it says nothing. */
      status: z.string().nullable(),
    }),
    message: (d) =>
      d.why === 'no-ref'
        ? `The run ${d.branch} is known${d.status === null ? '' : ` (${d.status})`}, but its branch is gone.`
        : `The branch ${d.branch} is there, but its commits are not.`,
    unchanged: intact,
    suggestions: (d) =>
      d.why === 'no-ref'
        ? [{ label: 'See the history', command: 'history.show' }]
        : [{ label: 'See what else is missing', shell: 'git fsck --full' }],
  }),
  ERR_TOOK_TOO_LONG: entry({
    data: z.strictObject({ what: z.string(), seconds: z.number() }),
    message: (d) => `${d.what} took longer than ${Math.round(d.seconds)} s and was stopped.`,
    unchanged: intact,
    suggestions: () => [{ label: 'Try again', command: 'error.retry' }],
  }),
  ERR_NO_SUCH_DOCUMENT: entry({
    data: path,
    message: (d) => `There is no document ${d.path} on trunk, and there never was.`,
    unchanged: intact,
    suggestions: () => [{ label: 'See which there are', shell: 'git ls-tree -r --name-only HEAD' }],
  }),
  ERR_NO_SUCH_VERSION: entry({
    data: z.strictObject({ path: z.string(), version: z.int(), current: z.int() }),
    message: (d) => `${d.path} has no version ${d.version}; the newest is ${d.current}.`,
    unchanged: intact,
    suggestions: (d) => [{ label: 'See its versions', shell: `daybreak versions ${shellWord(d.path)}` }],
  }),
  ERR_DIRTY_PATH: entry({
    data: z.strictObject({ path: z.string(), worktree: z.string() }),
    message: (d) => `${d.path} has local changes in ${d.worktree}, so it was not published.`,
    unchanged: () => ['Nothing was published, and the local changes are as they were.'],
    suggestions: () => [
      { label: 'Commit those changes or put them elsewhere, then publish again', shell: 'git status' },
    ],
  }),
  ERR_BAD_PATH: entry({
    data: z.strictObject({ path: z.string(), why: z.string() }),
    message: (d) => `${d.path} cannot be the path of a document: ${d.why}.`,
    unchanged: intact,
    suggestions: () => [{ label: 'Take a path below the top of the repository, such as notes/today.md' }],
  }),
  ERR_PROTECTED_PATH: entry({
    data: path,
    message: (d) => `Agents may not write ${d.path}: it governs the repository itself.`,
    unchanged: intact,
    suggestions: () => [{ label: 'Ask the person to change it' }],
  }),
  ERR_BODY_TOO_LARGE: entry({
    data: z.strictObject({ path: z.string(), bytes: z.int(), most: z.int() }),
    message: (d) => `The body for ${d.path} has ${d.bytes} bytes; ${d.most} is the most.`,
    unchanged: intact,
    suggestions: () => [{ label: 'Split it into several documents' }],
  }),
  ERR_NOT_TEXT: entry({
    data: z.strictObject({ path: z.string(), at: z.int() }),
    message: (d) => `The body for ${d.path} is not valid UTF-8 (byte ${d.at}).`,
    unchanged: intact,
    suggestions: () => [{ label: 'Send it as base64 where it is meant to be binary' }],
  }),
  ERR_UNRESOLVED_MARKERS: entry({
    data: z.strictObject({ path: z.string(), candidate: z.string(), lines: z.array(z.int()) }),
    message: (d) =>
      `The body for ${d.path} still holds markers of candidate ${d.candidate}, ${d.lines.length === 1 ? 'line' : 'lines'} ${d.lines.join(', ')}.`,
    unchanged: intact,
    suggestions: (d) => [
      { label: 'See its hunks', shell: `daybreak candidate show ${shellWord(d.candidate)}` },
      { label: 'Hand it to the person', shell: `daybreak candidate escalate ${shellWord(d.candidate)}` },
    ],
  }),
  ERR_LOSES_LINES: entry({
    data: z.strictObject({ path: z.string(), candidate: z.string(), lines: z.array(z.string()) }),
    message: (d) =>
      `The body for ${d.path} loses ${d.lines.length} line(s) that a side added: ${d.lines.slice(0, 5).join(' / ')}`,
    unchanged: intact,
    suggestions: (d) => [
      { label: 'See what each side added', shell: `daybreak candidate show ${shellWord(d.candidate)}` },
    ],
  }),
  ERR_NO_SUCH_CANDIDATE: entry({
    data: z.strictObject({ candidate: z.string() }),
    message: (d) => `There is no candidate ${d.candidate}.`,
    unchanged: intact,
    suggestions: () => [{ label: 'See which wait', shell: 'daybreak candidate list' }],
  }),
  ERR_CANDIDATE_CLOSED: entry({
    data: z.strictObject({ candidate: z.string(), state: z.string(), path: z.string() }),
    message: (d) => `Candidate ${d.candidate} for ${d.path} is ${d.state} already.`,
    unchanged: intact,
    suggestions: (d) => [{ label: 'Read the document as it is now', shell: `daybreak fetch ${shellWord(d.path)}` }],
  }),
  ERR_HUNKS_OPEN: entry({
    data: z.strictObject({ candidate: z.string(), hunks: z.array(z.int()) }),
    message: (d) => `Candidate ${d.candidate} has conflicts without a choice: hunk ${d.hunks.join(', ')}.`,
    unchanged: intact,
    suggestions: (d) => [{ label: 'See its hunks', shell: `daybreak candidate show ${shellWord(d.candidate)}` }],
  }),
  ERR_WRITE_CONFLICT: entry({
    data: z.strictObject({
      into: z.string(),
      commit: z.string(),
      /** Ours is the branch moved, theirs the one brought; empty where that side has no file. */
      conflicts: z.array(z.strictObject({ path: z.string(), ours: z.string(), theirs: z.string() })),
    }),
    message: (d) =>
      `${d.commit} and ${d.into} changed the same lines of ${d.conflicts.length} file(s): ${d.conflicts
        .slice(0, 5)
        .map((one) => one.path)
        .join(', ')}.`,
    unchanged: () => ['No branch, no file and no index was changed.'],
    suggestions: (d) => [
      ...d.conflicts
        .slice(0, 3)
        .map((one) => ({ label: `Read ${one.path}`, shell: `daybreak fetch ${shellWord(one.path)}` })),
      {
        label: 'See both histories',
        shell: `git log --oneline --left-right ${shellWord(d.into)}...${shellWord(d.commit)}`,
      },
    ],
  }),
  ERR_BAD_MEMORY: entry({
    data: z.strictObject({ path: z.string(), issues: z.array(z.string()) }),
    message: (d) => `${d.path} would not be a memory that the store can read: ${d.issues.join('; ')}.`,
    unchanged: intact,
    suggestions: () => [{ label: 'Mend the body, then publish again' }],
  }),
  ERR_REFUSED: entry({
    data: z.strictObject({ what: z.string(), refusal: Refusal }),
    message: (d) => `${d.what} was not done. ${refusalText(d.refusal).what}`,
    unchanged: intact,
    suggestions: (d) => refusalText(d.refusal).help.map((label) => ({ label })),
  }),
  ERR_PATH_TAKEN: entry({
    data: path,
    message: (d) => `${d.path} is there already.`,
    unchanged: intact,
    suggestions: (d) => [{ label: 'Read it', shell: `daybreak fetch ${shellWord(d.path)}` }],
  }),
  ERR_NO_VERSION: entry({
    data: path,
    message: (d) => `The version of ${d.path} on trunk is not known, so nothing can be published against it.`,
    unchanged: intact,
    suggestions: () => [{ label: 'Look for what is wrong', shell: 'daybreak doctor' }],
  }),
} as const

export type ErrorCode = keyof typeof catalogue
export type ErrorData<C extends ErrorCode> = z.infer<(typeof catalogue)[C]['data']>
