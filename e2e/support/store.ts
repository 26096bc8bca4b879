import { dirname } from 'node:path'
import { generatedLists, memoryHtml } from './memory.ts'
import { MEMORIES, nightCommits, PATHS, RUN } from './night.ts'
import { buildRepo, type RepoSpec, type TestRepo } from './repo.ts'
import { createStoreDbs } from './storeDb.ts'
import type { CommitSpec, Files } from './stream.ts'

export interface StoreSpec {
  /** False: no sleep branch at all. */
  readonly night?: boolean
  /** The ledger's text; null: the night earned no marks. Default: one line of each kind. */
  readonly ledger?: string | null
  /** Commits that go on the branch after the night, e.g. a foreign one. */
  readonly afterNight?: readonly CommitSpec[]
  /** Commits that go on main after the night's base. */
  readonly onMain?: readonly CommitSpec[]
  /** More files in main's base commit. */
  readonly files?: Files
  /** Default `main`; the store's own tool leaves HEAD on the sleep branch. */
  readonly head?: RepoSpec['head']
  readonly bare?: boolean
  readonly local?: Files
  readonly config?: string
  readonly refs?: Readonly<Record<string, string>>
  /** False: the store's databases are absent, as in a fresh clone. */
  readonly databases?: boolean
  /** Status of the run's row; null: there is no row. */
  readonly runStatus?: 'running' | 'review' | 'merged' | 'abandoned' | 'failed' | null
}

const KEEP = ['projects', 'areas', 'resources', 'archive', 'areas/inbox', '.memhtml/state', '.memhtml/sleep']

/** What a store has in every tree besides its memories. */
const SCAFFOLD: Files = {
  '.gitignore': '.memhtml/index.db\n.memhtml/state.db\n.memhtml/index.db-*\n.memhtml/state.db-*\n',
  '.gitattributes': 'index.html merge=ours\nsitemap.xml merge=ours\n*.html diff=html\n',
  'README.html':
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Notes</title>\n</head>\n<body>\n<article>\n<p>What the agents of this team remember.</p>\n</article>\n</body>\n</html>\n',
  ...Object.fromEntries(KEEP.map((folder) => [`${folder}/.gitkeep`, ''])),
}

/** Main of a built store: the scaffold, then one commit a memory, by two agents. */
function mainCommits(more: Files): CommitSpec[] {
  const agents = [
    { name: 'planner', email: 'planner@agent.invalid' },
    { name: 'researcher', email: 'researcher@agent.invalid' },
  ]
  return [
    { message: 'memhtml(init): scaffold the memory repository', files: { ...SCAFFOLD, ...more } },
    ...Object.entries(MEMORIES).map(([path, memory], at): CommitSpec => {
      const author = agents[at % 2]
      return {
        message: `memhtml(write): ${memory.title}`,
        files: { [path]: memoryHtml(memory) },
        ...(author ? { author } : {}),
      }
    }),
    { message: 'memhtml(write): generated lists', files: generatedLists(MEMORIES), label: 'base' },
  ]
}

/**
 * A store in the format of its own tool: memories, generated lists, run report, ledger, databases, and one night on
 * `sleep/2026-11-30` that waits for review.
 */
export function buildStore(dir?: string, spec: StoreSpec = {}): TestRepo {
  const night = spec.night === false ? [] : nightCommits(spec.ledger)
  const repo = buildRepo(dir, {
    commits: [
      ...mainCommits(spec.files ?? {}),
      ...night.map((commit, at) => (at === 0 ? { ...commit, from: 'base' } : commit)),
      ...(spec.afterNight ?? []).map((commit) => ({ on: RUN, ...commit })),
      ...(spec.onMain ?? []),
    ],
    config: `[merge "ours"]\n\tdriver = true\n${spec.config ?? ''}`,
    ...(spec.head === undefined ? {} : { head: spec.head }),
    ...(spec.bare ? { bare: true } : {}),
    ...(spec.refs ? { refs: spec.refs } : {}),
    ...(spec.local ? { local: spec.local } : {}),
  })
  if (spec.databases !== false && !spec.bare)
    addStoreDbs(repo, spec.runStatus === undefined ? 'review' : spec.runStatus)
  return repo
}

/** Makes the store's databases for a repository whose sleep branch is there (or not). */
export function addStoreDbs(repo: TestRepo, status: NonNullable<StoreSpec['runStatus']> | null = 'review'): void {
  const branch = repo.code('rev-parse', '-q', '--verify', `refs/heads/${RUN}`) === 0
  const headSha = repo.oid('main')
  const runs = []
  if (branch && status !== null) {
    const listed = repo.git(
      'log',
      '--reverse',
      '--format=%H %(trailers:key=Memhtml-Phase,valueonly,separator=)',
      `main..${RUN}`,
    )
    const phases = listed
      .split('\n')
      .map((row) => row.split(' '))
      .filter((row) => row[1])
      .map(([commitSha = null, phase = '']) => ({ phase, commitSha }))
    runs.push({
      runId: RUN,
      baseSha: repo.git('merge-base', 'main', RUN),
      headSha: repo.oid(RUN),
      status,
      phases: [...new Map(phases.map((p) => [p.phase, p])).values()],
    })
  }
  createStoreDbs(repo.dir, {
    headSha,
    runs,
    edges: [[PATHS.link, 'contradicts', PATHS.linkTarget]],
    entities: [['service', 'orders-db', 'orders-api']],
  })
}

/** The folder that holds a built repository, for linked worktrees beside it. */
export const beside = (repo: TestRepo, name: string) => `${dirname(repo.dir)}/${repo.dir.split('/').at(-1)}-${name}`
