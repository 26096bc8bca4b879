// `npm test`: from a fresh clone, installs what is missing, then everything. `npm run check` (`--fast`): the fast loop.
// Ends with one line, `N passed, N failed`.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ensureBrowser } from './browser.mjs'
import { scratchEnvironment } from './scratch.mjs'
import { ensureBuilt, ensureInstalled, fitEnvironment, fitNode, giveUp, root } from './setup.mjs'
import { notRun, SUITES } from './suites.mjs'
import { closing, closingLine, tally } from './tally.mjs'

const fast = process.argv.includes('--fast')
const started = Date.now()
const scratch = scratchEnvironment()
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`

/**
 * Runs one suite. The short ones are heard only when they fail, so that two can run at once; of a suite that prints a closing
 * line of its own that line is kept back, for there is one only, at the end.
 */
function runSuite(suite) {
  return new Promise((resolve) => {
    const begun = Date.now()
    const own = suite.count === 'closing line'
    const heard = suite.long && !own
    const child = spawn(fitNode(), suite.command, {
      cwd: root,
      env: { ...fitEnvironment(), ...(suite.onDisk ? {} : scratch), FORCE_COLOR: process.env.FORCE_COLOR ?? '0' },
      stdio: heard ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', suite.long ? 'inherit' : 'pipe'],
      detached: process.platform !== 'win32',
    })
    running.add(child)
    let output = ''
    let counted = null
    if (own)
      createInterface({ input: child.stdout }).on('line', (line) => {
        counted = closingLine(line) ?? counted
        if (!closingLine(line)) console.log(line)
      })
    else child.stdout?.on('data', (chunk) => (output += chunk))
    child.stderr?.on('data', (chunk) => (output += chunk))
    const limit = setTimeout(() => {
      output += `stopped after ${suite.within / 60_000} minutes\n`
      end(child)
    }, suite.within)
    child.on('error', (error) => (output += error.message))
    child.on('close', (code) => {
      clearTimeout(limit)
      running.delete(child)
      const { passed, failed } = tally(code, own ? counted : suite.count && reported(suite))
      if (failed > 0 && output) process.stderr.write(`\n${output}`)
      console.log(`${failed === 0 ? '✓' : '✗'} ${suite.name} (${seconds(begun)})`)
      resolve({ name: suite.name, passed, failed })
    })
  })
}

/** What the suite's report says, null where it wrote none. */
function reported(suite) {
  try {
    return suite.count()
  } catch (error) {
    console.error(`no report: ${error.message}`)
    return null
  }
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
  const bad = results.filter((one) => one.failed > 0).map((one) => one.name)
  console.log(`\n${results.length} suites in ${seconds(started)}`)
  if (!fast) for (const line of notRun()) console.log(`Not run: ${line}`)
  if (bad.length > 0) console.log(`Failing: ${bad.join(', ')}`)
  console.log(closing(results))
  process.exitCode = bad.length === 0 ? 0 : 1
} catch (error) {
  giveUp(error)
}
