import { expect, it } from 'vitest'
import { withHome } from '../../../e2e/support/index.ts'
import { createCore } from '../createCore.ts'

it('demo.create builds the sample and opens it as the latest repository', async () => {
  const { home, env } = withHome()
  const clock = () => new Date('2027-03-02T08:15:00Z')
  const core = createCore({ home, env, clock, host: 'cli', version: '0', log: () => {} })
  try {
    const repository = await core.handlers['demo.create']({}, { via: 'test' })
    expect(repository).toMatchObject({ name: 'harbor-notes', store: true, head: { kind: 'branch', branch: 'main' } })
    const recent = await core.handlers['repo.recent']({}, { via: 'test' })
    expect(recent.map((one) => one.path)).toEqual([repository.path])
  } finally {
    await core.dispose()
  }
})
