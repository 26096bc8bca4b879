import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Runs every `*.bench.ts` here, or those whose names hold one of the arguments, each in a process of its own. A
 * benchmark prints one line a figure and ends with 1 when one does not hold.
 */
const here = import.meta.dirname
const root = join(here, '..')
const wanted = process.argv.slice(2)
const files = readdirSync(here)
  .filter((name) => name.endsWith('.bench.ts'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .sort()

const run = (args: readonly string[]) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0

if (!existsSync(join(root, 'dist/electron/cli.js')) && !run(['scripts/build.mjs'])) process.exit(1)
const failed = files.filter((name) => {
  console.log(`\n${name.replace('.bench.ts', '')}`)
  return !run([join(here, name)])
})
console.log(`\n${files.length - failed.length} benchmarks held, ${failed.length} did not`)
process.exitCode = failed.length === 0 ? 0 : 1
