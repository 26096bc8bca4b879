import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { dumpStoreDbs, openTestRepo, type TestRepo, workingTree } from '../support/index.ts'

/** Everything that a verb may change or must leave alone, as something to compare. */
export interface RepoState {
  readonly refs: Readonly<Record<string, string>>
  readonly heads: readonly string[]
  /** By the name of the worktree. */
  readonly index: Readonly<Record<string, string>>
  readonly status: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, string>>
  readonly planes: Readonly<Record<string, unknown>>
  /** What git is in the middle of, by its state files. */
  readonly ongoing: Readonly<Record<string, string>>
}

const ONGOING = ['MERGE_HEAD', 'MERGE_MODE', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']

/** The filter of the person's own configuration; files that it applies to are stored otherwise than shown. */
export const CLEAN = 'sed s/SHOWN/STORED/'
export const SMUDGE = 'sed s/STORED/SHOWN/'
const FILTER = ['-c', `filter.own.clean=${CLEAN}`, '-c', `filter.own.smudge=${SMUDGE}`]

export function readState(repo: TestRepo): RepoState {
  const trees = worktreesOf(repo)
  const each = <T>(read: (tree: TestRepo) => T) =>
    Object.fromEntries(trees.map((tree) => [trees.length > 1 ? basename(tree.dir) : '', read(tree)]))
  // First: reading a database whose writer was killed makes it whole again.
  const planes = each((tree) => (existsSync(join(tree.dir, '.memhtml', 'index.db')) ? dumpStoreDbs(tree.dir) : {}))
  for (const tree of trees) tree.code(...FILTER, 'update-index', '-q', '--refresh')
  return withoutMadeIds(repo, {
    refs: repo.refs(),
    heads: repo
      .git('worktree', 'list', '--porcelain')
      .split('\n')
      .filter((line) => /^(?:HEAD|branch|detached)/.test(line)),
    index: each((tree) => tree.git('ls-files', '-s', '-v')),
    status: each((tree) =>
      tree
        .git(...FILTER, 'status', '--porcelain=v2', '--untracked-files=all', '--ignored')
        .split('\n')
        .filter((line) => !SIDECAR.test(line))
        .join('\n'),
    ),
    files: Object.assign({}, ...Object.entries(each((tree) => workingTree(tree.dir))).map(prefixed)),
    ongoing: Object.fromEntries(
      ONGOING.map((name) => join(repo.gitDir, name))
        .filter((file) => existsSync(file))
        .map((file) => [basename(file), readFileSync(file, 'utf8')]),
    ),
    planes,
  })
}

const prefixed = ([name, files]: [string, Readonly<Record<string, string>>]) =>
  Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => !SIDECAR.test(path))
      .map(([path, what]) => [`${name}: ${path}`, what]),
  )

/** What SQLite leaves beside a database when its process is killed, and takes away when it next writes. */
const SIDECAR = /\.memhtml\/(?:index|state)\.db-(?:wal|shm|journal|mj)/

/** Every working tree of a repository, the main one first where there is one. */
function worktreesOf(repo: TestRepo): TestRepo[] {
  const records = repo.git('worktree', 'list', '--porcelain', '-z').split('\0\0')
  return records.flatMap((record) => {
    const [first = '', ...more] = record.split('\0')
    return first === '' || more.includes('bare') ? [] : [openTestRepo(first.slice('worktree '.length))]
  })
}

/** A commit that a verb makes holds its time and the verb's id: it is named by its tree instead. */
function withoutMadeIds(repo: TestRepo, state: RepoState): RepoState {
  const made = repo.git(
    'log',
    '--branches',
    '--format=%H %T',
    '--grep=^Daybreak-Operation: ',
    '--grep=^Daybreak-Actor: ',
    "--grep=^Merge branch '",
  )
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
  const common = repo.git('rev-parse', '--path-format=absolute', '--git-common-dir')
  walk(common)
  const work = join(common, 'daybreak', 'work')
  if (existsSync(work)) found.push(...readdirSync(work).map((name) => join(work, name)))
  return found
}

export const at = (dir: string): TestRepo => openTestRepo(dir, !existsSync(join(dir, '.git')))
