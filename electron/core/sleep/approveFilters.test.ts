import { afterAll, describe, expect, it } from 'vitest'
import { buildBranch, type buildRepo, RUN, type TestRepo } from '../../../e2e/support/index.ts'
import { testCore } from '../testing/testCore.ts'

const core = testCore()
afterAll(() => core.dispose())

/** A repository whose own filter swaps two words on the way in and out, on a file that the night changes. */
function filtered(more: Parameters<typeof buildRepo>[1] = {}): TestRepo {
  const repo = buildBranch(undefined, { 'a.txt': 'STORED one\n', 'b.txt': 'b\n' }, { 'a.txt': 'STORED two\n' }, more)
  repo.git('config', 'filter.own.clean', 'sed s/SHOWN/STORED/')
  repo.git('config', 'filter.own.smudge', 'sed s/STORED/SHOWN/')
  repo.write('.git/info/attributes', 'a.txt filter=own\n')
  repo.write('a.txt', 'SHOWN one\n')
  repo.git('add', 'a.txt')
  expect(repo.status()).toBe('')
  return repo
}
async function opened(repo: TestRepo) {
  const { id: repoId } = await core.call('repo.open', { path: repo.dir })
  const approve = () => core.call('sleep.approve', { repoId, branch: RUN, except: [], bringMainIn: false })
  return { repoId, approve }
}

describe('approving where a filter of the repository’s own applies', () => {
  it('is refused until the filter is trusted: without it the file would be written wrong', async () => {
    const repo = filtered()
    const { approve } = await opened(repo)
    const refs = repo.refs()
    const outcome = await approve()
    expect(outcome).toMatchObject({ approved: false, refusal: { refusal: 'not-trusted' } })
    expect(outcome).toMatchObject({ refusal: { items: [{ name: 'filter.own.clean' }, { name: 'filter.own.smudge' }] } })
    expect(repo.refs()).toEqual(refs)
    expect(repo.read('a.txt').toString()).toBe('SHOWN one\n')
  })

  it('writes the file through the filter once it is trusted, and leaves a clean tree', async () => {
    const repo = filtered()
    const { repoId, approve } = await opened(repo)
    const { hash } = await core.call('trust.get', { repoId })
    await core.call('trust.accept', { repoId, hash })
    expect(await approve()).toMatchObject({ approved: true })
    expect(repo.read('a.txt').toString()).toBe('SHOWN two\n')
    expect(repo.status()).toBe('')
  })

  it('still refuses a real local change of the filtered file', async () => {
    const repo = filtered()
    const { repoId, approve } = await opened(repo)
    const { hash } = await core.call('trust.get', { repoId })
    await core.call('trust.accept', { repoId, hash })
    repo.write('a.txt', 'SHOWN mine\n')
    expect(await approve()).toMatchObject({ approved: false, refusal: { refusal: 'dirty-tree' } })
    expect(repo.read('a.txt').toString()).toBe('SHOWN mine\n')
  })

  it('needs no trust where no file is written out', async () => {
    const repo = filtered()
    repo.git('checkout', '-q', '--detach')
    const { approve } = await opened(repo)
    expect(await approve()).toMatchObject({ approved: true })
    expect(repo.read('a.txt').toString()).toBe('SHOWN one\n')
  })
})
