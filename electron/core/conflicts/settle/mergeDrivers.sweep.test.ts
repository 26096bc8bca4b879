import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildConflict, type ConflictOptions } from '../../../../e2e/support/conflicts.ts'
import { openStopped, resolveAll } from '../../testing/stoppedCore.ts'

/** A commit that is still to come changes a file that main changed too, and the repository has a driver for it. */
async function stoppedBeforeDriver(operation: ConflictOptions['operation'] & string, command: (ran: string) => string) {
  const repo = buildConflict(
    {
      base: { 'a.md': 'one\n', 'list.txt': 'one\n' },
      ours: { 'a.md': 'ours\n', 'list.txt': 'main\n' },
      theirs: { 'a.md': 'theirs\n' },
    },
    { operation, after: [{ 'list.txt': 'side\n' }] },
  )
  const ran = join(repo.gitDir, 'driver-ran')
  mkdirSync(join(repo.gitDir, 'info'), { recursive: true })
  writeFileSync(join(repo.gitDir, 'info', 'attributes'), 'list.txt merge=mine\n')
  repo.git('config', 'merge.mine.driver', command(ran))
  const stopped = await openStopped(repo)
  await resolveAll(stopped)
  return { ...stopped, ran }
}

it.each(['rebase', 'am'] as const)(
  'asks before a merge driver of the repository’s own runs in a %s, then lets it',
  async (operation) => {
    const { ask, source, repo, ran, close } = await stoppedBeforeDriver(
      operation,
      (file) => `touch ${file}; cat %B >>%A`,
    )
    const command = `touch ${ran}; cat %B >>%A`
    const items = [{ kind: 'merge-driver', name: 'merge.mine.driver', command }]
    const before = repo.oid('HEAD')
    expect(await ask('conflicts.proceed', { source })).toEqual({
      done: false,
      refusal: { refusal: 'not-trusted', items },
    })
    expect([repo.oid('HEAD'), existsSync(ran)]).toEqual([before, false])
    const { hash, items: shown } = await ask('trust.get', {})
    expect(shown).toEqual(items)
    await ask('trust.accept', { hash })
    expect(await ask('conflicts.proceed', { source })).toMatchObject({ done: true, ended: true })
    expect(existsSync(ran)).toBe(true)
    expect(repo.show('HEAD', 'list.txt').toString()).toBe('main\nside\n')
    expect(repo.status()).toBe('')
    await close()
  },
)

it('asks nothing about the driver `true`, which runs no code of the repository', async () => {
  const { ask, source, repo, close } = await stoppedBeforeDriver('rebase', () => 'true')
  expect((await ask('trust.get', {})).state).toBe('nothing-to-trust')
  expect(await ask('conflicts.proceed', { source })).toMatchObject({ done: true })
  expect(repo.show('HEAD', 'list.txt').toString()).toBe('main\n')
  await close()
})
