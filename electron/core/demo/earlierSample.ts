import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGit, type Git } from '../git/process.ts'
import type { Ports } from '../ports.ts'
import type { SampleWeek } from './sampleWeek.ts'

/** What lies beside a built sample: its refs as they were then. */
const NOTE = 'built.json'

/** HEAD, every ref with its object, and every worktree. Daybreak's own refs count too: they tell of something done. */
async function stateOf(git: Git): Promise<string> {
  const [head, refs, trees] = await Promise.all([
    git.text(['symbolic-ref', '-q', 'HEAD'], { ok: [0, 1] }),
    git.text(['for-each-ref', '--format=%(refname) %(objectname)']),
    git.text(['worktree', 'list', '--porcelain']),
  ])
  return [head, refs, trees].join('\n\n')
}

/** Notes a sample's state next to its folder, so that it is known later whether anything was done in it. */
export async function noteBuilt(git: Git, own: string): Promise<void> {
  writeFileSync(join(own, NOTE), JSON.stringify({ state: await stateOf(git) }))
}

/** The latest sample of this very week in which nothing was done since it was built; null where there is none. */
export async function untouchedSample(ports: Ports, parent: string, week: SampleWeek): Promise<string | null> {
  for (const number of numbersIn(parent).sort((a, b) => b - a)) {
    const own = join(parent, String(number))
    const dir = join(own, week.name)
    const state = noted(join(own, NOTE))
    if (state === null || !existsSync(join(dir, '.git'))) continue
    try {
      const git = createGit({ cwd: dir, env: ports.env })
      const waits = `refs/heads/${week.runs.at(-1)?.runId} `
      if (!state.includes(waits) || (await stateOf(git)) !== state) continue
      // What is ignored counts as well: only the store's own databases may be there.
      const status = await git.text(['status', '--porcelain', '--ignored', '-z'])
      const more = status.split('\0').filter((line) => line !== '' && !/^!! \.memhtml\//.test(line))
      if (more.length === 0) return dir
    } catch (error) {
      ports.log(`the sample at ${dir} is not used again: ${String(error)}`)
    }
  }
  return null
}

function numbersIn(parent: string): number[] {
  try {
    return readdirSync(parent).map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

function noted(file: string): string | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof value === 'object' && value !== null && 'state' in value && typeof value.state === 'string'
      ? value.state
      : null
  } catch {
    return null
  }
}
