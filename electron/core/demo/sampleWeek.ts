import { ledgerPath, reportPath } from '../../../shared/model/index.ts'
import type { HistoryCommit } from '../git/importHistory.ts'
import { listFiles, memoryFile, type ReportRow, reportFile, type StampedMemory } from './memoryFile.ts'
import {
  dateOf,
  readSample,
  type SampleChange,
  type SampleNight,
  type SampleSource,
  type SampleStep,
  type SampleWrite,
} from './sampleData.ts'

const SLEEP = { name: 'Sleep', email: 'sleep@agent.invalid' }
const SCAFFOLD: Readonly<Record<string, string>> = {
  '.gitignore': '.memhtml/index.db\n.memhtml/state.db\n.memhtml/index.db-*\n.memhtml/state.db-*\n',
  '.gitattributes': 'index.html merge=ours\nsitemap.xml merge=ours\n*.html diff=html\n',
  '.memhtml/sleep/.gitkeep': '',
  '.memhtml/state/.gitkeep': '',
  'archive/.gitkeep': '',
}

/** One night of the sample, as its run row needs it. */
export interface SampleRun {
  readonly runId: string
  readonly approved: boolean
  readonly at: Date
  /** Positions in `commits` of the one it started from and of its last. */
  readonly base: number
  readonly tip: number
}

export interface SampleWeek {
  readonly name: string
  /** Oldest first; those of the waiting night are on its branch, all others on main. */
  readonly commits: readonly HistoryCommit[]
  readonly runs: readonly SampleRun[]
  /** The branch that waits. */
  readonly branch: string
  /** What the waiting night's marks promote. */
  readonly marks: SampleStep['marks']
}

type Tree = Map<string, StampedMemory>
type Files = Map<string, string | null>

/** 03:00 UTC of the last night that is over at `now`. */
export function lastNight(now: Date): Date {
  const night = new Date(`${now.toISOString().slice(0, 10)}T03:00:00Z`)
  return now.getTime() < night.getTime() + 15 * 60_000 ? new Date(night.getTime() - 86_400_000) : night
}

