// Installs and builds what is missing. Plain JavaScript without dependencies: it runs first, on any Node from 20 on.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** better-sqlite3's prebuilt files need it; Node 24 has it. */
const NODE_API = 10

/** Something a person has to know, said without a stack. */
export class SetupError extends Error {}

/** Runs a command and waits; rejects with a SetupError unless it ends with 0. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options })
    child.on('error', (error) => reject(new SetupError(`${command} could not be started: ${error.message}`)))
    child.on('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new SetupError(`${[command, ...args].join(' ')} ended with ${code ?? signal}`))
    })
  })
}

/** npm as a command line that also works on Windows, and inside `npm run` is the very npm that runs. */
function npm(args) {
  const own = process.env.npm_execpath
  if (own && /npm-cli\.c?js$/.test(own)) return run(process.execPath, [own, ...args])
  return run('npm', args, { shell: process.platform === 'win32' })
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** Whether node_modules holds what the lock file names, version by version. Packages for other machines may be absent. */
export function isInstalled(folder = root) {
  const hidden = join(folder, 'node_modules', '.package-lock.json')
  if (!existsSync(hidden)) return false
  const wanted = readJson(join(folder, 'package-lock.json')).packages
  const there = readJson(hidden).packages
  return Object.entries(wanted).every(([path, { version, optional, peer, devOptional }]) => {
    if (path === '') return true
    const found = there[path]
    return found ? found.version === version : Boolean(optional || peer || devOptional)
  })
}

/** `npm ci` where something is missing. No package's script runs: none is needed. */
export async function ensureInstalled() {
  if (isInstalled()) return
  console.error('Installing what is missing…')
  await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
}

/** A Node that can run the app: this one, else the one that npm installed beside it. */
export function fitNode() {
  if (Number(process.versions.napi) >= NODE_API) return process.execPath
  const own = join(root, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node')
  if (process.platform === 'linux' && existsSync(own)) return own
  throw new SetupError(`Node 24 or newer is needed; this is ${process.version}.`)
}

/** The environment in which `node` is the fit one and the tools of node_modules are found. */
export function fitEnvironment() {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  const path = [dirname(fitNode()), join(root, 'node_modules', '.bin'), process.env[key] ?? ''].join(delimiter)
  return { ...process.env, [key]: path }
}

const SOURCES = ['shared', 'electron', 'renderer', 'assets', 'package.json', 'package-lock.json', 'vite.config.ts']
const STAMP = join(root, 'dist', '.built')

/** A hash over names, sizes and times of all that a build reads. */
function sourcesNow() {
  const hash = createHash('sha256')
  const add = (path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false })
    if (!stat) return
    if (stat.isDirectory()) for (const name of readdirSync(join(root, path)).sort()) add(join(path, name))
    else if (!/\.test\.tsx?$/.test(path)) hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`)
  }
  SOURCES.forEach(add)
  return hash.digest('hex')
}

/** Builds the page, the programs and the preload script. Their output is shown only when one fails. */
export async function build() {
  const before = sourcesNow()
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const one = (mode) =>
    run(fitNode(), [vite, 'build', '--logLevel', 'error', ...mode], { stdio: ['ignore', 'ignore', 'inherit'] })
  await Promise.all([one([]), one(['--mode', 'electron']).then(() => one(['--mode', 'preload']))])
  mkdirSync(dirname(STAMP), { recursive: true })
  writeFileSync(STAMP, before)
}

/** Builds where a source changed since the last build. */
export async function ensureBuilt() {
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourcesNow()) return
  console.error('Building…')
  await build()
}

/** Ends the process with one line for what a person has to know, and with a stack for anything else. */
export function giveUp(error) {
  console.error(error instanceof SetupError ? `daybreak: ${error.message}` : error)
  process.exit(1)
}
