import { AppError } from '../../../shared/errors/index.ts'
import { decodePath } from './bytes.ts'
import { parseRawHeader } from './diffTree.ts'
import { type Git, spawnFailure } from './process.ts'

/** What a commit made of a path: null where it removed it. */
export interface TrunkChange {
  readonly path: string
  readonly mode: string | null
  readonly oid: string | null
}

/** A commit of a first-parent line, with what it changed against its first parent. */
export interface TrunkCommit {
  readonly oid: string
  /** The first parent; null where there is none. */
  readonly parent: string | null
  /** Committer time, in seconds since 1970. */
  readonly at: number
  readonly changes: readonly TrunkChange[]
}

export interface TrunkRange {
  /** Commits that this one reaches are left out; null: all. */
  readonly from: string | null
  readonly to: string
  /** Only commits that changed this path. What lies below it, where it was a folder, may be among their changes. */
  readonly path?: string
  /** Only what removed a path. */
  readonly deletions?: boolean
  /** At most so many, the newest. */
  readonly limit?: number
}

/** Nothing that the repository's configuration says about logs and diffs counts; renames are not followed. */
const FLAGS: readonly string[] = [
  '-z',
  '--first-parent',
  '--diff-merges=first-parent',
  '--root',
  '--raw',
  '-r',
  '--no-renames',
  '--no-follow',
  '--no-abbrev',
  '--no-relative',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=dirty',
  '--no-show-signature',
  '--no-color',
  '--no-notes',
  '--format=tformat:%H %ct %P',
]

/**
 * The commits of a first-parent line, the newest first, as git gives them: a long history is never held as a whole.
 * Errors: ERR_GIT, ERR_GIT_MISSING.
 */
export async function* readTrunkLog(git: Git, range: TrunkRange): AsyncGenerator<TrunkCommit> {
  const limit = range.limit === undefined ? [] : [`--max-count=${range.limit}`]
  const below = range.from === null ? [] : [`^${range.from}`]
  const path = range.path === undefined ? null : pathspec(range.path)
  const only = range.deletions ? ['--diff-filter=D'] : []
  const args = ['log', ...FLAGS, ...only, ...limit, range.to, ...below, '--', ...(path ? [path.text] : [])]
  const child = git.start(args, path?.glob ? { env: { GIT_LITERAL_PATHSPECS: '0' } } : {})
  let failure: Error | null = null
  let words = ''
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', (cause) => {
      failure = spawnFailure(cause, args, git.cwd)
      resolve(null)
    })
    child.on('close', (code) => resolve(code))
  })
  child.stdin.on('error', () => {})
  child.stdin.end()
  child.stderr.on('data', (chunk: Buffer) => {
    words += chunk.toString('utf8')
  })
  let whole = false
  try {
    const read = createReader()
    for await (const chunk of child.stdout) yield* read.take(chunk as Buffer)
    yield* read.end()
    whole = true
  } finally {
    if (!whole) child.kill()
  }
  const exitCode = await ended
  if (failure) throw failure
  if (exitCode !== 0) throw new AppError('ERR_GIT', { verb: 'log', exitCode, detail: words.trim() })
}

/** A path as git takes it. Its bytes can only be told as UTF-8: others are asked for by a pattern that they match. */
function pathspec(path: string): { readonly text: string; readonly glob: boolean } {
  if (path.isWellFormed()) return { text: path, glob: false }
  let text = ':(glob)'
  for (const char of path) {
    const code = char.charCodeAt(0)
    if (char.length === 1 && code >= 0xdc80 && code <= 0xdcff) text += '?'
    else text += /[*?[\]\\]/.test(char) ? `\\${char}` : char
  }
  return { text, glob: true }
}

/** Puts the fields of `log -z --raw` together: a commit's head, then `\n:<header>` and path for each change. */
function createReader() {
  let rest: Buffer = Buffer.alloc(0)
  let current: { oid: string; parent: string | null; at: number; changes: TrunkChange[] } | null = null
  let header: string | null = null

  const field = (bytes: Buffer): TrunkCommit | null => {
    if (header !== null) {
      const { newMode, newOid } = parseRawHeader(header)
      header = null
      current?.changes.push({ path: decodePath(bytes), mode: newMode, oid: newOid })
      return null
    }
    const text = bytes.toString('latin1')
    if (text.startsWith(':') || text.startsWith('\n:')) {
      header = text.trimStart()
      return null
    }
    if (text === '') return null
    const [oid = '', at, parent] = text.split(' ')
    const done = current
    current = { oid, parent: parent || null, at: Number(at), changes: [] }
    return done
  }

  return {
    *take(chunk: Buffer): Generator<TrunkCommit> {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let from = 0
      for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, from)) {
        const done = field(bytes.subarray(from, end))
        if (done) yield done
        from = end + 1
      }
      rest = bytes.subarray(from)
    },
    *end(): Generator<TrunkCommit> {
      if (current) yield current
    },
  }
}

/** The change of one path that its log tells; null where the log is about what lay below it. */
export const changeOf = (commit: TrunkCommit, path: string): TrunkChange | null =>
  commit.changes.find((one) => one.path === path) ?? null
