import { CHANGE_KINDS, type FileChange, type Review } from '../../../shared/model/index.ts'
import { success } from '../answer.ts'
import { stateText } from '../inboxText.ts'
import { resolveRun } from '../runs.ts'
import { fileDiff } from '../unifiedDiff.ts'
import type { Verb } from '../verb.ts'
import { count, plain, plainLines } from '../words.ts'

export const verb: Verb = {
  options: { diff: { type: 'boolean' } },
  words: 1,
  help: [
    '--diff   the text of every change too',
    'RUN: a branch (sleep/2026-11-30) or a run (2026-11-30). Without it: the one that waits.',
  ],
  async run({ session, positionals: [run], values, json }) {
    const repository = await session.repository()
    const branch = await resolveRun(session, repository, run, 'sleep review')
    const review = await session.call('review.get', { repoId: repository.id, branch })
    if (values.diff !== true) return success('sleep.review', review, json ? '' : toText(review).join('\n'))
    const diffs: { path: string; diff: string }[] = []
    for (const { path } of review.files)
      diffs.push({ path, diff: fileDiff(await session.call('review.file', { repoId: repository.id, branch, path })) })
    const text = json ? '' : [...toText(review), '', ...diffs.map(({ diff }) => plainLines(diff))].join('\n')
    return success('sleep.review', { ...review, diffs }, text)
  },
}

function toText(review: Review): string[] {
  const lines = [
    `${plain(review.run.branch)}: ${count(review.run.commits, 'commit')}, ${count(review.run.files, 'file')}, ${stateText(review.run)}`,
    `${review.viewed} of ${review.files.length} viewed`,
  ]
  for (const kind of CHANGE_KINDS) {
    const files = review.files.filter((file) => file.kind === kind)
    if (files.length === 0) continue
    lines.push('', `${kind.replaceAll('-', ' ').replace(/^./, (c) => c.toUpperCase())} (${files.length})`)
    lines.push(...files.map((file) => `  ${fileLine(file)}`))
  }
  const foreign = review.commits.filter((commit) => commit.foreign !== null)
  if (foreign.length > 0) {
    lines.push('', `Commits that no phase made (${foreign.length})`)
    lines.push(
      ...foreign.map((commit) => `  ${commit.oid.slice(0, 7)} ${plain(commit.subject)} (${plain(commit.author)})`),
    )
  }
  if (review.ledger !== null && review.ledger.marks.length > 0)
    lines.push('', `Pending marks: ${review.ledger.marks.length}`)
  return lines
}

function fileLine(file: FileChange): string {
  const from = file.fromPath === null ? '' : `${plain(file.fromPath)} → `
  const details = [file.gist, ...(file.fields.length > 0 ? [file.fields.join(', ')] : [])].filter((d) => d !== null)
  const flags = [
    file.included ? '' : ' [left out]',
    file.missing === null ? '' : ` [cannot be read: object ${file.missing} is missing]`,
    file.declinedBefore ? ' [declined before]' : '',
    file.foreign ? ' [touched by a commit that no phase made]' : '',
    file.alsoOnTrunk ? ' [main changed it too]' : '',
  ].join('')
  return `${file.viewed === 'yes' ? '✓' : ' '} ${from}${plain(file.path)}${details.length > 0 ? `  ${plain(details.join('; '))}` : ''}${flags}`
}
