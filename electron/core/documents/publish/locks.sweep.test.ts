import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectNoLocks, openCore } from '../../../../e2e/support/core.ts'
import { buildRepo, copyRepo } from '../../../../e2e/support/index.ts'
import type { Caller } from '../../../../shared/contract/index.ts'

const agent: Caller = { via: 'mcp', actor: 'planner' }
const built = buildRepo(undefined, { commits: [{ message: 'Begin', files: { 'plan.md': 'one\n' } }] })
const write = { path: 'plan.md', body: 'two\n', expectedVersion: 1 }

const SQLITE = createRequire(import.meta.url).resolve('better-sqlite3')
/** Holds the write lock of a database, for so many milliseconds or until it is killed, and says when it has it. */
const HOLDER = `
const db = new (require(${JSON.stringify(SQLITE)}))(process.argv[1])
db.exec('BEGIN IMMEDIATE')
console.log('held')
setTimeout(() => db.exec('COMMIT'), Number(process.argv[2]))
`

async function hold(file: string, ms: number) {
  const child = spawn(process.execPath, ['-e', HOLDER, file, String(ms)], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

/** Releases a file that is in the way after so many milliseconds, from another process. */
const releaseLater = (file: string, ms: number) =>
  spawn(process.execPath, ['-e', `setTimeout(() => require('fs').rmSync(process.argv[1]), ${ms})`, file])

describe('what someone else holds', () => {
  it('19: a database of Daybreak’s for 3 s delays a publish; for a minute it is told, and nothing is left behind', async () => {
    const repo = copyRepo(built)
    const core = await openCore(repo)
    const file = join(repo.gitDir, 'daybreak', 'state.db')
    const short = once(await hold(file, 3000), 'close')
    expect(await core.ask('documents.publish', write, agent)).toMatchObject({ status: 'ok', version: 2 })
    expect(await short).toEqual([0, null])

    const long = await hold(file, 60_000)
    const tip = repo.oid('main')
    const next = { ...write, body: 'three\n', expectedVersion: 2 }
    await expect(core.ask('documents.publish', next, agent)).rejects.toMatchObject({ code: 'ERR_STORAGE_BUSY' })
    const gone = once(long, 'close')
    long.kill()
    await gone
    expect(repo.oid('main')).toBe(tip)
    expect(repo.status()).toBe('')
    expectNoLocks(repo)
    repo.fsck()
    expect(await core.ask('documents.publish', next, agent)).toMatchObject({ status: 'ok', version: 3 })
    await core.close()
  }, 60_000)

  it('the index for 3 s delays a publish', async () => {
    const repo = copyRepo(built)
    const core = await openCore(repo)
    const lock = join(repo.gitDir, 'index.lock')
    writeFileSync(lock, '')
    const other = once(releaseLater(lock, 3000), 'close')
    expect(await core.ask('documents.publish', write, agent)).toMatchObject({ status: 'ok', version: 2 })
    await other
    expect(repo.status()).toBe('')
    expectNoLocks(repo)
    await core.close()
  })
})
