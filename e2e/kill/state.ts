import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { dumpStoreDbs, openTestRepo, type TestRepo, workingTree } from '../support/index.ts'

/** Everything that a verb may change or must leave alone, as something to compare. */
export interface RepoState {
  readonly refs: Readonly<Record<string, string>>
  readonly heads: readonly string[]
  readonly index: string
  readonly status: string
  readonly files: Readonly<Record<string, string>>
  readonly planes: Readonly<Record<string, unknown>>
  /** What git is in the middle of, by its state files. */
  readonly ongoing: Readonly<Record<string, string>>
}

const ONGOING = ['MERGE_HEAD', 'MERGE_MODE', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']

export function readState(repo: TestRepo): RepoState {
  repo.code('update-index', '-q', '--refresh')
  return withoutMadeIds(repo, {
    refs: repo.refs(),
    heads: repo
      .git('worktree', 'list', '--porcelain')
      .split('\n')
      .filter((line) => /^(?:HEAD|branch|detached)/.test(line)),
    index: repo.git('ls-files', '-s', '-v'),
    status: repo.git('status', '--porcelain=v2', '--untracked-files=all', '--ignored'),
    files: workingTree(repo.dir),
    ongoing: Object.fromEntries(
      ONGOING.map((name) => join(repo.gitDir, name))
        .filter((file) => existsSync(file))
        .map((file) => [basename(file), readFileSync(file, 'utf8')]),
    ),
    planes: existsSync(join(repo.dir, '.memhtml', 'index.db')) ? dumpStoreDbs(repo.dir) : {},
  })
}

/** A commit that a verb makes holds its time and the verb's id: it is named by its tree instead. */
function withoutMadeIds(repo: TestRepo, state: RepoState): RepoState {
  const made = repo.git('log', '--branches', '--format=%H %T', '--grep=^Daybreak-Operation: ', "--grep=^Merge branch '")
  let text = JSON.stringify(state)
  for (const line of made.split('\n').filter(Boolean)) {
    const [commit = '', tree = ''] = line.split(' ')
    text = text.replaceAll(commit, `made ${tree}`)
  }
  return JSON.parse(text)
}

/** What differs between two states, in words; empty where nothing does. Commit ids made anew are compared by what they hold. */
export function differences(now: RepoState, wanted: RepoState): string[] {
  const found: string[] = []
  for (const key of Object.keys(wanted) as (keyof RepoState)[]) {
    const [a, b] = [now[key], wanted[key]]
    if (typeof a === 'string' || Array.isArray(a)) {
      if (JSON.stringify(a) !== JSON.stringify(b))
        found.push(`${key}: ${JSON.stringify(a)} instead of ${JSON.stringify(b)}`)
      continue
    }
    const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
      const [x, y] = [JSON.stringify(left[name]), JSON.stringify(right[name])]
      if (x !== y) found.push(`${key} ${name}: ${x} instead of ${y}`)
    }
  }
  return found
}

/** Locks of ours and leftovers of an operation. */
export function leftovers(repo: TestRepo): string[] {
  const found: string[] = []
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (entry.name !== 'objects' && entry.name !== 'hooks') walk(path)
      } else if (entry.name.endsWith('.lock') || entry.name.startsWith('daybreak-')) found.push(path)
    }
  }
  walk(repo.gitDir)
  const work = join(repo.gitDir, 'daybreak', 'work')
  if (existsSync(work)) found.push(...readdirSync(work).map((name) => join(work, name)))
  return found
}

export const at = (dir: string): TestRepo => openTestRepo(dir)
