import { mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildConflict } from '../../../../e2e/support/conflicts.ts'
import { tempDir } from '../../../../e2e/support/index.ts'
import { draftOf, expectSound, openStopped, resolveItem, stateOf } from '../../testing/stoppedCore.ts'

it('giving up writes through no link in a folder’s place: it is refused, and all that was begun is put back', async () => {
  const repo = buildConflict('twoFiles')
  const stopped = await openStopped(repo)
  const item = await stopped.item('a.md')
  await resolveItem(stopped, item, await draftOf(stopped, item, 'theirs'))
  const outside = join(tempDir('outside'), 'sub')
  mkdirSync(outside)
  renameSync(join(repo.dir, 'sub'), join(repo.dir, '..', `${repo.dir.split('/').at(-1)}-sub`))
  symlinkSync(outside, join(repo.dir, 'sub'))
  const before = stateOf(repo)
  const outcome = await stopped.ask('conflicts.abort', { source: stopped.source })
  expect(outcome).toMatchObject({
    done: false,
    refusal: { refusal: expect.stringMatching(/^(?:edited-on-disk|dirty-tree)$/) },
  })
  expect(readdirSync(outside)).toEqual([])
  expect(stateOf(repo).files).toEqual(before.files)
  expect(stateOf(repo).index).toEqual(before.index)
  expectSound(repo)
  await stopped.close()
})
