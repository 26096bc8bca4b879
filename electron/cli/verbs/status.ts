import { candidateLine, lossesText } from '../../core/documents/texts.ts'
import { success } from '../answer.ts'
import { conflictLines, conflictsInShort } from '../conflictText.ts'
import { runLines } from '../inboxText.ts'
import type { Verb } from '../verb.ts'
import { count, plain } from '../words.ts'

export const verb: Verb = {
  options: {},
  words: 0,
  help: ['● can be approved now   ◐ needs something first   ✕ cannot be approved'],
  async run({ session }) {
    const { id } = await session.repository()
    const [inbox, { sets }, candidates, losses] = await Promise.all([
      session.call('inbox.get', { repoId: id }),
      session.call('conflicts.list', { repoId: id }),
      session.call('candidates.list', { repoId: id }),
      session.call('candidates.losses', { repoId: id }),
    ])
    const { repository, tree, sleepBranches, marksWaiting } = inbox
    const head =
      repository.head.kind === 'detached' ? `detached at ${repository.head.oid.slice(0, 7)}` : repository.head.branch
    const lines = [
      `${plain(repository.name)} (${plain(head)}, ${tree.clean ? 'clean' : count(tree.total, 'local change')})`,
      ...(sleepBranches.length + sets.length + candidates.length + losses.length === 0
        ? ['Nothing waits for you.']
        : runLines(sleepBranches, new Date())),
      ...marksWaiting.map(
        (run) =>
          `${plain(run.branch)}: ${count(run.pending, 'mark')} not applied (${plain(run.failure)}). Apply again: daybreak sleep approve ${plain(run.branch)}`,
      ),
      ...(candidates.length === 0
        ? []
        : ['Merge candidates', ...candidates.map((row) => `  ${plain(candidateLine(row))}`)]),
      ...(losses.length === 0
        ? []
        : [
            'Lost lines',
            ...lossesText(losses)
              .split('\n')
              .map((line) => `  ${plain(line)}`),
          ]),
      ...(sets.length === 0 ? [] : ['Conflicts', ...sets.flatMap(conflictLines)]),
    ]
    return success('status', { ...inbox, candidates, losses, conflicts: sets.map(conflictsInShort) }, lines.join('\n'))
  },
}
