import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build } from 'vite'
import { openCore } from '../support/core.ts'
import { tempDir, withHome } from '../support/index.ts'
import { completed } from './conflictParams.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { at, CLEAN, differences, leftovers, type RepoState, readState, SMUDGE } from './state.ts'
import type { Order } from './victim.ts'

/**
 * Kills every verb between every two of its steps and at random points in time, and looks at what the next command
 * makes of it. The steps are not listed anywhere: a first run that lives records the fault points that it passes.
 */
const RANDOM_KILLS = 100
/** As many again of publishes alone, which agents ask for all day. */
const PUBLISH_KILLS = 200
const WORKERS = 3

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
const config = join(root, 'gitconfig')
writeFileSync(config, `[filter "own"]\n\tclean = ${CLEAN}\n\tsmudge = ${SMUDGE}\n\trequired = true\n`)
env.GIT_CONFIG_GLOBAL = config
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

async function run(order: Partial<Order> & Place, onGo?: (child: ChildProcess) => void): Promise<Ended> {
  const whole: Order = { method: null, params: {}, killAt: null, steps: false, group: false, record: null, ...order }
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

/** A repository where it lies, and the app's data for it. */
interface Place {
  readonly dir: string
  /** The folder that holds it with all its worktrees. */
  readonly root: string
  readonly home: string
}

interface Prepared extends Place {
  readonly scenario: Scenario
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
function copy(from: Place): Place {
  const base = join(root, `copy-${copies++}`)
  mkdirSync(base)
  const to = {
    dir: join(base, 'repo', relative(from.root, from.dir)),
    root: join(base, 'repo'),
    home: join(base, 'home'),
  }
  cpSync(from.root, to.root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  cpSync(from.home, to.home, { recursive: true })
  if (from.dir !== from.root) relink(from, to)
  return to
}

/** Linked worktrees and their repository name each other by absolute paths. */
function relink(from: Place, to: Place): void {
  const rewrite = (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace(from.root, to.root))
  for (const name of readdirSync(to.root)) {
    const links = [join(to.root, name, '.git', 'worktrees'), join(to.root, name, 'worktrees')].filter(existsSync)
    for (const folder of links) for (const id of readdirSync(folder)) rewrite(join(folder, id, 'gitdir'))
    const link = join(to.root, name, '.git')
    if (existsSync(link) && !existsSync(join(link, 'HEAD'))) rewrite(link)
  }
}

async function prepare(scenario: Scenario): Promise<Prepared> {
  const repo = scenario.build()
  const home = withHome().home
  const answers: Record<string, unknown>[] = []
  const place = { dir: repo.dir, root: scenario.linked ? dirname(repo.dir) : repo.dir, home }
  for (const act of scenario.first ?? []) answers.push(answerOf(await run({ ...place, ...act })))
  scenario.between?.(repo)
  const params = scenario.params(answers)
  const before = readState(at(copy(place).dir))
  const dry = copy(place)
  const record = join(dry.home, 'points')
  let began = 0
  const ended = await run({ ...dry, method: scenario.method, params, record, steps: hasSteps(scenario) }, () => {
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
  /** With how often it was passed before: `name#0`. */
  readonly name: string
}

/** Verbs that are also killed before and after every git call and every SQL transaction. */
const hasSteps = ({ method, mending }: Scenario) =>
  mending === undefined && /^documents\.|^branches\.merge/.test(method)

/** The points that were passed, without those at which nothing has changed since the one before. */
function readPoints(file: string): Point[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.flatMap((line, at) => {
    const [state, name] = [line.slice(0, 40), line.slice(41)]
    return at > 0 && lines[at - 1]?.startsWith(state) ? [] : [{ name }]
  })
}

/** The same repository with its verb killed at a point: what is killed then is the mending. */
async function cutOff(prepared: Prepared, name: string): Promise<Prepared> {
  const place = copy(prepared)
  const killAt = prepared.points.find((point) => point.name.endsWith(`:${name}#0`))?.name
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
async function judge(prepared: Prepared, place: Place, what: string): Promise<void> {
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
    rmSync(join(place.root, '..'), { recursive: true, force: true })
  } else {
    failed += 1
    console.log(`FAILED ${prepared.scenario.name}, ${what}\n  ${problems.join('\n  ')}\n  kept at ${place.dir}`)
  }
}

/** Points at which a git child may be alive: there the whole group is killed as well. */
const WITH_CHILDREN =
  /refs prepared|files begin|refs commit|git read-tree|git update-index|git checkout-index|git update-ref|before git merge/

async function atPoint(prepared: Prepared, { name: point }: Point, group: boolean): Promise<void> {
  const place = copy(prepared)
  const name = `${point}${group ? ' (group)' : ''}`
  const ended = await run({
    ...place,
    method: prepared.method,
    params: prepared.params,
    killAt: point,
    group,
    steps: hasSteps(prepared.scenario),
  })
  if (!ended.killed) {
    failed += 1
    console.log(`FAILED ${prepared.scenario.name}: point ${name} was not reached`)
    return
  }
  await judge(prepared, place, `killed at ${name}`)
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
    if (WITH_CHILDREN.test(point.name) && !prepared.scenario.linked) jobs.push(() => atPoint(prepared, point, true))
  }
const verbs = all.filter((one) => one.method !== null)
const publishes = verbs.filter((one) => one.method === 'documents.publish')
for (const [list, kills] of [
  [verbs, RANDOM_KILLS],
  [publishes, PUBLISH_KILLS],
] as const)
  for (let n = 0; n < kills && list.length > 0; n++) {
    const prepared = list[n % list.length] as Prepared
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
