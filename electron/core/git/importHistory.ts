import type { Git } from './process.ts'

export interface HistoryCommit {
  /** Short name of the branch; a new one starts where main is. */
  readonly branch: string
  readonly author: { readonly name: string; readonly email: string }
  readonly at: Date
  readonly message: string
  /** Path → text, null for a deleted file. */
  readonly files: ReadonlyMap<string, string | null>
}

const COMMITTER = { name: 'Daybreak', email: 'daybreak@agent.invalid' }

/** Makes an empty repository in the folder where `git` runs, on the branch `main`. */
export async function initRepository(git: Git): Promise<void> {
  await git.run(['init', '-q', '-b', 'main', '--template='])
}

/**
 * Writes a linear history, oldest first, in one git-fast-import(1), then checks main out. For a fresh repository.
 * Returns the commits' ids in the order given. Errors: ERR_GIT.
 */
export async function importHistory(git: Git, commits: readonly HistoryCommit[]): Promise<string[]> {
  const ids = await git.text(['fast-import', '--quiet', '--done'], { input: stream(commits) })
  await git.run(['read-tree', '-m', '-u', 'HEAD'])
  return ids.split('\n')
}

function stream(commits: readonly HistoryCommit[]): string {
  const out: string[] = []
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const seen = new Set<string>()
  commits.forEach((commit, index) => {
    const when = `${Math.floor(commit.at.getTime() / 1000)} +0000`
    out.push(
      `commit refs/heads/${commit.branch}\n`,
      `mark :${index + 1}\n`,
      `author ${commit.author.name} <${commit.author.email}> ${when}\n`,
      `committer ${COMMITTER.name} <${COMMITTER.email}> ${when}\n`,
      data(`${commit.message}\n`),
    )
    if (!seen.has(commit.branch) && seen.has('main')) out.push('from refs/heads/main\n')
    seen.add(commit.branch)
    for (const [path, text] of commit.files)
      out.push(text === null ? `D ${quoted(path)}\n` : `M 100644 inline ${quoted(path)}\n${data(text)}`)
    out.push('\n')
  })
  commits.forEach((_, index) => {
    out.push(`get-mark :${index + 1}\n`)
  })
  out.push('done\n')
  return out.join('')
}

const quoted = (path: string) => `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
