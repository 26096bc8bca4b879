import { archivedMemory, generatedLists, type MemorySpec, memoryHtml } from './memory.ts'
import type { CommitSpec, Entry } from './stream.ts'

/** The run that the built stores have waiting: its id is its branch. */
export const RUN = 'sleep/2026-11-30'
const RUN_AT = '2026-11-30T00:00:00Z'
/** When the night's first commit is made; the others follow minute by minute. */
const NIGHT_STARTS = Date.UTC(2026, 10, 30, 3, 0, 0)
const FILE = RUN.replace('/', '-')
export const LEDGER_PATH = `.memhtml/sleep/${FILE}.pending.jsonl`
export const REPORT_PATH = `.memhtml/sleep/${FILE}.html`

/** Paths of the built store, by what the night does to them. */
export const PATHS = {
  claim: 'resources/infra/connection-pool.html',
  folded: 'resources/infra/connection-pool-note.html',
  foldedTo: 'archive/2026/resources/infra/connection-pool-note.html',
  body: 'resources/infra/cache-lifetime.html',
  confidence: 'resources/oncall/rollback-order.html',
  entity: 'resources/oncall/retry-budget.html',
  link: 'resources/oncall/quiet-hours.html',
  linkTarget: 'resources/oncall/page-everyone.html',
  evicted: 'areas/inbox/standup-notes.html',
  evictedTo: 'archive/2026/areas/inbox/standup-notes.html',
  moved: 'areas/inbox/release-freeze.html',
  movedTo: 'projects/release/release-freeze.html',
  person: 'resources/people/ada-moreno.html',
  session: 'areas/inbox/20261129-queue-drain.html',
  untouched: 'resources/infra/log-retention.html',
} as const

export const SESSION_ID = '5d1f3c1e-7a40-4a5e-9d0b-2c5b8a9e1f00'

export const MEMORIES: Readonly<Record<string, MemorySpec>> = {
  [PATHS.claim]: {
    title: 'Connection pool',
    claim: 'The orders database takes 40 pooled connections.',
    rest: 'Past that, workers wait for a slot.',
    entities: ['service:orders-db'],
    tags: ['infra'],
  },
  [PATHS.folded]: {
    title: 'Connection pool note',
    claim: 'The orders database takes at most 40 connections from the pool.',
    entities: ['service:orders-db'],
    tags: ['infra'],
  },
  [PATHS.body]: {
    title: 'Cache lifetime',
    claim: 'Product pages stay in the cache for ten minutes.',
    body: ['A price change waits for the entry to expire.', 'Editors can purge one page by hand.'],
    tags: ['infra'],
  },
  [PATHS.confidence]: {
    title: 'Rollback order',
    type: 'procedural',
    claim: 'Roll back the web tier first, then the workers.',
    body: ['Workers read the older message form; the web tier does not.'],
    tags: ['oncall'],
  },
  [PATHS.entity]: {
    title: 'Retry budget',
    claim: 'A failed charge is tried three times within a minute.',
    entities: ['service:orders-db'],
    tags: ['oncall'],
  },
  [PATHS.link]: {
    title: 'Quiet hours',
    claim: 'Nobody is paged for a warning between 22:00 and 07:00.',
    entities: ['person:ada moreno'],
    tags: ['oncall'],
  },
  [PATHS.linkTarget]: {
    title: 'Page everyone',
    claim: 'Every warning pages the whole rota at once.',
    tags: ['oncall'],
  },
  [PATHS.evicted]: { title: 'Standup notes', type: 'episodic', claim: 'The standup moved to 10:15 for one week.' },
  [PATHS.moved]: {
    title: 'Release freeze',
    claim: 'Nothing is released in the last week of a quarter.',
    body: ['Security fixes are the exception.'],
    tags: ['release'],
  },
  [PATHS.untouched]: {
    title: 'Log retention',
    claim: 'Request logs are kept for 30 days.',
    pre: 'level=info  kept=30d\n  level=debug kept=2d',
    tags: ['infra'],
  },
}

/** One commit as a phase makes it, with its three trailers. */
export function phaseCommit(
  phase: string,
  subject: string,
  files: Readonly<Record<string, Entry>>,
  counts: Readonly<Record<string, number>> = {},
  run = RUN,
): CommitSpec {
  const trailers = `Memhtml-Run: ${run}\nMemhtml-Phase: ${phase}\nMemhtml-Counts: ${JSON.stringify(counts)}`
  return { on: run, message: `memhtml(sleep(${phase})): ${subject}\n\n${trailers}\n`, files }
}

const memory = (path: string) => MEMORIES[path] as MemorySpec
const decayed = (m: MemorySpec): MemorySpec => ({ ...m, updated: RUN_AT, metas: { ...m.metas, confidence: '0.920' } })

/** Lines of the ledger, one of each kind. */
export const MARK_LINES = [
  { kind: 'entity-promoted', entityType: 'service', aliasName: 'orders-db', canonicalName: 'orders-api', at: RUN_AT },
  { kind: 'edge-promoted', srcPath: PATHS.link, rel: 'contradicts', dstPath: PATHS.linkTarget, at: RUN_AT },
  { kind: 'session-consolidated', sessionId: SESSION_ID, runId: RUN, at: RUN_AT },
  {
    kind: 'commitment-below-floor',
    sessionId: SESSION_ID,
    statement: 'Look at the queue graphs on Friday.',
    confidence: 0.4,
    resolved: false,
    runId: RUN,
    at: RUN_AT,
  },
].map((mark) => JSON.stringify(mark))

