import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { decodePath } from './bytes.ts'
import type { Git } from './process.ts'
import { LOCAL, shortName } from './refs.ts'

/** One working tree of a repository. */
export interface Worktree {
  /** Absolute; for a bare repository's own entry its git folder. */
  readonly path: string
  /** Its own git folder: HEAD, index, state of operations. null where its folder is gone. */
  readonly gitDir: string | null
  /** Commit of its HEAD; always null where it was not asked for. */
  readonly head: string | null
  /** Short name of the branch that it has checked out; null when detached or bare. */
  readonly branch: string | null
  /** Short names of branches that a rebase or bisect under way will come back to. */
  readonly claims: readonly string[]
  /** The repository's own entry without a working tree. */
  readonly bare: boolean
  /** The first one: its git folder is the common one. */
  readonly main: boolean
  /** Its folder is not there; git would prune it. */
  readonly missing: boolean
  /** Locked against pruning, e.g. on a drive that is not mounted. */
  readonly locked: boolean
}

/** Reads all worktrees, the main one first. `commonDir`: the repository's common git folder. */
export const readWorktrees = async (git: Git, commonDir: string): Promise<Worktree[]> =>
  parseList(commonDir, await list(git))

const list = async (git: Git): Promise<Buffer> => (await git.run(['worktree', 'list', '--porcelain', '-z'])).stdout

/** git's last list of a repository's worktrees, and the very files that it was made from. */
const lists = new Map<string, { readonly madeOf: string; readonly stdout: Buffer }>()
const MOST_LISTS = 16

/**
 * As `readWorktrees` but without the commit of each HEAD: git is asked again only where a file that its list is made
 * from holds something else than before. What is not in those files (folders that are gone, rebases) is always looked at.
 */
export async function readHolders(git: Git, commonDir: string): Promise<Worktree[]> {
  const madeOf = filesOfList(commonDir)
  const known = lists.get(commonDir)
  const fresh = madeOf !== null && known?.madeOf === madeOf
  const stdout = fresh ? known.stdout : await list(git)
  // Read again: what changed while git looked belongs to no list.
  if (!fresh && madeOf !== null && filesOfList(commonDir) === madeOf) {
    if (lists.size >= MOST_LISTS) lists.clear()
    lists.set(commonDir, { madeOf, stdout })
  }
  return parseList(commonDir, stdout).map((one) => ({ ...one, head: null }))
}

/** The content of every file that `git worktree list` goes by; null where something else may count. */
function filesOfList(commonDir: string): string | null {
  const parts: (string | null)[] = ['HEAD', 'config', 'config.worktree'].map((name) => readText(join(commonDir, name)))
  const home = join(commonDir, 'worktrees')
  for (const id of existsSync(home) ? readdirSync(home).sort() : [])
    parts.push(id, ...['HEAD', 'gitdir', 'locked', 'commondir'].map((name) => readText(join(home, id, name))))
  // Included files are not looked at, and in another ref format HEAD files do not say where HEAD is.
  const [head, ...configs] = parts
  if (!head?.startsWith('ref: ') || parts.some((text) => text?.startsWith('ref: refs/heads/.invalid'))) return null
  if (configs.slice(0, 2).some((text) => text && /include/i.test(text))) return null
  // A branch that is another name of a branch: what it leads to is in a file of its own.
  const targets = parts.flatMap((text) => (text?.startsWith('ref: ') ? [text.slice('ref: '.length)] : []))
  if (targets.some((ref) => readText(join(commonDir, ref))?.startsWith('ref: '))) return null
  return JSON.stringify(parts)
}

function parseList(commonDir: string, stdout: Buffer): Worktree[] {
  const linked = readLinks(commonDir)
  const records = decodePath(stdout).split('\0\0')
  return records
    .map((record) => new Map(record.split('\0').filter(Boolean).map(attribute)))
    .filter((record) => record.has('worktree'))
    .map((record, index) => {
      const path = record.get('worktree') as string
      const main = index === 0
      const bare = record.has('bare')
      const missing = !bare && !existsSync(path)
      const gitDir = main ? commonDir : missing ? null : (linked.get(path) ?? linked.get(real(path)) ?? null)
      const branch = record.get('branch')
      return {
        path,
        gitDir,
        head: record.get('HEAD') ?? null,
        branch: branch ? shortName(branch) : null,
        claims: gitDir ? readClaims(gitDir) : [],
        bare,
        main,
        missing,
        locked: record.has('locked'),
      }
    })
}

const attribute = (line: string): [string, string] => {
  const cut = line.indexOf(' ')
  return cut === -1 ? [line, ''] : [line.slice(0, cut), line.slice(cut + 1)]
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Folder of a linked worktree → its git folder, from the back links in `worktrees/<id>/gitdir`. */
function readLinks(commonDir: string): Map<string, string> {
  const links = new Map<string, string>()
  const home = join(commonDir, 'worktrees')
  if (!existsSync(home)) return links
  for (const id of readdirSync(home)) {
    const back = readText(join(home, id, 'gitdir'))
    if (!back) continue
    const entry = back.startsWith('/') || /^[A-Za-z]:/.test(back) ? back : join(home, id, back)
    links.set(dirname(entry), join(home, id))
    links.set(real(dirname(entry)), join(home, id))
  }
  return links
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').replace(/\n$/, '')
  } catch {
    return null
  }
}

/** Branches that are not checked out but that a rebase or bisect holds: git counts them as in use. */
function readClaims(gitDir: string): string[] {
  const named = [
    readText(join(gitDir, 'rebase-merge', 'head-name')),
    readText(join(gitDir, 'rebase-apply', 'head-name')),
    readText(join(gitDir, 'BISECT_START')),
  ]
  const found = named.flatMap((name) => (name ? [shortName(name)] : []))
  return [...new Set([...found, ...readUpdateRefs(gitDir)])]
}

/** `rebase --update-refs` holds further branches: three lines each, the name first (git's rebase-merge/update-refs). */
function readUpdateRefs(gitDir: string): string[] {
  const text = readText(join(gitDir, 'rebase-merge', 'update-refs'))
  return text
    ? text
        .split('\n')
        .filter((line) => line.startsWith(LOCAL))
        .map(shortName)
    : []
}

/**
 * The worktrees that hold a branch: checked out, or in the middle of a rebase or bisect of it. One whose folder was
 * deleted holds nothing any more, unless it is locked: then it may come back.
 */
export const holdersOf = (worktrees: readonly Worktree[], branch: string): Worktree[] =>
  worktrees.filter(
    (one) => !one.bare && !(one.missing && !one.locked) && (one.branch === branch || one.claims.includes(branch)),
  )
