import { expect, it } from 'vitest'
import { buildRepo } from '../../../../e2e/support/index.ts'
import { openVersions } from '../../testing/openVersions.ts'

it('asks git for no path that never was, and for every one that was removed, renamed or made a folder', async () => {
  const repo = buildRepo(undefined, {
    commits: [
      { message: 'one', files: { 'gone.md': 'x\n', 'old.md': 'name\n', file: 'f\n', 'dir/in.md': 'i\n' } },
      { message: 'two', files: { 'gone.md': null, 'old.md': null, 'new.md': 'name\n', file: null } },
      { message: 'three', files: { 'file/in.md': 'f\n', 'dir/in.md': null, dir: 'd\n' } },
      { on: 'side', from: 'main', message: 'side', files: { 'side.md': 's\n' } },
    ],
  })
  repo.git('checkout', '-q', 'main')
  repo.git('merge', '-q', '--no-ff', '-m', 'merge', 'side')
  repo.git('rm', '-q', 'side.md')
  repo.git('commit', '-q', '-m', 'remove')
  const { head, calls, close } = await openVersions(repo)
  const logs = () => calls.splice(0).filter((args) => args[0] === 'log').length
  // The history is read beside these; a bound, so that a failure ends.
  let free = false
  for (let n = 0; n < 500 && !free; n++) {
    logs()
    expect(await head(`never-${n}.md`)).toBeNull()
    free = logs() === 0
  }
  expect(free).toBe(true)
  const was = ['gone.md', 'old.md', 'file', 'dir/in.md', 'side.md', 'new.md', 'file/in.md', 'dir']
  expect(await Promise.all(was.map(head))).toEqual([
    ...['2 gone', '2 gone', '2 gone', '2 gone', '2 gone'],
    ...['1', '1', '1'],
  ])
  logs()
  expect([await head('never/again.md'), await head('new.md/below')]).toEqual([null, null])
  expect(logs()).toBe(0)
  await close()
})
