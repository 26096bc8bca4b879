import type { Refusal, RefusalKind } from '../model/refusal.ts'

/** A refusal in words: what stands in the way, and what to do, one step a line. */
export interface RefusalText {
  readonly what: string
  readonly help: readonly string[]
}

type TextOf<K extends RefusalKind> = (refusal: Extract<Refusal, { refusal: K }>) => RefusalText

/** `3 files`, `1 file`; `plural` where an `s` does not do. */
export function count(n: number, one: string, plural = `${one}s`): string {
  return `${n.toLocaleString('en-US')} ${n === 1 ? one : plural}`
}

/** The first paths of a list and how many more there are: `a, b and 4 more`. */
export function someOf(paths: readonly string[], most = 3): string {
  const shown = paths.slice(0, most)
  const rest = paths.length - shown.length
  if (rest > 0) return `${shown.join(', ')} and ${rest.toLocaleString('en-US')} more`
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : shown.join('')
}

const gateEnd = {
  exit: (r: { exitCode: number | null }) => `ended with exit code ${r.exitCode ?? 'unknown'}`,
  timeout: (r: { seconds: number }) => `was stopped after ${Math.round(r.seconds)} s, its time limit`,
  cancelled: () => 'was cancelled',
  'not-started': () => 'could not be started',
} as const

const whyNotOut = {
  'not-changed': 'this branch does not change it',
  'store-file': 'the store itself keeps it',
  everything: 'nothing would be left to approve',
} as const

const inProgress = {
  merge: 'a merge',
  rebase: 'a rebase',
  'cherry-pick': 'a cherry-pick',
  revert: 'a revert',
  am: 'a series of patches',
  bisect: 'a bisect',
  'unmerged-index': 'an unresolved conflict',
} as const

const trustKind = {
  gate: 'gate',
  filter: 'filter',
  hook: 'hook',
  signing: 'signing program',
  'merge-driver': 'merge driver',
} as const

