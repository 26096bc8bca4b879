import { type SpawnOptions, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { tempDir } from '../support/index.ts'

const PROJECT = resolve(import.meta.dirname, '../..')
const OWN_NODE = `node_modules/node-linux-${process.arch}/bin/node`

/** What stands for vite, Playwright and npm writes a line here for each time it runs. */
const LOG = 'ran.log'

/** Builds what `bin/daybreak` runs: a command line that says how it was called. */
const VITE = `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
const mode = process.argv[process.argv.indexOf('--mode') + 1]
appendFileSync('${LOG}', 'build ' + (process.argv.includes('--mode') ? mode : 'page') + '\\n')
mkdirSync('dist/electron', { recursive: true })
if (mode === 'electron') writeFileSync('dist/electron/cli.js', 'console.log(JSON.stringify([process.cwd(), ...process.argv.slice(2)]))')
`

/** A browser that starts once \`browser-is-there\` exists, which its installer writes unless \`no-download\` exists. */
const PLAYWRIGHT = `import { appendFileSync, existsSync } from 'node:fs'
appendFileSync('${LOG}', 'try own browser\\n')
export const chromium = {
  async launch() {
    if (!existsSync('browser-is-there')) throw new Error('no browser')
    return { async close() {} }
  },
}
`
const PLAYWRIGHT_CLI = `const { appendFileSync, existsSync, writeFileSync } = require('node:fs')
appendFileSync('${LOG}', 'playwright ' + process.argv.slice(2).join(' ') + '\\n')
if (existsSync('no-download')) process.exit(1)
writeFileSync('browser-is-there', '')
`

/**
 * The Node that npm installs beside the project: runs what the stand-ins are, and answers for every suite as that suite
 * reports: one check each, 3 unit tests, 2 of the kill suite and of the crowd, and so on. A suite named in \`failing\` ends with 1.
 */
const NODE = (real: string) => `#!/bin/sh
unset NODE_OPTIONS
case "$*" in
  *vite.js*|*'cli.js install'*|-e*|*daybreak.cjs*) exec '${real}' "$@";;
esac
echo "suite $*" >> ${LOG}
for word in "$@"; do
  case $word in
    --outputFile.json=*) echo '{"numPassedTests":3,"numFailedTests":0,"numPendingTests":0,"numTodoTests":0}' > "\${word#*=}";;
    *e2e/kill/run.ts|*e2e/crowd/run.ts) echo '2 passed, 0 failed';;
    *playwright/test/cli.js) echo '{"stats":{"expected":5,"unexpected":0,"flaky":0,"skipped":0}}' > test-results/e2e.json;;
  esac
done
case "$*" in *"$(cat failing 2>/dev/null || echo none)"*) exit 1;; esac
`

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Clone {
  readonly dir: string
  /** What npm and the build ran since the last time this was asked. */
  readonly ran: () => string[]
  readonly write: (path: string, text: string) => void
  /** Runs this Node in the clone, or from `cwd`. */
  readonly node: (args: readonly string[], env?: NodeJS.ProcessEnv, options?: SpawnOptions) => Promise<Ran>
}

/** Makes the process that loads it look like Node 20. */
const OLD = `Object.defineProperty(process, 'versions', { value: { ...process.versions, napi: '9' } })`

/**
 * A clone of what runs before anything is installed, with an npm that installs stand-ins. `ownNode`: whether npm finds a
 * Node for this machine.
 */
export function freshClone({ ownNode = true } = {}): Clone & { readonly old: NodeJS.ProcessEnv; readonly npm: string } {
  const dir = join(tempDir('fresh'), 'a clone')
  const tools = tempDir('npm')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  for (const path of ['scripts', 'bin', 'electron/launch.mjs'])
    cpSync(join(PROJECT, path), join(dir, path), { recursive: true })
  const packages = {
    '': {},
    'node_modules/vite': { version: '8.0.0' },
    'node_modules/other': { version: '1.0.0', optional: true },
  }
  write('package.json', '{"type":"module"}')
  write('package-lock.json', JSON.stringify({ packages }))
  write('shared/a.ts', 'export const a = 1\n')

  const stage = join(tools, 'node_modules')
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(stage, path)), { recursive: true })
    writeFileSync(join(stage, path), text)
  }
  put('.package-lock.json', JSON.stringify({ packages: { 'node_modules/vite': { version: '8.0.0' } } }))
  put('vite/package.json', '{"type":"module"}')
  put('vite/bin/vite.js', VITE)
  put('@playwright/test/package.json', '{"exports":"./index.mjs"}')
  put('@playwright/test/index.mjs', PLAYWRIGHT)
  put('@playwright/test/cli.js', PLAYWRIGHT_CLI)
  if (ownNode) {
    put(OWN_NODE.replace('node_modules/', ''), NODE(process.execPath))
    chmodSync(join(tools, OWN_NODE), 0o755)
  }
  const npm = join(tools, 'npm-cli.js')
  writeFileSync(
    npm,
    `const { appendFileSync, cpSync, existsSync, rmSync } = require('node:fs')
appendFileSync('${LOG}', 'npm ' + process.argv.slice(2).join(' ') + '\\n')
if (existsSync('no-network')) process.exit(1)
rmSync('node_modules', { recursive: true, force: true })
cpSync(${JSON.stringify(stage)}, 'node_modules', { recursive: true })
`,
  )
  writeFileSync(join(tools, 'npm'), `#!/bin/sh\nexec '${process.execPath}' '${npm}' "$@"\n`)
  chmodSync(join(tools, 'npm'), 0o755)
  writeFileSync(join(tools, 'old.cjs'), OLD)

  const log = join(dir, LOG)
  return {
    dir,
    npm: tools,
    old: { NODE_OPTIONS: `--require "${join(tools, 'old.cjs')}"` },
    write,
    ran() {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []
      rmSync(log, { force: true })
      return lines
    },
    node: (args, env = {}, options = {}) =>
      new Promise((settle) => {
        const bare = { PATH: '/usr/bin:/bin', npm_execpath: npm, TMPDIR: tools }
        const child = spawn(process.execPath, args, { cwd: dir, env: { ...bare, ...env }, ...options })
        let out = ''
        let err = ''
        child.stdout?.on('data', (chunk) => (out += chunk))
        child.stderr?.on('data', (chunk) => (err += chunk))
        child.on('close', (code) => settle({ code, out, err }))
      }),
  }
}
