import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'vite'
import { openCore } from '../support/core.ts'
import { buildRepo, type TestRepo, withHome } from '../support/index.ts'
import type { WriterLine, WriterOrder } from './writer.ts'

/**
 * Many processes publish to one repository at once, half of them on paths that all share, while a core has it open and
 * looks at it. Every acknowledged publish must be in trunk's history with exactly its own file and bytes.
 */
const WRITERS = 16
const PUBLISHES = 50

/** One file instead of a hundred to be stripped of their types at each start. */
async function bundleWriter(): Promise<string> {
  const outDir = join(import.meta.dirname, '../../node_modules/.cache/daybreak-crowd')
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: join(import.meta.dirname, 'writer.ts'),
      target: 'node24',
      outDir,
      rollupOptions: { output: { entryFileNames: 'writer.js', format: 'es' } },
    },
  })
  return join(outDir, 'writer.js')
}

interface Writer {
  readonly child: ChildProcessWithoutNullStreams
  readonly lines: WriterLine[]
  readonly ready: Promise<unknown>
  readonly ended: Promise<unknown>
  readonly stderr: () => string
}

function start(file: string, order: WriterOrder, env: NodeJS.ProcessEnv): Writer {
  const child = spawn(process.execPath, ['--no-warnings', file, JSON.stringify(order)], { env })
  const lines: WriterLine[] = []
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += chunk))
  child.stdin.on('error', () => {})
  const ended = once(child, 'close')
  const reader = createInterface({ input: child.stdout })
  const ready = Promise.race([once(reader, 'line'), ended])
  ready.then(() => reader.on('line', (line) => lines.push(JSON.parse(line))))
  return { child, lines, ready, ended, stderr: () => errors }
}

const failures: string[] = []
let passed = 0
function check(what: string, problems: readonly string[]): void {
  if (problems.length === 0) passed += 1
  else failures.push(what)
  if (problems.length > 0) console.log(`FAILED ${what}\n  ${problems.slice(0, 8).join('\n  ')}`)
}

interface Landed {
  readonly commit: string
  /** Paths with the blobs that the commit put there. */
  readonly files: ReadonlyMap<string, string>
}

/** Trunk's history after a commit, with what each one changed. */
function readHistory(repo: TestRepo, first: string): Landed[] {
  const args = ['--first-parent', '-m', '--raw', '--no-abbrev', '--no-renames', '--format=>%H', `${first}..main`]
  const landed: { commit: string; files: Map<string, string> }[] = []
  for (const line of repo.git('log', ...args).split('\n')) {
    if (line.startsWith('>')) landed.push({ commit: line.slice(1), files: new Map() })
    const [facts = '', path = ''] = line.split('\t')
    if (line.startsWith(':')) landed.at(-1)?.files.set(path, facts.split(' ')[3] ?? '')
  }
  return landed
}

const blobOf = (body: string) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(body)}\0${body}`)
    .digest('hex')

/** Acknowledged publishes that are not in the history as they were acknowledged, and commits nobody was told of. */
function compare(history: readonly Landed[], lines: readonly WriterLine[]): { lost: string[]; strange: string[] } {
  const lost: string[] = []
  const strange: string[] = []
  const there = new Map(history.map((one) => [one.commit, one.files]))
  const told = new Set<string>()
  for (const { path, body, commit } of lines) {
    if (commit === undefined) continue
    if (told.has(commit)) lost.push(`${commit} was acknowledged twice`)
    told.add(commit)
    const files = there.get(commit)
    if (!files) lost.push(`${path} of ${commit} is not in the history`)
    else if (files.get(path) !== blobOf(body)) lost.push(`${path} of ${commit} has other bytes`)
    const swept = [...(files?.keys() ?? [])].filter((name) => name !== path)
    if (swept.length > 0) strange.push(`${commit} of ${path} swept ${swept.join(', ')}`)
  }
  for (const { commit } of history) if (!told.has(commit)) strange.push(`nobody was told of ${commit}`)
  return { lost, strange }
}

async function crowd(name: string, bare: boolean): Promise<void> {
  const repo = buildRepo(undefined, { bare, commits: [{ message: 'Begin', files: { 'a.md': 'a\n' } }] })
  const first = repo.oid('main')
  const test = withHome()
  const app = await openCore(repo, { test, host: 'serve' })
  let news = 0
  app.core.subscribe((event) => {
    if (event === 'repo.changed') news += 1
  })
  const orders = Array.from({ length: WRITERS }, (_, at) => ({ ...test, dir: repo.dir, name: `w${at}` }))
  const writers = orders.map(({ dir, home, name }) =>
    start(writer, { dir, home, name, count: PUBLISHES }, { ...test.env, GIT_AUTHOR_NAME: '', GIT_AUTHOR_EMAIL: '' }),
  )
  await Promise.all(writers.map((one) => one.ready))
  const began = performance.now()
  for (const { child } of writers) child.stdin.write('go\n')
  let running = true
  const looks: string[] = []
  // The app looks while they write.
  const looking = (async () => {
    while (running) {
      await app.ask('documents.versions', { path: 'a.md', limit: 5 }).catch((error) => looks.push(String(error)))
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  })()
  await Promise.all(writers.map((one) => one.ended))
  running = false
  await looking
  const seconds = (performance.now() - began) / 1000

  const lines = writers.flatMap((one) => one.lines)
  const history = readHistory(repo, first)
  const commits = lines.filter((line) => line.commit).length
  const conflicts = lines.filter((line) => line.conflict).length
  const words = `${commits} published, ${conflicts} conflicts in ${seconds.toFixed(1)} s, ${(commits / seconds).toFixed(1)} acknowledged publishes/s`
  console.log(`${name}: ${WRITERS} processes, ${lines.length} publishes, ${words}; the app heard of ${news} changes`)

  const wrongEnds = writers.filter((one) => one.child.exitCode !== 0).map((one) => one.stderr())
  check(`${name}: every writer ends well`, wrongEnds)
  check(`${name}: the app can look meanwhile`, looks)
  const missing = WRITERS * PUBLISHES - lines.length
  check(`${name}: every publish is answered`, missing === 0 ? [] : [`${missing} were not`])
  check(
    `${name}: no error but conflicts`,
    lines.flatMap(({ path, error }) => (error ? [`${path}: ${error}`] : [])),
  )
  const own = lines.filter((line) => line.path.startsWith('own/') && !line.commit)
  check(
    `${name}: nobody is in the way of a path of one's own`,
    own.map((line) => line.path),
  )
  const { lost, strange } = compare(history, lines)
  check(`${name}: no acknowledged publish is lost`, lost)
  check(`${name}: every commit holds its own file only and was acknowledged`, strange)
  if (!bare) check(`${name}: the tree is clean`, repo.status().split('\n').filter(Boolean))
  const wrongNumbers: string[] = []
  for (const path of new Set(lines.map((line) => line.path))) {
    const { current } = await app.ask('documents.versions', { path, limit: 1 })
    const commits = history.filter((one) => one.files.has(path)).length
    if (current !== commits) wrongNumbers.push(`${path}: version ${current}, ${commits} commits`)
  }
  check(`${name}: the app numbers every version`, wrongNumbers)
  await app.close()
  try {
    repo.fsck()
    check(`${name}: fsck finds nothing`, [])
  } catch (error) {
    check(`${name}: fsck finds nothing`, [String(error)])
  }
}

const writer = await bundleWriter()
await crowd('main checked out', false)
await crowd('a bare repository', true)
console.log(`${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length === 0 ? 0 : 1
