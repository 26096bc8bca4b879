import { appendFileSync, chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { git, gitBytes, gitStatus, PERSON, type RawGitOptions } from './git.ts'
import { type CommitSpec, type Entry, type Files, fastImportStream, pathBytes } from './stream.ts'
import { tempDir } from './temp.ts'

const OID_LENGTH = 40
const TAB = 9

export interface RepoSpec {
  /** Oldest first. Empty or absent: an unborn branch. */
  readonly commits?: readonly CommitSpec[]
  /** More refs: full name → branch or label, e.g. a remote-tracking branch. */
  readonly refs?: Readonly<Record<string, string>>
  /** What HEAD is: a branch (default `main`) or a detached commit. */
  readonly head?: string | { readonly detached: string }
  readonly bare?: boolean
  /** Lines appended to the repository's own configuration. */
  readonly config?: string
  /** Written into the working tree after the checkout and not committed; null removes. */
  readonly local?: Files
}

export interface TestRepo {
  /** The working tree, or the git folder of a bare repository. */
  readonly dir: string
  readonly gitDir: string
  /** Plain git in it, stdout as text. */
  git(...args: string[]): string
  gitBytes(args: readonly string[], options?: RawGitOptions): Buffer
  /** Exit code of plain git. */
  code(...args: string[]): number
  /** The commit that a revision names. */
  oid(revision: string): string
  /** Bytes of a file at a revision. */
  show(revision: string, path: string): Buffer
  /** Absolute path in the working tree, as bytes: odd names survive. */
  file(path: string): Buffer
  /** Writes a file of the working tree; null removes it. */
  write(path: string, entry: Entry): void
  read(path: string): Buffer
  /** Adds everything and commits with the fixed identity. Returns the commit. */
  commit(message: string, files?: Files): string
  /** `status --porcelain=v2` with untracked files; empty for a clean tree. */
  status(): string
  /** `fsck --full --strict`; throws when it complains. */
  fsck(): void
  /** Every ref with its object, `refs/daybreak/**` left out. */
  refs(): Record<string, string>
}

/** A handle on an existing repository folder. */
export function openTestRepo(dir: string, bare = false): TestRepo {
  const gitDir = bare ? dir : git(dir, ['rev-parse', '--absolute-git-dir'])
  const file = (path: string) => Buffer.concat([Buffer.from(`${dir}/`), pathBytes(path)])
  const repo: TestRepo = {
    dir,
    gitDir,
    git: (...args) => git(dir, args),
    gitBytes: (args, options) => gitBytes(dir, args, options),
    code: (...args) => gitStatus(dir, args),
    oid: (revision) => git(dir, ['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`]),
    show: (revision, path) => {
      const listed = gitBytes(dir, ['ls-tree', '-z', '-r', revision])
      const wanted = pathBytes(path)
      for (let at = 0; at < listed.length; ) {
        const end = listed.indexOf(0, at)
        const tab = listed.indexOf(TAB, at)
        if (listed.subarray(tab + 1, end).equals(wanted))
          return gitBytes(dir, ['cat-file', 'blob', listed.toString('latin1', tab - OID_LENGTH, tab)])
        at = end + 1
      }
      throw new Error(`${revision} has no ${JSON.stringify(path)}`)
    },
    file,
    write: (path, entry) => writeEntry(file(path), entry),
    read: (path) => readFileSync(file(path)),
    commit: (message, files = {}) => {
      for (const [path, entry] of Object.entries(files)) repo.write(path, entry)
      git(dir, ['add', '-A'])
      git(dir, ['commit', '-q', '--allow-empty', '-m', message])
      return repo.oid('HEAD')
    },
    status: () => git(dir, ['status', '--porcelain=v2', '--untracked-files=all']),
    fsck: () => {
      git(dir, ['fsck', '--full', '--strict', '--no-dangling', '--no-progress'])
    },
    refs: () => {
      const listed = git(dir, ['for-each-ref', '--format=%(refname) %(objectname)'])
      const rows = listed === '' ? [] : listed.split('\n').map((row) => row.split(' ') as [string, string])
      return Object.fromEntries(rows.filter(([ref]) => !ref.startsWith('refs/daybreak/')))
    },
  }
  return repo
}

function writeEntry(target: Buffer, entry: Entry): void {
  rmSync(target, { recursive: true, force: true })
  if (entry === null) return
  mkdirSync(target.subarray(0, target.lastIndexOf('/')), { recursive: true })
  if (typeof entry === 'string' || entry instanceof Uint8Array) writeFileSync(target, entry)
  else if ('symlink' in entry) symlinkSync(entry.symlink, target)
  else if ('submodule' in entry) mkdirSync(target, { recursive: true })
  else {
    writeFileSync(target, entry.content)
    chmodSync(target, entry.mode === '100755' ? 0o755 : 0o644)
  }
}

/**
 * Builds a repository with plain git: one `init`, one `fast-import`, one checkout. The same spec gives the same
 * object ids everywhere.
 */
export function buildRepo(dir: string | undefined, spec: RepoSpec): TestRepo {
  const where = dir ?? tempDir('repo')
  mkdirSync(dirname(where), { recursive: true })
  git('/', ['init', '-q', '-b', 'main', '--template=', ...(spec.bare ? ['--bare'] : []), where])
  const gitDir = spec.bare ? where : join(where, '.git')
  appendFileSync(
    join(gitDir, 'config'),
    `[user]\n\tname = ${PERSON.name}\n\temail = ${PERSON.email}\n[core]\n\tautocrlf = false\n[commit]\n\tgpgsign = false\n[gc]\n\tauto = 0\n${spec.config ?? ''}`,
  )
  if (spec.commits && spec.commits.length > 0) {
    fastImport(where, fastImportStream(spec.commits, spec.refs ?? {}))
  }
  const head = spec.head ?? 'main'
  if (typeof head === 'string') git(where, ['symbolic-ref', 'HEAD', `refs/heads/${head}`])
  else git(where, ['update-ref', '--no-deref', 'HEAD', git(where, ['rev-parse', head.detached])])
  if (!spec.bare && gitStatus(where, ['rev-parse', '-q', '--verify', 'HEAD']) === 0)
    git(where, ['reset', '-q', '--hard'])
  const repo = openTestRepo(where, spec.bare)
  for (const [path, entry] of Object.entries(spec.local ?? {})) repo.write(path, entry)
  return repo
}

const fastImport = (dir: string, input: Buffer) =>
  git(dir, ['-c', 'fastimport.unpackLimit=5000', 'fast-import', '--quiet', '--done', '--force'], { input })

/** More commits on an existing repository, as loose objects where they are few. The working tree is left as it is. */
export function addCommits(repo: TestRepo, commits: readonly CommitSpec[]): void {
  const listed = repo.git('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads').split('\n')
  fastImport(repo.dir, fastImportStream(commits, {}, listed))
}

/** A copy of a built repository: build once per test file, copy per test. The copy's index is fresh. */
export function copyRepo(repo: TestRepo, to = tempDir('copy')): TestRepo {
  cpSync(repo.dir, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  const bare = repo.dir === repo.gitDir
  if (!bare) gitStatus(to, ['update-index', '-q', '--refresh'])
  return openTestRepo(to, bare)
}
