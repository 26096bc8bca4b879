import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectNoLocks, type OpenedCore, openCore } from '../../../e2e/support/core.ts'
import { buildBranch, RUN, type TestRepo, tempDir } from '../../../e2e/support/index.ts'

const CLEAN = 'sed s/SHOWN/STORED/'
const SMUDGE = 'sed s/STORED/SHOWN/'
const approveParams = { branch: RUN, except: [], bringMainIn: false }

/** A file that the night changes is stored in other words than it is shown in. `own`: the repository defines how. */
function filtered(own: boolean): TestRepo {
  const repo = buildBranch(undefined, { 'a.txt': 'STORED one\n', 'b.txt': 'b\n' }, { 'a.txt': 'STORED two\n' })
  repo.write('.git/info/attributes', 'a.txt filter=own\n')
  repo.write('a.txt', 'SHOWN one\n')
  if (own) {
    repo.git('config', 'filter.own.clean', CLEAN)
    repo.git('config', 'filter.own.smudge', SMUDGE)
  }
  repo.git('-c', `filter.own.clean=${CLEAN}`, 'add', 'a.txt')
  return repo
}

/** A configuration of the person's own that defines the filter. */
function personal(): { GIT_CONFIG_GLOBAL: string } {
  const file = join(tempDir('config'), 'gitconfig')
  writeFileSync(file, `[filter "own"]\n\tclean = ${CLEAN}\n\tsmudge = ${SMUDGE}\n`)
  return { GIT_CONFIG_GLOBAL: file }
}

const shown = (repo: Pick<TestRepo, 'read'>) => repo.read('a.txt').toString()
const statusOf = (repo: TestRepo) => repo.git('-c', `filter.own.clean=${CLEAN}`, 'status', '--porcelain=v2')

async function trust({ ask }: OpenedCore): Promise<void> {
  const { hash } = await ask('trust.get', {})
  await ask('trust.accept', { hash })
}

const NOT_TRUSTED = {
  refusal: { refusal: 'not-trusted', items: [{ name: 'filter.own.clean' }, { name: 'filter.own.smudge' }] },
}

