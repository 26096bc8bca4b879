import { readdirSync } from 'node:fs'
import { dispatch, type Handlers } from '../../../shared/contract/index.ts'
import type { Inbox, Repository } from '../../../shared/model/index.ts'
import { createCore } from '../createCore.ts'
import type { Task } from './unprivileged.ts'

const [home = '', text = '{}'] = process.argv.slice(2)
const task = JSON.parse(text) as Task
const core = createCore({
  home,
  env: process.env,
  clock: () => new Date('2026-11-30T12:00:00Z'),
  host: 'cli',
  version: '0.0.0',
  log: (line) => process.stderr.write(`${line}\n`),
})
const port = { handlers: core.handlers as unknown as Handlers, report: (error: unknown) => String(error) }
const opened = await dispatch(port, 'repo.open', { path: task.open }, { via: 'test' })
const repository = opened.ok ? (opened.result as Repository) : null
const inbox =
  repository && task.inbox ? await dispatch(port, 'inbox.get', { repoId: repository.id }, { via: 'test' }) : null
const approve = { repoId: repository?.id, branch: task.approve, except: [], bringMainIn: false }
const approved = task.approve ? await dispatch(port, 'sleep.approve', approve, { via: 'test' }) : null
const failed = !opened.ok ? opened.error : inbox && !inbox.ok ? inbox.error : null
await core.dispose()
process.stdout.write(
  JSON.stringify({
    code: failed?.code ?? null,
    repository,
    approveCode: approved && !approved.ok ? approved.error.code : null,
    branches: inbox?.ok ? (inbox.result as Inbox).sleepBranches.map((one) => one.branch) : [],
    homeFiles: readdirSync(home, { recursive: true, encoding: 'utf8' }),
  }),
)