export const MALFORMED_LINE = '{"kind":"edge-promoted","srcPath":'

/**
 * A night as a run leaves it on its branch: a claim changed, a body changed, one folded into another, one evicted,
 * one moved, two created, metadata of three kinds, generated lists, the ledger, the report. `ledger` replaces the
 * ledger's text; null leaves it out.
 */
export function nightCommits(ledger: string | null = `${MARK_LINES.join('\n')}\n`): CommitSpec[] {
  const claim: MemorySpec = {
    ...decayed(memory(PATHS.claim)),
    claim: 'The orders database takes 60 pooled connections.',
    links: [['supersedes', `/${PATHS.foldedTo}`]],
  }
  const entity: MemorySpec = { ...memory(PATHS.entity), updated: RUN_AT, entities: ['service:orders-api'] }
  const link: MemorySpec = { ...memory(PATHS.link), updated: RUN_AT, links: [['contradicts', `/${PATHS.linkTarget}`]] }
  const person: MemorySpec = {
    title: 'Ada Moreno',
    claim: 'Ada Moreno appears in what the agents remember.',
    created: RUN_AT,
    metas: { author: 'agent:sleep' },
    entities: ['person:ada moreno'],
  }
  const session: MemorySpec = {
    title: 'Queue drain',
    type: 'episodic',
    claim: 'Draining the mail queue by hand took 40 minutes.',
    created: RUN_AT,
    metas: { session: SESSION_ID, author: 'agent:sleep' },
  }
  const body: MemorySpec = {
    ...memory(PATHS.body),
    updated: RUN_AT,
    body: ['A price change purges its page at once.', 'Editors can purge one page by hand.'],
  }
  const folded = archivedMemory(memory(PATHS.folded), RUN_AT, `/${PATHS.claim}`)
  const evicted = archivedMemory(memory(PATHS.evicted), RUN_AT)
  const tip: Record<string, MemorySpec> = { ...MEMORIES, [PATHS.claim]: claim, [PATHS.body]: body }
  for (const gone of [PATHS.folded, PATHS.evicted, PATHS.moved]) delete tip[gone]
  Object.assign(tip, {
    [PATHS.entity]: entity,
    [PATHS.link]: link,
    [PATHS.confidence]: decayed(memory(PATHS.confidence)),
    [PATHS.foldedTo]: folded,
    [PATHS.evictedTo]: evicted,
    [PATHS.movedTo]: memory(PATHS.moved),
    [PATHS.person]: person,
    [PATHS.session]: session,
  })
  const at = (path: string) => memoryHtml(tip[path] as MemorySpec)
  const ledgerFiles: Record<string, string> = ledger === null ? {} : { [LEDGER_PATH]: ledger }
  const commits = [
    phaseCommit(
      'dedup-merge',
      'fold 1 near-duplicate into its canonical',
      {
        [PATHS.claim]: at(PATHS.claim),
        [PATHS.folded]: null,
        [PATHS.foldedTo]: at(PATHS.foldedTo),
        [PATHS.body]: at(PATHS.body),
      },
      { candidates: 2, merged: 1 },
    ),
    phaseCommit(
      'entity-resolution',
      'merge 1 alias',
      { [PATHS.entity]: at(PATHS.entity), ...ledgerFiles },
      { entities: 3, aliasMerges: 1, filesRewritten: 1 },
    ),
    phaseCommit('person-links', 'link 1 memory to 1 person', { [PATHS.person]: at(PATHS.person) }, { people: 1 }),
    phaseCommit('edge-typing', 'promote 1 contradiction', { [PATHS.link]: at(PATHS.link) }, { promoted: 1 }),
    phaseCommit('confidence-decay', 'decay 1 memory', { [PATHS.confidence]: at(PATHS.confidence) }, { decayed: 1 }),
    phaseCommit(
      'retention-triage',
      'evict 1 memory below the floor',
      { [PATHS.evicted]: null, [PATHS.evictedTo]: at(PATHS.evictedTo) },
      { evicted: 1 },
    ),
    phaseCommit('trace-consolidation', 'write 1 memory', { [PATHS.session]: at(PATHS.session) }, { written: 1 }),
    phaseCommit(
      'placement-triage',
      'move 1 memory',
      { [PATHS.moved]: null, [PATHS.movedTo]: at(PATHS.movedTo) },
      { moved: 1 },
    ),
    phaseCommit('integrity', 'regenerate the lists', generatedLists(tip), { dangling: 0 }),
    phaseCommit('state-export', 'export 0 rows', { '.memhtml/state/access.jsonl': '' }, { rows: 0 }),
    phaseCommit('report', `record run ${RUN}`, { [REPORT_PATH]: REPORT }, { committed: 10 }),
  ]
  return commits.map((commit, number) => (number === 0 ? { ...commit, at: NIGHT_STARTS } : commit))
}

const REPORT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Run ${RUN}</title>
</head>
<body>
<article>
<p><mark>${RUN} changed 11 memories.</mark></p>
</article>
</body>
</html>
`