describe('a filter of the repository’s own that was not accepted', () => {
  it('is told and refused where another worktree defines it for itself alone, and runs there once accepted', async () => {
    const repo = buildBranch(undefined, { 'a.txt': 'STORED one\n', 'b.txt': 'b\n' }, { 'a.txt': 'STORED two\n' })
    const other = join(tempDir('worktree'), 'other')
    repo.git('checkout', '-q', '--detach', 'main')
    repo.git('worktree', 'add', '-q', other, 'main')
    repo.git('config', 'extensions.worktreeConfig', 'true')
    repo.write('.git/info/attributes', 'a.txt filter=own\n')
    repo.git('-C', other, 'config', '--worktree', 'filter.own.clean', CLEAN)
    repo.git('-C', other, 'config', '--worktree', 'filter.own.smudge', SMUDGE)
    writeFileSync(join(other, 'a.txt'), 'SHOWN one\n')
    repo.git('-C', other, 'add', 'a.txt')
    const opened = await openCore(repo)
    const refs = repo.refs()
    expect(await opened.ask('trust.get', {})).toMatchObject({
      state: 'not-trusted',
      ...{ items: NOT_TRUSTED.refusal.items },
    })
    expect(await opened.ask('sleep.approve', approveParams)).toMatchObject({ approved: false, ...NOT_TRUSTED })
    expect([repo.refs(), readFileSync(join(other, 'a.txt'), 'utf8')]).toEqual([refs, 'SHOWN one\n'])
    await trust(opened)
    expect(await opened.ask('sleep.approve', approveParams)).toMatchObject({ approved: true })
    expect(readFileSync(join(other, 'a.txt'), 'utf8')).toBe('SHOWN two\n')
    await opened.close()
  })

  it('stops undo and revert, which would write the stored bytes out; once accepted both go through it', async () => {
    const repo = filtered(true)
    const opened = await openCore(repo)
    await trust(opened)
    const outcome = await opened.ask('sleep.approve', approveParams)
    const { operationId } = outcome as Extract<typeof outcome, { approved: true }>
    await opened.ask('trust.revoke', {})
    const refs = repo.refs()
    for (const revert of [false, true])
      expect(await opened.ask('sleep.undo', { operationId, revert })).toMatchObject({ undone: false, ...NOT_TRUSTED })
    expect([repo.refs(), shown(repo), statusOf(repo)]).toEqual([refs, 'SHOWN two\n', ''])
    await trust(opened)
    expect(await opened.ask('sleep.undo', { operationId, revert: false })).toMatchObject({ undone: true })
    expect([shown(repo), statusOf(repo)]).toEqual(['SHOWN one\n', ''])
    await opened.close()
  })

  it('stops an abort with HEAD on the branch', async () => {
    const repo = filtered(true)
    repo.git('checkout', '-q', RUN)
    const opened = await openCore(repo)
    expect(await opened.ask('sleep.abort', { branch: RUN })).toMatchObject({ aborted: false, ...NOT_TRUSTED })
    expect([repo.git('symbolic-ref', '--short', 'HEAD'), shown(repo)]).toEqual([RUN, 'SHOWN two\n'])
    await trust(opened)
    expect(await opened.ask('sleep.abort', { branch: RUN })).toMatchObject({ aborted: true })
    expect([shown(repo), statusOf(repo)]).toEqual(['SHOWN one\n', ''])
    await opened.close()
  })

  it('stops bringing main in where a worktree that holds the branch would get the file', async () => {
    const repo = filtered(true)
    repo.git('checkout', '-q', RUN)
    repo.git('checkout', '-q', 'main')
    repo.commit('main moves', { 'c.txt': 'STORED c\n' })
    repo.write('.git/info/attributes', '*.txt filter=own\n')
    repo.git('checkout', '-q', RUN)
    const opened = await openCore(repo)
    const tip = repo.oid(RUN)
    for (const ask of [
      () => opened.ask('sleep.bringMainIn', { branch: RUN }),
      // The file comes from main, so it is nothing that the night itself touches.
      () => opened.ask('sleep.approve', { ...approveParams, bringMainIn: true }),
    ])
      expect(await ask()).toMatchObject(NOT_TRUSTED)
    expect(repo.oid(RUN)).toBe(tip)
    await trust(opened)
    expect(await opened.ask('sleep.bringMainIn', { branch: RUN })).toMatchObject({ brought: true })
    expect(repo.read('c.txt').toString()).toBe('SHOWN c\n')
    expect(statusOf(repo)).toBe('')
    await opened.close()
  })
})

describe('a filter of the person’s own', () => {
  it('writes files out in every verb, unasked', async () => {
    const repo = filtered(false)
    const opened = await openCore(repo, { env: personal() })
    const { ask } = opened
    const outcome = await ask('sleep.approve', approveParams)
    expect([shown(repo), statusOf(repo)]).toEqual(['SHOWN two\n', ''])
    const { operationId } = outcome as Extract<typeof outcome, { approved: true }>
    expect(await ask('sleep.undo', { operationId, revert: false })).toMatchObject({ undone: true })
    expect([shown(repo), statusOf(repo)]).toEqual(['SHOWN one\n', ''])
    const again = await ask('sleep.approve', approveParams)
    expect(again).toMatchObject({ approved: true })
    const night = again as Extract<typeof again, { approved: true }>
    expect(await ask('sleep.undo', { operationId: night.operationId, revert: true })).toMatchObject({ undone: true })
    expect([shown(repo), statusOf(repo)]).toEqual(['SHOWN one\n', ''])
    await opened.close()
  })

  it('writes files out when an abort takes HEAD back to main', async () => {
    const repo = filtered(false)
    repo.git('-c', `filter.own.smudge=${SMUDGE}`, '-c', `filter.own.clean=${CLEAN}`, 'checkout', '-q', RUN)
    const opened = await openCore(repo, { env: personal() })
    expect(await opened.ask('sleep.abort', { branch: RUN })).toMatchObject({ aborted: true })
    expect([shown(repo), statusOf(repo)]).toEqual(['SHOWN one\n', ''])
    await opened.close()
  })
})

