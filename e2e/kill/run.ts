import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { openCore } from '../support/core.ts'
import { tempDir, withHome } from '../support/index.ts'
import { completed } from './conflictParams.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { at, differences, leftovers, type RepoState, readState } from './state.ts'
import type { Order } from './victim.ts'

/**
 * Kills every verb between every two of its steps and at random points in time, and looks at what the next command
 * makes of it. The steps are not listed anywhere: a first run that lives records the fault points that it passes.
 */
const RANDOM_KILLS = 100
const WORKERS = 2

/** One file instead of a hundred to be stripped of their types at each of a thousand starts. */
async function bundleVictim(): Promise<string> {
  const outDir = join(import.meta.dirname, '../../node_modules/.cache/daybreak-kill')
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: join(import.meta.dirname, 'victim.ts'),
      target: 'node24',
      outDir,
      rollupOptions: { output: { entryFileNames: 'victim.js', format: 'es' } },
    },
  })
  return join(outDir, 'victim.js')
}

const VICTIM = await bundleVictim()
let passed = 0
let failed = 0
const root = tempDir('kill')
const { env } = withHome()
let seed = Number(process.env.DAYBREAK_SEED ?? 20261130)
console.log(`kill suite, seed ${seed}`)

/** A small generator, so that a failing run can be repeated (Park and Miller, 1988). */
const random = () => {
  seed = (seed * 48271) % 2147483647
  return seed / 2147483647
}

interface Ended {
  readonly out: string
  readonly killed: boolean
  readonly code: number | null
}

async function run(
  order: Partial<Order> & Pick<Order, 'dir' | 'home'>,
  onGo?: (child: ChildProcess) => void,
): Promise<Ended> {
  const whole: Order = { method: null, params: {}, killAt: null, group: false, record: null, ...order }
  const child = spawn(process.execPath, ['--no-warnings', VICTIM, JSON.stringify(whole)], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    const before = out
    out += chunk
    if (!before.startsWith('go') && out.startsWith('go')) onGo?.(child)
  })
  child.stderr.on('data', (chunk) => (err += chunk))
  const [code, signal] = await once(child, 'exit')
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`victim ended with ${code}: ${err}`)
  return { out, killed: signal === 'SIGKILL', code }
}

const answerOf = (ended: Ended): Record<string, unknown> => JSON.parse(ended.out.split('\n')[1] ?? '{}')

interface Prepared {
  readonly scenario: Scenario
  readonly dir: string
  readonly home: string
  readonly params: Readonly<Record<string, unknown>>
  readonly before: RepoState
  readonly after: RepoState
  readonly points: readonly Point[]
  /** What is killed: the verb, or only the opening that mends one that was cut off. */
  readonly method: string | null
  /** How long the verb takes, in milliseconds. */
  readonly duration: number
}