/** One row a kind: a kind without a text does not compile. */
const texts: { readonly [K in RefusalKind]: TextOf<K> } = {
  'main-advanced': (r) => {
    const both =
      r.overlap.length === 0
        ? 'No file changed on both sides.'
        : `${count(r.overlap.length, 'file')} changed on both sides: ${someOf(r.overlap)}.`
    const merge =
      r.conflicts === null || r.overlap.length === 0
        ? ''
        : r.conflicts.length === 0
          ? ' They merge without a conflict.'
          : ` ${count(r.conflicts.length, 'file')} would conflict: ${someOf(r.conflicts)}.`
    return {
      what: `main moved ${count(r.commits, 'commit')} since this run. ${both}${merge}`,
      help: ['Bring main in, look at what changed, then approve.'],
    }
  },
  'dirty-tree': (r) => ({
    what: `Local changes in ${count(
      r.worktrees.reduce((sum, w) => sum + w.paths.length, 0),
      'file',
    )} stand in the way: ${r.worktrees.map((w) => `${someOf(w.paths)} in ${w.worktree}`).join('; ')}.`,
    help: ['Commit those changes or put them elsewhere, then try again.'],
  }),
  'gate-failed': (r) => ({
    what: `The gate \`${r.command}\` ${gateEnd[r.reason](r)}.`,
    help:
      r.reason === 'cancelled'
        ? ['Approve again to run it again.']
        : ['Read its output, mend the cause, then approve again.'],
  }),
  'unknown-run': (r) => ({
    what: `No sleep run ${r.branch} is known here: there is no such branch and no record of it.`,
    help: ['See what waits with `daybreak status`.'],
  }),
  'branch-gone': (r) =>
    r.merged
      ? {
          what: `${r.branch} is merged: all of it is on main, and its branch is gone.`,
          help: ['To take the night back, undo its approval in the history.'],
        }
      : {
          what: `The branch ${r.branch} is gone, and its commits are not on main.`,
          help: ['See the history, or run sleep again.'],
        },
  'empty-run': (r) => ({
    what: `${r.branch} holds no commit of its own, so there is nothing to approve.`,
    help: ['Abort it to remove the branch.'],
  }),
  unresolved: (r) => ({
    what: `${count(r.conflicts.length, 'file')} ${r.conflicts.length === 1 ? 'is' : 'are'} in conflict and not decided: ${someOf(r.conflicts)}.`,
    help: ['Show the conflicts and decide them. Nothing is written before all of them are.'],
  }),
  'branch-in-use': (r) => ({
    what: `${r.branch} is checked out in the worktree ${r.worktree}.`,
    help: [`Switch that worktree to another branch, or remove it with \`git worktree remove\`, then try again.`],
  }),
  'operation-in-progress': (r) => ({
    what: `${inProgress[r.operation].replace(/^./, (c) => c.toUpperCase())} is in progress in ${r.worktree}.`,
    help: ['Finish it or abort it with git, then try again.'],
  }),
  'worktree-outside': (r) => ({
    what: `The repository at ${r.worktree} names another folder as its working tree: ${r.target}.`,
    help: ['Remove `core.worktree` from its git config if you did not set it yourself.'],
  }),
  'path-clash': (r) => ({
    what: `A file and a folder cannot both be there: ${r.clashes.map((c) => `${c.file} and ${c.inside}`).join('; ')}.`,
    help: ['Leave both out, or include both.'],
  }),
  'rows-changed': (r) => ({
    what: `${count(r.rows.length, 'row')} of the store's databases changed since, so they cannot be put back: ${r.rows.join('; ')}.`,
    help: ['Revert the night instead: files go back, the marks stay.'],
  }),
  'not-trusted': (r) => ({
    what: `This repository wants to run ${r.items
      .map((i) => `the ${trustKind[i.kind]}${i.name === i.kind ? '' : ` ${i.name}`}: \`${i.command}\``)
      .join('; ')}. You have not accepted that text.`,
    help: ['Read it, then accept it with Trust or `daybreak trust`.'],
  }),
  'cannot-leave-out': (r) => ({
    what: `${r.paths.map((p) => `${p.path} cannot be left out: ${whyNotOut[p.why]}`).join('; ')}.`,
    help: ['Include it, or abort the whole branch.'],
  }),
  'remote-branch': (r) => ({
    what: `${r.branch} is on the remote ${r.remote}; only a local branch can be approved or aborted.`,
    help: [`Fetch it as a local branch: \`git branch ${r.branch.slice(r.remote.length + 1)} ${r.branch}\`.`],
  }),
  'moved-on': (r) => ({
    what: `main has moved on since: it was left at ${r.to.slice(0, 7)} and is now ${r.now === null ? 'gone' : `at ${r.now.slice(0, 7)}`}.`,
    help: ['Revert this night: one commit that takes it back and keeps what came after.'],
  }),
  'cannot-undo': (r) => ({ what: `It cannot be undone: ${r.why}.`, help: ['See the history.'] }),
  'conflict-changed': (r) => ({
    what: `The sides of ${r.path} changed since the page was opened. Nothing was written.`,
    help: ['Look at it again: the decisions that still apply are kept.'],
  }),
  'edited-on-disk': (r) => ({
    what: `${someOf(r.paths)} ${r.paths.length === 1 ? 'was' : 'were'} edited after git wrote the conflict. Nothing was written.`,
    help: ['Take over what is in the file, or replace it with this result.'],
  }),
  'markers-left': (r) => ({
    what: `The result of ${r.path} still holds conflict markers, ${r.lines.length === 1 ? 'line' : 'lines'} ${someOf(r.lines.map(String))}.`,
    help: ['Remove those lines, then mark it resolved.'],
  }),
  'lines-lost': (r) => ({
    what: `${count(r.lines, 'line')} of the sides of ${r.path} ${r.lines === 1 ? 'is' : 'are'} not in the result. Nothing was written.`,
    help: ['Put them back, or drop them on purpose.'],
  }),
  'cannot-encode': (r) => ({
    what: `${r.path} is written in ${r.encoding === 'legacy' ? 'Windows-1252' : r.encoding}, which has no characters for all of ${r.lines.length === 1 ? 'line' : 'lines'} ${someOf(r.lines.map(String))}.`,
    help: ['Write those lines with the characters that it has, then mark it resolved.'],
  }),
  'operation-failed': (r) => ({
    what: `git could not go on with ${r.operation}${r.output === '' ? '.' : `: ${r.output}`}`,
    help: ['What was resolved stays resolved. Mend the cause, then try again.'],
  }),
}

/** The words for a refusal, the same at every door. */
export function refusalText(refusal: Refusal): RefusalText {
  const text = texts[refusal.refusal] as (refusal: Refusal) => RefusalText
  return text(refusal)
}
