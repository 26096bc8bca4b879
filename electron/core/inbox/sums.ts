import type { Inbox } from '../../../shared/model/index.ts'
import type { Act } from '../store/doneActs.ts'
import type { InboxReader } from './reader.ts'
import { lastDates, localDate, type TrunkCommitFiles, weekStart } from './week.ts'

type Week = Pick<Inbox, 'week' | 'sums'>

/** What came in and what was approved, a day at a time, and the sums of the week's acts. */
export async function sumUp(
  reader: InboxReader,
  acts: readonly Act[],
  commits: readonly TrunkCommitFiles[],
  now: Date,
): Promise<Week> {
  const since = weekStart(now).toISOString()
  const recent = acts.filter((act) => act.endedAt >= since)
  const approvals = recent.filter((act) => act.verb === 'approve')
  const cameIn = new Map<string, Set<string>>()
  for (const commit of commits) {
    if (commit.bySleep) continue
    const day = localDate(new Date(commit.at))
    const files = cameIn.get(day) ?? new Set()
    for (const file of commit.files) files.add(file)
    cameIn.set(day, files)
  }
  const approved = new Map<string, number>()
  let documents = 0
  for (const act of approvals) {
    const files = await approvedFiles(reader, act)
    documents += files
    const day = localDate(new Date(act.endedAt))
    approved.set(day, (approved.get(day) ?? 0) + files)
  }
  return {
    week: lastDates(now).map((date) => ({
      date,
      cameIn: cameIn.get(date)?.size ?? 0,
      approved: approved.get(date) ?? 0,
    })),
    sums: {
      approved: approvals.length,
      leftOut: approvals.reduce((sum, act) => sum + act.leftOut, 0),
      aborted: recent.filter((act) => act.verb === 'abort').length,
      documents,
    },
  }
}

/** Files that an approval brought to trunk; 0 where its commits are gone. */
async function approvedFiles(reader: InboxReader, act: Act): Promise<number> {
  if (act.files !== null) return act.files
  if (!act.from || !act.to || act.from === act.to) return 0
  try {
    const facts = await reader.facts(act.to, act.from)
    return facts.items.length
  } catch {
    return 0
  }
}
