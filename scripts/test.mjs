// `npm test`: from a fresh clone, installs what is missing, then everything. `npm run check` (`--fast`): the fast loop.
// Ends with one line, `N passed, N failed`.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { ensureBuilt, ensureInstalled, fitEnvironment, fitNode, giveUp, root } from './setup.mjs'
import { notRun, SUITES } from './suites.mjs'

const fast = process.argv.includes('--fast')
const started = Date.now()
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`

/** Runs one suite. The short ones are heard only when they fail, so that two can run at once. */
function runSuite(suite) {
  return new Promise((resolve) => {
    const begun = Date.now()
    const child = spawn(fitNode(), suite.command, {
      cwd: root,
      env: { ...fitEnvironment(), FORCE_COLOR: process.env.FORCE_COLOR ?? '0' },
      stdio: suite.long ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    })
    running.add(child)
    let output = ''
    child.stdout?.on('data', (chunk) => (output += chunk))
    child.stderr?.on('data', (chunk) => (output += chunk))
    let late = false
    const limit = setTimeout(() => {
      late = true
      end(child)
    }, suite.within)
    child.on('error', (error) => (output += error.message))
    child.on('close', (code) => {
      clearTimeout(limit)
      running.delete(child)
      if (late) output += `stopped after ${suite.within / 60_000} minutes\n`
      resolve(result(suite, code, output, begun))
    })
  })
}

const running = new Set()
/** Ends a suite and all that it started. */
function end(child) {
  try {
    if (process.platform === 'win32') child.kill()
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    for (const child of running) end(child)
    process.exit(130)
  })

function result(suite, code, output, begun) {
  let counts = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }
  if (suite.count) {
    try {
      counts = suite.count()
      // A suite that ends badly without a failed test (a crash, an error outside of tests) has failed all the same.
      if (code !== 0 && counts.failed === 0) counts.failed = 1
      if (code === 0 && counts.passed === 0) counts.failed = 1
    } catch (error) {
      counts = { passed: 0, failed: 1, skipped: 0 }
      output += `no report: ${error.message}\n`
    }
  }
  // A test that is skipped has not passed.
  const failed = counts.failed + counts.skipped
  if (failed > 0 && output) process.stderr.write(`\n${output}`)
  console.log(`${failed === 0 ? '✓' : '✗'} ${suite.name} (${seconds(begun)})`)
  return { name: suite.name, passed: counts.passed, failed }
}

async function runAll(suites) {
  const results = []
  const short = suites.filter((suite) => !suite.long)
  const workers = [0, 1].map(async () => {
    for (let suite = short.shift(); suite; suite = short.shift()) results.push(await runSuite(suite))
  })
  await Promise.all(workers)
  for (const suite of suites.filter((one) => one.long)) results.push(await runSuite(suite))
  return results
}

try {
  await ensureInstalled()
  await ensureBuilt()
  if (!fast) await ensureBrowser()
  rmSync(join(root, 'test-results'), { recursive: true, force: true })
  mkdirSync(join(root, 'test-results'), { recursive: true })
  const results = await runAll(SUITES.filter((suite) => !fast || suite.fast))
  const sum = (key) => results.reduce((total, one) => total + one[key], 0)
  const bad = results.filter((one) => one.failed > 0).map((one) => one.name)
  console.log(`\n${results.length} suites in ${seconds(started)}`)
  if (!fast) for (const line of notRun()) console.log(`Not run: ${line}`)
  if (bad.length > 0) console.log(`Failing: ${bad.join(', ')}`)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
  process.exitCode = sum('failed') === 0 ? 0 : 1
} catch (error) {
  giveUp(error)
}
