import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let root: string | null = null
let count = 0

/** A fresh empty folder that goes when this process ends. All of one process lie under one parent. */
export function tempDir(name = 'dir'): string {
  if (root === null) {
    const made = mkdtempSync(join(tmpdir(), 'daybreak-test-'))
    process.on('exit', () => rmSync(made, { recursive: true, force: true }))
    root = made
  }
  count += 1
  const dir = join(root, `${count}-${name}`)
  mkdirSync(dir, { recursive: true })
  return dir
}

export interface TestHome {
  /** The app's own data folder, for `DAYBREAK_HOME`. */
  readonly home: string
  /** Environment of a person with no git configuration of their own and this `DAYBREAK_HOME`. */
  readonly env: NodeJS.ProcessEnv
}

/** A private `DAYBREAK_HOME` and an environment that no configuration of the machine reaches. */
export function withHome(): TestHome {
  const base = tempDir('home')
  const home = join(base, 'daybreak')
  mkdirSync(home)
  const env: NodeJS.ProcessEnv = {}
  for (const [name, value] of Object.entries(process.env)) if (!/^(?:GIT_|DAYBREAK_)/.test(name)) env[name] = value
  env.HOME = base
  env.USERPROFILE = base
  env.XDG_CONFIG_HOME = join(base, '.config')
  env.GIT_CONFIG_GLOBAL = '/dev/null'
  env.GIT_CONFIG_NOSYSTEM = '1'
  env.DAYBREAK_HOME = home
  return { home, env }
}
