import { appendFileSync, writeSync } from 'node:fs'
import { createCore } from '../../electron/core/createCore.ts'
import { methods } from '../../shared/contract/index.ts'

/** What a victim is to do, as JSON in its first argument. */
export interface Order {
  readonly dir: string
  readonly home: string
  /** null: only opens the repository, which mends what was cut off. */
  readonly method: string | null
  readonly params: Readonly<Record<string, unknown>>
  /** The fault point, counted from 0, at which the process ends; null: it lives. */
  readonly killAt: number | null
  /** Ends its whole process group, its git children with it. */
  readonly group: boolean
  /** A file that gets the name of every point that is passed. */
  readonly record: string | null
}

const order = JSON.parse(process.argv[2] ?? '') as Order
let passed = -1
const core = createCore({
  home: order.home,
  env: process.env,
  clock: () => new Date(),
  host: 'cli',
  version: '0',
  log: () => {},
  fault: (point) => {
    passed += 1
    if (order.record) appendFileSync(order.record, `${point}\n`)
    if (passed === order.killAt) process.kill(order.group ? -process.pid : process.pid, 'SIGKILL')
  },
})
const caller = { via: 'test', actor: 'Victim' } as const
const opened = await core.handlers['repo.open']({ path: order.dir }, caller)
writeSync(1, 'go\n')
if (order.method) {
  const method = order.method as keyof typeof core.handlers
  const run = core.handlers[method] as (params: unknown, by: typeof caller) => Promise<unknown>
  const result = await run(methods[method].params.parse({ repoId: opened.id, ...order.params }), caller)
  writeSync(1, `${JSON.stringify(result)}\n`)
}
await core.dispose()
