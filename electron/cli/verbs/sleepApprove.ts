import type { ApproveOutcome } from '../../../shared/model/index.ts'
import { refused, success } from '../answer.ts'
import { showProgress } from '../progress.ts'
import { resolveRun } from '../runs.ts'
import { Failure, type Session } from '../session.ts'
import { texts, type Verb } from '../verb.ts'
import { count, plain } from '../words.ts'

type Approved = Extract<ApproveOutcome, { approved: true }>

export const verb: Verb = {
  options: { except: { type: 'string', multiple: true }, 'bring-main-in': { type: 'boolean' } },
  words: 1,
  help: [
    '--except PATH     leave this file out; may be given several times. What is unticked in the app stays out anyway.',
    '--bring-main-in   merge main into the run first where main has moved',
    'RUN: a branch (sleep/2026-11-30) or a run (2026-11-30). Without it: the one that waits.',
  ],
  async run({ session, positionals: [run], values, json, say }) {
    const repository = await session.repository()
    const branch = await resolveRun(session, repository, run, 'sleep approve')
    if (!json) showProgress(await session.core(), say)
    const outcome = await session.call('sleep.approve', {
      repoId: repository.id,
      branch,
      except: [...new Set([...texts(values, 'except'), ...(await unticked(session, repository.id, branch))])],
      bringMainIn: values['bring-main-in'] === true,
    })
    if (!outcome.approved) return refused('sleep.approve', { approved: false }, outcome.refusal, branch)
    return success('sleep.approve', withMarks(outcome), toText(outcome, repository.trunk.branch).join('\n'))
  },
}

/** What a review shows as left out: unticked by the person, or declined on another night. None where there is no branch to review. */
async function unticked(session: Session, repoId: string, branch: string): Promise<string[]> {
  try {
    const { files } = await session.call('review.get', { repoId, branch })
    return files.filter((file) => !file.included).map((file) => file.path)
  } catch (error) {
    if (error instanceof Failure && NO_BRANCH.has(error.wire.code)) return []
    throw error
  }
}

const NO_BRANCH: ReadonlySet<string> = new Set(['ERR_NO_SUCH_BRANCH', 'ERR_BRANCH_GONE'])

/** The counts of the ledger beside each other, by the names that the store's own tool gives them. */
const withMarks = (outcome: Approved) => ({
  ...outcome,
  marksPending: outcome.marks.pending,
  marksApplied: outcome.marks.applied,
  marksHeld: outcome.marks.held,
})

function toText(outcome: Approved, trunk: string): string[] {
  const { marks } = outcome
  const lines = outcome.alreadyMerged
    ? [`${plain(outcome.branch)} is merged already.`]
    : [
        `${plain(trunk)} moved ${count(outcome.commits, 'commit')} from ${outcome.from.slice(0, 7)} to ${outcome.to.slice(0, 7)}.`,
      ]
  if (outcome.leftOut.length > 0) lines.push(`Left out: ${outcome.leftOut.map(plain).join(', ')}.`)
  if (outcome.stale.length > 0) lines.push(`May be stale until the next night: ${outcome.stale.map(plain).join(', ')}.`)
  if (marks.pending > 0) lines.push(`${count(marks.applied, 'mark')} of ${marks.pending} applied.`)
  if (marks.held.length > 0) lines.push(`${count(marks.held.length, 'mark')} held back with what was left out.`)
  if (marks.failure !== null)
    lines.push(
      `Marks were not applied: ${plain(marks.failure)}. Apply them again: daybreak sleep approve ${plain(outcome.branch)}`,
    )
  if (outcome.branchRemoved) lines.push(`${plain(outcome.branch)} was removed. Take it back: daybreak sleep undo`)
  return lines
}
