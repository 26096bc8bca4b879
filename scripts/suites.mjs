// The one table of what is checked.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const bin = (name, file) => join(root, 'node_modules', name, file)
const tsc = (room) => [bin('typescript', 'bin/tsc'), '-p', `tsconfig.${room}.json`]
const report = (name) => join(root, 'test-results', `${name}.json`)
const vitest = (name, ...args) => [
  bin('vitest', 'vitest.mjs'),
  'run',
  ...args,
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report(name)}`,
]
const MINUTES = 60_000
/** Integration tests that go through every kind, operation or point of failure: too long for the fast loop. */
const SWEEP = '.sweep.test.ts'

/**
 * `command`: arguments of a fit Node. `within`: when it is stopped and counts as failed, in milliseconds. `count`: how many
 * passed and failed, from its report or from its own closing line; without it the suite is one check that passes or fails.
 * `onDisk`: its temporary files are too large for memory.
 */
export const SUITES = [
  {
    name: 'format and lint',
    fast: true,
    command: [bin('@biomejs/biome', 'bin/biome'), 'check', '--error-on-warnings', '.'],
  },
  ...['shared', 'core', 'shell', 'renderer', 'tests'].map((room) => ({
    name: `types: ${room}`,
    fast: true,
    command: tsc(room),
  })),
  { name: 'import directions', fast: true, command: [join(root, 'scripts', 'imports.ts')] },
  { name: 'dead code', fast: true, command: [bin('knip', 'bin/knip.js'), '--no-progress'] },
  {
    name: 'unit and integration tests',
    fast: true,
    long: true,
    command: vitest('unit', '--exclude', `**/*${SWEEP}`),
    count: vitestCount('unit'),
  },
  { name: 'every kind and every point', long: true, command: vitest('sweep', SWEEP), count: vitestCount('sweep') },
  {
    name: 'shell',
    long: true,
    command: vitest('shell', '-c', 'e2e/shell/vitest.config.ts'),
    count: vitestCount('shell'),
  },
  {
    name: 'kill suite',
    long: true,
    command: ['--no-warnings', join(root, 'e2e', 'kill', 'run.ts')],
    count: 'closing line',
  },
  {
    name: 'crowd of writers',
    long: true,
    command: ['--no-warnings', join(root, 'e2e', 'crowd', 'run.ts')],
    count: 'closing line',
  },
  {
    name: 'end to end',
    long: true,
    command: [bin('@playwright/test', 'cli.js'), 'test'],
    count: playwrightCount(report('e2e')),
  },
  {
    name: 'packaging',
    long: true,
    onDisk: true,
    command: vitest('packaging', '-c', 'e2e/packaging/vitest.config.ts'),
    count: vitestCount('packaging'),
  },
].map((suite) => ({ within: 15 * MINUTES, ...suite }))

function vitestCount(name) {
  return () => {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      readFileSync(report(name), 'utf8'),
    )
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
  }
}

function playwrightCount(file) {
  return () => {
    const { expected, unexpected, flaky, skipped } = JSON.parse(readFileSync(file, 'utf8')).stats
    return { passed: expected, failed: unexpected + flaky, skipped }
  }
}

/** Whether the Electron binary of a clone is there, as `electron/host/electronBinary.ts` finds it. */
function hasElectron(folder, env) {
  const electron = join(folder, 'node_modules', 'electron')
  const pathFile = join(electron, 'path.txt')
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : null
  const override = env.ELECTRON_OVERRIDE_DIST_PATH
  if (override) return existsSync(join(override, name ?? 'electron'))
  return name !== null && existsSync(join(electron, 'dist', name))
}

/** What cannot run on this machine, each with its reason. `folder`: of the project. */
export function notRun(folder = root, env = process.env) {
  return hasElectron(folder, env) ? [] : ['e2e/shell/launch.spec.ts: the Electron binary is not on this machine']
}