/** The sample's whole history for somebody who looks at `now`. Pure: the same instant gives the same commits. */
export function sampleWeek(now: Date): SampleWeek {
  const night = lastNight(now)
  const source = readSample(night)
  const tree: Tree = new Map()
  const commits: HistoryCommit[] = [scaffold(night)]
  const runs: SampleRun[] = []
  const events = [
    ...source.week.writes.map((write) => ({ at: instant(night, write.day, write.at), write, sleep: null })),
    ...source.nights.map((sleep) => ({ at: instant(night, sleep.day, '03:00'), write: null, sleep })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime())
  for (const event of events) {
    if (event.write) commits.push(writeCommit(source, event.write, event.at, tree))
    if (event.sleep) {
      const runId = `sleep/${event.at.toISOString().slice(0, 10)}`
      const base = commits.length - 1
      commits.push(...nightCommits(source, event.sleep, runId, event.at, tree))
      runs.push({ runId, approved: event.sleep.approved, at: event.at, base, tip: commits.length - 1 })
    }
  }
  const waiting = source.nights.find((one) => !one.approved)
  return {
    name: source.week.name,
    commits,
    runs,
    branch: runs.find((run) => !run.approved)?.runId ?? '',
    marks: (waiting?.phases ?? []).flatMap((step) => step.marks),
  }
}

const stamp = (at: Date) => at.toISOString().replace(/\.\d+Z$/, 'Z')
const instant = (night: Date, day: number, time: string) => new Date(`${dateOf(night, day)}T${time}:00Z`)

function scaffold(night: Date): HistoryCommit {
  return {
    branch: 'main',
    author: { name: 'Planner', email: 'planner@agent.invalid' },
    at: instant(night, -7, '08:30'),
    message: 'memhtml(init): scaffold the memory repository',
    files: new Map(Object.entries(SCAFFOLD)),
  }
}

function writeCommit(source: SampleSource, write: SampleWrite, at: Date, tree: Tree): HistoryCommit {
  const author = source.week.agents[write.by] ?? SLEEP
  const memory: StampedMemory = {
    ...write.memory,
    author: write.by,
    ...(write.session ? { session: write.session } : {}),
    created: stamp(at),
    updated: stamp(at),
  }
  tree.set(write.path, memory)
  const trailer = write.session ? `\n\nMemhtml-Session: ${write.session}` : ''
  const files = new Map([[write.path, memoryFile(memory)]])
  return { branch: 'main', author, at, message: `memhtml(write): ${write.memory.title}${trailer}`, files }
}

function nightCommits(source: SampleSource, night: SampleNight, run: string, at: Date, tree: Tree): HistoryCommit[] {
  const runInstant = `${run.slice('sleep/'.length)}T00:00:00Z`
  const done: ReportRow[] = []
  let ledger = ''
  return night.phases.map((step, index) => {
    const files: Files = new Map()
    for (const change of step.changes) apply(change, runInstant, tree, files)
    for (const path of step.decay) decay(path, runInstant, tree, files)
    if (step.marks.length > 0) {
      const lines = step.marks.map(
        (mark) => `${JSON.stringify({ ...mark, at: runInstant }).replaceAll('{run}', run)}\n`,
      )
      ledger += lines.join('')
      files.set(ledgerPath(run), ledger)
    }
    if (step.lists) for (const [path, text] of listFiles(tree)) files.set(path, text)
    if (step.access) files.set('.memhtml/state/access.jsonl', accessRows(step.counts.rows ?? 0, tree, runInstant))
    if (step.report) files.set(reportPath(run), reportFile(run, done))
    if (!step.foreign) done.push({ phase: step.phase, counts: step.counts })
    const agent = step.foreign ? source.week.agents[step.foreign.by] : undefined
    return {
      branch: night.approved ? 'main' : run,
      author: agent ?? SLEEP,
      at: new Date(at.getTime() + index * 20_000),
      message: (step.foreign ? step.subject : phaseMessage(step, run)).replaceAll('{run}', run),
      files,
    }
  })
}

function phaseMessage(step: SampleStep, run: string): string {
  const body = step.why.length > 0 ? `${step.why.map((line) => `  ${line}`).join('\n')}\n\n` : ''
  const trailers = `Memhtml-Run: ${run}\nMemhtml-Phase: ${step.phase}\nMemhtml-Counts: ${JSON.stringify(step.counts)}`
  return `memhtml(sleep(${step.phase})): ${step.subject}\n\n${body}${trailers}`
}

function apply(change: SampleChange, at: string, tree: Tree, files: Files): void {
  const found = tree.get(change.path)
  const before = found ?? (change.create ? { ...change.create, created: at, updated: at } : null)
  if (!before) throw new Error(`the sample has no ${change.path}`)
  const links = [...(before.links ?? []), ...(change.links ?? [])]
  const touched = change.set !== undefined || change.links !== undefined
  const { claim, body, entities } = change.set ?? {}
  let after: StampedMemory = {
    ...before,
    ...(claim === undefined ? {} : { claim }),
    ...(body === undefined ? {} : { body }),
    ...(entities === undefined ? {} : { entities }),
    ...(links.length > 0 ? { links } : {}),
  }
  if (touched) after = { ...after, updated: at }
  let path = change.moveTo ?? change.path
  if (change.archive) {
    path = `archive/${at.slice(0, 4)}/${change.path}`
    const by = change.archive.supersededBy
    after = { ...after, updated: at, archived: at, ...(by ? { supersededBy: by } : {}) }
  }
  if (path !== change.path) {
    tree.delete(change.path)
    files.set(change.path, null)
  }
  tree.set(path, after)
  files.set(path, memoryFile(after))
}

/** One step of the store's decay: a tenth of the way towards 0.2. */
function decay(path: string, at: string, tree: Tree, files: Files): void {
  const before = tree.get(path)
  if (!before) throw new Error(`the sample has no ${path}`)
  const after = { ...before, updated: at, confidence: (before.confidence ?? 1) * 0.9 + 0.02 }
  tree.set(path, after)
  files.set(path, memoryFile(after))
}

function accessRows(count: number, tree: Tree, at: string): string {
  const paths = [...tree.keys()].filter((path) => path.startsWith('resources/oncall/')).sort()
  const rows = paths.slice(0, count).map((path, index) => ({
    path,
    accessCount: 6 - index,
    reinforcementCount: 2,
    outcomeScore: 0.35,
    lastAccessedAt: at,
    lastReinforcedAt: at,
    updatedAt: at,
  }))
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}
