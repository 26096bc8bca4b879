import { createHash } from 'node:crypto'
import { appendFileSync, lstatSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createCore } from '../../electron/core/createCore.ts'
import { methods } from '../../shared/contract/index.ts'
import { completed } from './conflictParams.ts'

/** What a victim is to do, as JSON in its first argument. */
export interface Order {
  readonly dir: string
  /** The folder that holds all of the repository and its worktrees. */
  readonly root: string
  readonly home: string
  /** null: only opens the repository, which mends what was cut off. */
  readonly method: string | null
  readonly params: Readonly<Record<string, unknown>>
  /** The fault point at which the process ends: its name and how often it was passed before; null: it lives. */
  readonly killAt: string | null
  /** Every git call and every SQL transaction is a fault point too, before and after it. */
  readonly steps: boolean
  /** Ends its whole process group, its git children with it. */
  readonly group: boolean
  /** A file that gets a line for every point that is passed: what the folder looks like there, and its name. */
  readonly record: string | null
}

/** Everything below a folder but git's objects, as a hash: two points with the same one are one state to be killed in. */
function fingerprint(dir: string): string {
  const hash = createHash('sha1')
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (entry.name !== 'objects') walk(path)
        continue
      }
      const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
      if (stat && !entry.name.endsWith('-shm')) hash.update(`${path} ${stat.ino} ${stat.size} ${stat.mtimeNs}\n`)
    }
  }
  walk(dir)
  return hash.digest('hex')
}

const order = JSON.parse(process.argv[2] ?? '') as Order
const passed = new Map<string, number>()
function pass(point: string): void {
  const before = passed.get(point) ?? 0
  passed.set(point, before + 1)
  const name = `${point}#${before}`
  if (order.record) appendFileSync(order.record, `${fingerprint(order.root)} ${name}\n`)
  if (name === order.killAt) process.kill(order.group ? -process.pid : process.pid, 'SIGKILL')
}
const core = createCore({
  home: order.home,
  env: process.env,
  clock: () => new Date(),
  host: 'cli',
  version: '0',
  log: () => {},
  fault: pass,
  ...(order.steps ? { step: (step) => pass(`step:${step}`) } : {}),
})
const caller = { via: 'test', actor: 'Victim' } as const
const opened = await core.handlers['repo.open'](methods['repo.open'].params.parse({ path: order.dir }), caller)
const ask = (name: string, params: Readonly<Record<string, unknown>>) => {
  const method = name as keyof typeof core.handlers
  const run = core.handlers[method] as (params: unknown, by: typeof caller) => Promise<unknown>
  return run(methods[method].params.parse({ repoId: opened.id, ...params }), caller)
}
const params = await completed(order.params, order.dir, ask)
writeSync(1, 'go\n')
if (order.method) writeSync(1, `${JSON.stringify(await ask(order.method, params))}\n`)
await core.dispose()