describe('mending what was cut off where a filter applies', () => {
  /** An approval that ends at a point as if its process had died there. */
  async function cutOff(repo: TestRepo, point: string, env: NodeJS.ProcessEnv) {
    let cut = false
    const opened = await openCore(repo, {
      env,
      fault: (at) => {
        cut ||= at === `approve:${point}`
        if (cut) throw new Error('cut off')
      },
    })
    if (!('GIT_CONFIG_GLOBAL' in env)) await trust(opened)
    await expect(opened.ask('sleep.approve', approveParams)).rejects.toThrow('cut off')
    await opened.close()
    return opened.test
  }

  it.each(['files begin', 'files written', 'refs committed'])('brings back whole files: %s', async (point) => {
    for (const own of [false, true]) {
      const repo = filtered(own)
      const env = own ? {} : personal()
      const test = await cutOff(repo, point, env)
      if (point === 'files written') repo.write('a.txt', 'SHO')
      const opened = await openCore(repo, { test, env })
      const moved = point === 'refs committed'
      expect([shown(repo), statusOf(repo)]).toEqual([moved ? 'SHOWN two\n' : 'SHOWN one\n', ''])
      await opened.close()
    }
  })

  it.each([
    ['undo', 'files begin'],
    ['undo', 'files written'],
    ['undo', 'refs committed'],
    ['abort', 'files begin'],
    ['abort', 'files written'],
    ['abort', 'refs committed'],
  ])('brings back whole files after an %s cut off at "%s"; an edit beside them stays', async (verb, point) => {
    for (const own of [false, true]) {
      const repo = filtered(own)
      const env = own ? {} : personal()
      const first = await openCore(repo, { env })
      if (own) await trust(first)
      let operationId = ''
      if (verb === 'undo') {
        const outcome = await first.ask('sleep.approve', approveParams)
        operationId = (outcome as Extract<typeof outcome, { approved: true }>).operationId
        repo.write('b.txt', 'edited by a person\n')
      } else repo.git('-c', `filter.own.smudge=${SMUDGE}`, '-c', `filter.own.clean=${CLEAN}`, 'checkout', '-q', RUN)
      repo.write('notes.txt', 'untracked\n')
      await first.close()

      let cut = false
      const dying = await openCore(repo, {
        env,
        test: first.test,
        fault: (at) => {
          cut ||= at === `${verb}:${point}`
          if (cut) throw new Error('cut off')
        },
      })
      const asked =
        verb === 'undo'
          ? dying.ask('sleep.undo', { operationId, revert: false })
          : dying.ask('sleep.abort', { branch: RUN })
      await expect(asked).rejects.toThrow('cut off')
      await dying.close()
      if (point === 'files written') repo.write('a.txt', 'SHO')

      const mended = await openCore(repo, { env, test: first.test })
      expect(shown(repo)).toBe(point === 'refs committed' ? 'SHOWN one\n' : 'SHOWN two\n')
      expect(repo.read('b.txt').toString()).toBe(verb === 'undo' ? 'edited by a person\n' : 'b\n')
      expect(repo.read('notes.txt').toString()).toBe('untracked\n')
      expect(
        statusOf(repo)
          .split('\n')
          .map((line) => line.split(' ').at(-1)),
      ).toEqual(verb === 'undo' ? ['b.txt', 'notes.txt'] : ['notes.txt'])
      repo.fsck()
      expectNoLocks(repo)
      await mended.close()
    }
  })

  it('runs no filter whose text is not accepted any more: it stops and says so', async () => {
    const repo = filtered(true)
    const test = await cutOff(repo, 'files written', {})
    const fired = join(tempDir('fired'), 'fired')
    repo.git('config', 'filter.own.smudge', `touch ${fired}; ${SMUDGE}`)
    repo.write('a.txt', '')
    const opened = await openCore(repo, { test })
    const torn = { code: 'ERR_TORN_FILES', data: { paths: ['a.txt'] } }
    await expect(opened.ask('sleep.approve', approveParams)).rejects.toMatchObject(torn)
    expect(existsSync(fired)).toBe(false)
    expect(shown(repo)).toBe('')
    await trust(opened)
    expect(await opened.ask('sleep.approve', approveParams)).toMatchObject({ approved: true })
    expect([shown(repo), statusOf(repo)]).toEqual(['SHOWN two\n', ''])
    await opened.close()
  })
})
