import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Core, createCore } from '../../electron/core/createCore.ts'
import type { Ports } from '../../electron/core/ports.ts'
import type { Caller, DecodedParams, EventPayload, Method, Params, Result } from '../../shared/contract/index.ts'
import { methods } from '../../shared/contract/index.ts'
import type { TestRepo } from './repo.ts'
import { workingTree } from './snapshot.ts'
import { type TestHome, withHome } from './temp.ts'

type CoreMethod = keyof Core['handlers']

/** A running core with one repository opened in it. */
export interface OpenedCore {
  readonly core: Core
  readonly repoId: string
  readonly test: TestHome
  readonly progress: EventPayload<'operation.progress'>[]
  /** Asks the core as a door does: parsed, without the envelope. */
  ask<M extends CoreMethod>(method: M, params: Omit<Params<M>, 'repoId'>, caller?: Caller): Promise<Result<M>>
  close(): Promise<void>
}

export interface OpenOptions extends Partial<Pick<Ports, 'fault' | 'clock' | 'lockPatience' | 'host'>> {
  readonly test?: TestHome
  readonly env?: NodeJS.ProcessEnv
}

/** Opens a folder in a core of its own, with a private home and no configuration of the machine. */
export async function openCore(repo: Pick<TestRepo, 'dir'>, options: OpenOptions = {}): Promise<OpenedCore> {
  const test = options.test ?? withHome()
  const progress: EventPayload<'operation.progress'>[] = []
  const core = createCore({
    home: test.home,
    env: { ...test.env, ...options.env },
    clock: options.clock ?? (() => new Date()),
    host: options.host ?? 'cli',
    version: '0',
    log: () => {},
    ...(options.lockPatience === undefined ? {} : { lockPatience: options.lockPatience }),
    ...(options.fault ? { fault: options.fault } : {}),
  })
  core.subscribe((event, payload) => {
    if (event === 'operation.progress') progress.push(payload as EventPayload<'operation.progress'>)
  })
  const caller: Caller = { via: 'test', actor: 'Test Person' }
  const opened = await core.handlers['repo.open']({ path: repo.dir, background: false }, caller)
  const ask = async <M extends CoreMethod>(method: M, params: Omit<Params<M>, 'repoId'>, by = caller) => {
    const decoded = methods[method].params.parse({ repoId: opened.id, ...params }) as DecodedParams<M>
    const run = core.handlers[method] as (params: DecodedParams<M>, caller: Caller) => Promise<Result<M>>
    const result = await run(decoded, by)
    return methods[method].result.parse(result) as Result<M>
  }
  return { core, repoId: opened.id, test, progress, ask, close: () => core.dispose() }
}

/** All that a verb must leave alone. */
export interface Before {
  readonly files: Readonly<Record<string, string>>
  readonly staged: string
  readonly refs: Readonly<Record<string, string>>
}

export function remember(repo: TestRepo): Before {
  return { files: workingTree(repo.dir), staged: stagedOf(repo), refs: repo.refs() }
}

const stagedOf = (repo: TestRepo) => repo.git('ls-files', '-s', '-v')

export interface Touched {
  /** Commits between which the verb moved the working tree; absent: it moved nothing. */
  readonly moved?: readonly [from: string, to: string]
  /** Lines of `status --porcelain=v2` that are to be there afterwards. */
  readonly status?: readonly string[]
}

/**
 * Checks what every verb owes: paths that it did not touch hold the same bytes, the index agrees with them, status
 * shows only what the person had, `git fsck` finds nothing, and no lock of ours is left.
 */
export function expectUntouched(repo: TestRepo, before: Before, touched: Touched = {}): void {
  const paths = new Set(
    touched.moved ? repo.git('diff', '--name-only', '--no-renames', '-z', ...touched.moved).split('\0') : [],
  )
  const rest = (files: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(files).filter(([path]) => !paths.has(Buffer.from(path, 'latin1').toString('utf8'))),
    )
  expect(rest(workingTree(repo.dir))).toEqual(rest(before.files))
  if (!touched.moved) expect(stagedOf(repo)).toEqual(before.staged)
  if (touched.status) expect(repo.status().split('\n').filter(Boolean)).toEqual(touched.status)
  repo.fsck()
  expectNoLocks(repo)
}

/** No lock is left anywhere, nor anything of ours beside an index. */
export function expectNoLocks(repo: TestRepo): void {
  const common = repo.git('rev-parse', '--path-format=absolute', '--git-common-dir')
  const found: string[] = []
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (entry.name !== 'objects') walk(path)
      } else if (entry.name.endsWith('.lock') || entry.name.startsWith('daybreak-')) found.push(path)
    }
  }
  walk(common)
  expect(found).toEqual([])
  const work = join(common, 'daybreak', 'work')
  expect(existsSync(work) ? readdirSync(work) : []).toEqual([])
}

export type { Method }