let copies = 0
function copy(from: { dir: string; home: string }): { dir: string; home: string } {
  const base = join(root, `copy-${copies++}`)
  mkdirSync(base)
  cpSync(from.dir, join(base, 'repo'), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  cpSync(from.home, join(base, 'home'), { recursive: true })
  return { dir: join(base, 'repo'), home: join(base, 'home') }
}

async function prepare(scenario: Scenario): Promise<Prepared> {
  const repo = scenario.build()
  const home = withHome().home
  const answers: Record<string, unknown>[] = []
  for (const act of scenario.first ?? []) answers.push(answerOf(await run({ dir: repo.dir, home, ...act })))
  scenario.between?.(repo)
  const params = scenario.params(answers)
  const place = { dir: repo.dir, home }
  const before = readState(at(copy(place).dir))
  const dry = copy(place)
  const record = join(dry.home, 'points')
  let began = 0
  const ended = await run({ ...dry, method: scenario.method, params, record }, () => {
    began = performance.now()
  })
  const duration = performance.now() - began
  const points = readPoints(record)
  const after = readState(at(dry.dir))
  if (differences(before, after).length === 0 && scenario.name !== 'apply marks')
    throw new Error(`${scenario.name} did nothing: ${ended.out}`)
  const prepared = { scenario, ...place, params, before, after, points, duration, method: scenario.method }
  return scenario.mending === undefined ? prepared : cutOff(prepared, scenario.mending)
}

interface Point {
  readonly name: string
  /** Its place in the order in which points are passed. */
  readonly at: number
}

/** The points that were passed, without those at which nothing has changed since the one before. */
function readPoints(file: string): Point[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.flatMap((line, at) => {
    const [state, name] = [line.slice(0, 40), line.slice(41)]
    return at > 0 && lines[at - 1]?.startsWith(state) ? [] : [{ name, at }]
  })
}

/** The same repository with its verb killed at a point: what is killed then is the mending. */
async function cutOff(prepared: Prepared, name: string): Promise<Prepared> {
  const place = copy(prepared)
  const killAt = prepared.points.find((point) => point.name.endsWith(`:${name}`))?.at
  const { method, params } = prepared
  if (killAt === undefined || !(await run({ ...place, method, params, killAt })).killed)
    throw new Error(`${prepared.scenario.name}: there is no point ${name}`)
  const dry = copy(place)
  const record = join(dry.home, 'points')
  const began = performance.now()
  await run({ ...dry, record })
  return { ...prepared, ...place, points: readPoints(record), duration: performance.now() - began, method: null }
}

/** Looks at a repository after its verb was killed: the next command must leave it as before or as after the verb. */
async function judge(prepared: Prepared, place: { dir: string; home: string }, what: string): Promise<void> {
  const problems: string[] = []
  try {
    const repo = at(place.dir)
    const next = await openCore(repo, { test: { home: place.home, env } })
    const now = readState(repo)
    const [old, done] = [differences(now, prepared.before), differences(now, prepared.after)]
    if (old.length > 0 && done.length > 0)
      problems.push(
        'neither as before nor as after',
        ...old.slice(0, 4).map((d) => `  before: ${d}`),
        ...done.slice(0, 4).map((d) => `  after: ${d}`),
      )
    problems.push(...leftovers(repo).map((path) => `left behind: ${path}`))
    repo.fsck()
    // The verb can be asked for again, and then ends where it ends when nobody kills it.
    if (problems.length === 0 && old.length === 0 && done.length > 0) {
      const params = await completed(prepared.params, place.dir, (name, given) =>
        next.ask(name as 'conflicts.list', given as never),
      )
      await next.ask(prepared.scenario.method as 'sleep.approve', params as never)
      problems.push(...differences(readState(repo), prepared.after).map((d) => `asked again: ${d}`))
    }
    await next.close()
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error))
  }
  if (problems.length === 0) {
    passed += 1
    rmSync(join(place.dir, '..'), { recursive: true, force: true })
  } else {
    failed += 1
    console.log(`FAILED ${prepared.scenario.name}, ${what}\n  ${problems.join('\n  ')}\n  kept at ${place.dir}`)
  }
}

/** Points at which a git child may be alive: there the whole group is killed as well. */
const WITH_CHILDREN =
  /refs prepared|files begin|refs commit|git read-tree|git update-index|git checkout-index|git update-ref|before git merge/

async function atPoint(prepared: Prepared, { at: point, name: plain }: Point, group: boolean): Promise<void> {
  const place = copy(prepared)
  const name = `${plain}${group ? ' (group)' : ''}`
  const ended = await run({ ...place, method: prepared.method, params: prepared.params, killAt: point, group })
  if (!ended.killed) {
    failed += 1
    console.log(`FAILED ${prepared.scenario.name}: point ${point} (${name}) was not reached`)
    return
  }
  await judge(prepared, place, `killed at ${point}: ${name}`)
}

async function atMoment(prepared: Prepared, delay: number, group: boolean): Promise<void> {
  const place = copy(prepared)
  await run({ ...place, method: prepared.method, params: prepared.params }, (child) => {
    setTimeout(() => {
      try {
        process.kill(group ? -(child.pid ?? 0) : (child.pid ?? 0), 'SIGKILL')
      } catch {
        // It was done already.
      }
    }, delay)
  })
  await judge(prepared, place, `killed after ${delay.toFixed(1)} ms${group ? ' (group)' : ''}`)
}

const jobs: (() => Promise<void>)[] = []
const only = process.env.DAYBREAK_KILL
const chosen = scenarios.filter((scenario) => !only || scenario.name.includes(only))
const all: Prepared[] = []
for (const scenario of chosen) all.push(await prepare(scenario))
for (const prepared of all)
  for (const point of prepared.points) {
    jobs.push(() => atPoint(prepared, point, false))
    if (WITH_CHILDREN.test(point.name)) jobs.push(() => atPoint(prepared, point, true))
  }
const verbs = all.filter((one) => one.method !== null)
for (let n = 0; n < RANDOM_KILLS && verbs.length > 0; n++) {
  const prepared = verbs[n % verbs.length] as Prepared
  const [delay, group] = [random() * prepared.duration, n % 2 === 1]
  jobs.push(() => atMoment(prepared, delay, group))
}
console.log(all.map((one) => `${one.scenario.name}: ${one.points.length} points`).join('\n'))
const next = async () => {
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    await job()
    if (process.env.DAYBREAK_KILL_TELL)
      console.log(`${passed} passed, ${failed} failed, ${jobs.length} to go, ${Math.round(performance.now())} ms`)
  }
}
await Promise.all(Array.from({ length: WORKERS }, next))
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
