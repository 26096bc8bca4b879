import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { dumpStoreDbs, openTestRepo, sidecars, type TestRepo, tempDir, withHome } from '../../../e2e/support/index.ts'
import { isMemoryPath, mayTouch, phaseNamed, phaseOrdinal } from '../../../shared/model/index.ts'
import { contentHash, parseMemory } from '../memory/read.ts'
import type { Ports } from '../ports.ts'
import { buildSample } from './buildSample.ts'
import { lastNight, sampleWeek } from './sampleWeek.ts'

const RUN = 'sleep/2027-03-02'
const ports = (home: string): Ports => ({
  home,
  env: withHome().env,
  clock: () => new Date('2027-03-02T08:15:00Z'),
  host: 'cli',
  version: '0',
  log: () => {},
})
const home = tempDir('demo')
let repo: TestRepo

beforeAll(async () => {
  repo = openTestRepo(await buildSample(ports(home)))
})

describe('the sample repository', () => {
  it('is a sound store on main, clean, with one night that waits', () => {
    repo.fsck()
    expect(repo.status()).toBe('')
    expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('main')
    expect(Object.keys(repo.refs())).toEqual(['refs/heads/main', `refs/heads/${RUN}`])
    expect(repo.oid('main')).toBe(repo.git('merge-base', 'main', RUN))
    expect(readdirSync(repo.dir)).toContain('.memhtml')
  })

  it('has a week of commits by several agents up to the evening before', () => {
    const authors = new Set(repo.git('log', '--format=%an', 'main').split('\n'))
    expect([...authors].sort()).toEqual(['Builder', 'On-call', 'Planner', 'Researcher', 'Sleep'])
    const times = repo.git('log', '--reverse', '--format=%cI', 'main', RUN).split('\n')
    expect(times[0]).toMatch(/^2027-02-23T08:30/)
    expect(times.at(-1)).toMatch(/^2027-03-02T03:0/)
  })

  it('has a night whose phases keep their order and their paths, and one commit that no phase made', () => {
    const rows = repo.git(
      'log',
      '--reverse',
      '--format=%H %(trailers:key=Memhtml-Phase,valueonly,separator=)',
      `main..${RUN}`,
    )
    const phases = rows.split('\n').map((row) => row.split(' '))
    expect(phases.filter(([, phase]) => !phase)).toHaveLength(1)
    const ordinals = phases.filter(([, phase]) => phase).map(([, phase]) => phaseOrdinal(phase ?? '') ?? -1)
    expect(ordinals).toEqual([...ordinals].sort((a, b) => a - b))
    for (const [oid = '', name] of phases) {
      if (!name) continue
      const phase = phaseNamed(name)
      const touched = repo
        .git('diff-tree', '-r', '--no-commit-id', '--name-only', '-z', oid)
        .split('\0')
        .filter(Boolean)
      for (const path of touched) expect(phase && mayTouch(phase, path, RUN), `${name} ${path}`).toBe(true)
    }
  })

  it('writes content hashes that change when, and only when, the article changes', () => {
    const hash = (at: string, path: string) =>
      /content-hash" content="([^"]+)/.exec(repo.show(at, path).toString())?.[1]
    const decayed = 'resources/infra/feature-flags.html'
    expect(hash(RUN, decayed)).toBe(hash('main', decayed))
    expect(repo.show(RUN, decayed).toString()).toContain('memhtml-confidence" content="0.920"')
    const claim = 'resources/infra/connection-pool.html'
    expect(hash(RUN, claim)).not.toBe(hash('main', claim))
  })

  it('says in every memory, on main and on the branch, the hash that its article has', async () => {
    for (const at of ['main', RUN])
      for (const path of repo.git('ls-tree', '-r', '--name-only', at).split('\n').filter(isMemoryPath)) {
        const bytes = repo.show(at, path)
        const article = (await parseMemory(bytes))?.article
        expect(article && contentHash(article), path).toBe(/content-hash" content="([^"]+)/.exec(bytes.toString())?.[1])
      }
  })

  it('links only to memories that are there', () => {
    const paths = repo.git('ls-tree', '-r', '--name-only', RUN).split('\n')
    for (const path of paths.filter(isMemoryPath)) {
      const text = repo.show(RUN, path).toString()
      for (const [, target = ''] of text.matchAll(/<link rel="[^"]+" href="\/([^"]+)"/g))
        expect(paths, path).toContain(target)
      const superseded = /superseded-by" content="\/([^"]+)/.exec(text)?.[1]
      if (superseded) expect(paths, path).toContain(superseded)
    }
  })

  it('has databases that know both runs and what the marks promote', () => {
    expect(sidecars(repo.dir)).toEqual([])
    const dump = dumpStoreDbs(repo.dir)
    expect(dump['index.sleep_runs']).toMatchObject([
      { run_id: 'sleep/2027-02-27', status: 'merged' },
      { run_id: RUN, status: 'review', base_sha: repo.oid('main'), head_sha: repo.oid(RUN) },
    ])
    expect(dump['state.edge_corroboration']).toMatchObject([{ rel: 'contradicts', promoted: 0 }])
    expect(dump['state.entity_corroboration']).toMatchObject([{ canonical_name: 'orders-db', promoted: 0 }])
    const ledger = repo.show(RUN, '.memhtml/sleep/sleep-2027-03-02.pending.jsonl').toString().trim().split('\n')
    expect(ledger.map((line) => JSON.parse(line).kind)).toEqual([
      'entity-promoted',
      'edge-promoted',
      'session-consolidated',
      'commitment-below-floor',
    ])
    expect(ledger.join('')).not.toContain('{run}')
  })

  it('is taken again as long as nothing was done in it', async () => {
    expect(await buildSample(ports(home))).toBe(repo.dir)
    expect(readdirSync(join(home, 'samples'))).toEqual(['1'])
    const nextDay = { ...ports(tempDir('demo')), clock: () => new Date('2027-03-03T08:15:00Z') }
    const first = await buildSample({ ...ports(nextDay.home), clock: () => new Date('2027-03-02T08:15:00Z') })
    expect(await buildSample(nextDay)).not.toBe(first)
    openTestRepo(first).git('branch', 'mine')
    expect(await buildSample({ ...nextDay, clock: () => new Date('2027-03-02T08:15:00Z') })).not.toBe(first)
    expect(openTestRepo(first).code('rev-parse', '-q', '--verify', 'mine')).toBe(0)
  })

  it('is built anew beside one in which something was done, which keeps it', async () => {
    const note = join(repo.dir, 'mine.txt')
    writeFileSync(note, 'mine')
    const second = await buildSample(ports(home))
    expect(second).not.toBe(repo.dir)
    expect(readFileSync(note, 'utf8')).toBe('mine')
    expect(readdirSync(second)).not.toContain('mine.txt')
  })

  it('names what cannot be written, and leaves nothing half built', async () => {
    const blocked = tempDir('blocked')
    writeFileSync(join(blocked, 'samples'), 'a file')
    await expect(buildSample(ports(blocked))).rejects.toMatchObject({ code: 'ERR_FOLDER_TAKEN' })
    expect(statSync(join(blocked, 'samples')).isFile()).toBe(true)
  })
})

describe('the night of the sample', () => {
  it('is the last that is over', () => {
    expect(lastNight(new Date('2027-03-02T03:10:00Z')).toISOString()).toBe('2027-03-01T03:00:00.000Z')
    expect(lastNight(new Date('2027-03-02T03:20:00Z')).toISOString()).toBe('2027-03-02T03:00:00.000Z')
  })

  it('has no commit in the future, at any hour', () => {
    for (const hour of ['00', '03', '04', '12', '23']) {
      const now = new Date(`2027-03-02T${hour}:16:00Z`)
      for (const commit of sampleWeek(now).commits) expect(commit.at.getTime()).toBeLessThanOrEqual(now.getTime())
    }
  })
})
