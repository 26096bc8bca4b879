import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { RepositoryContext } from '../context.ts'
import { decodePath, encodePath, splitNul } from '../git/bytes.ts'
import { emptyTree, parseRawDiff, type RawChange } from '../git/diffTree.ts'
import type { Git } from '../git/process.ts'

const WORD = 'linguist-generated'
const NUL = Buffer.from([0])

/** Says which paths a commit's attributes mark as `linguist-generated`. */
export type GeneratedBy = (paths: readonly string[]) => Promise<ReadonlySet<string>>

/**
 * Reads the `.gitattributes` files of a commit's tree. Where none of them mentions the attribute, no path is asked
 * about; else git is asked through a private index that holds nothing but those files, since git 2.38 cannot be asked
 * about a tree.
 */
export async function readGeneratedBy(
  repo: Pick<RepositoryContext, 'git' | 'config' | 'objects' | 'repository'>,
  commit: string,
): Promise<GeneratedBy> {
  const [files, elsewhere] = await Promise.all([attributeFiles(repo.git, commit), inOwnAttributes(repo)])
  const blobs = await repo.objects.readMany(files.map((file) => file.newOid as string))
  const mentioned = elsewhere || blobs.some((blob) => blob?.bytes.includes(WORD))
  return async (paths) => (mentioned && paths.length > 0 ? ask(repo.git, files, paths) : new Set())
}

/** The attribute files of a tree, in any folder. */
async function attributeFiles(git: Git, commit: string): Promise<RawChange[]> {
  const { stdout } = await git.run(
    ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', emptyTree(commit), commit, '--', ANYWHERE],
    { env: { GIT_LITERAL_PATHSPECS: '0' } },
  )
  return parseRawDiff(stdout).filter((file) => file.newMode?.startsWith('100'))
}
const ANYWHERE = ':(top,glob)**/.gitattributes'

/** Whether an attributes file outside the tree could mention the attribute: the repository's own, or the person's. */
async function inOwnAttributes(repo: Pick<RepositoryContext, 'git' | 'config' | 'repository'>): Promise<boolean> {
  const files = [join(repo.repository.commonDir, 'info', 'attributes'), await personFile(repo)]
  const found = await Promise.all(files.map((file) => readFile(file).catch(() => null)))
  return found.some((bytes) => bytes?.includes(WORD))
}

/** Where git looks for the person's own attributes: what the configuration names, else its usual place. */
async function personFile({ git, config }: Pick<RepositoryContext, 'git' | 'config'>): Promise<string> {
  // git alone knows what `~` and its other shorthands stand for; it is asked only where something is configured.
  if (config.some((entry) => entry.key === 'core.attributesfile')) {
    const name = ['config', '-z', '--type=path', '--get', 'core.attributesFile']
    const { exitCode, stdout } = await git.run(name, { ok: [0, 1] })
    if (exitCode === 0) return resolve(git.cwd, decodePath(stdout.subarray(0, -1)))
  }
  const env = git.environment()
  return join(env.XDG_CONFIG_HOME || join(env.HOME ?? '', '.config'), 'git', 'attributes')
}

async function ask(git: Git, files: readonly RawChange[], paths: readonly string[]): Promise<ReadonlySet<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'daybreak-index-'))
  try {
    const env = { GIT_INDEX_FILE: join(folder, 'index') }
    const entries = files.map((file) =>
      Buffer.concat([Buffer.from(`${file.newMode} ${file.newOid}\t`), encodePath(file.path), NUL]),
    )
    await git.run(['update-index', '-z', '--index-info'], { env, input: Buffer.concat(entries) })
    const input = Buffer.concat(paths.flatMap((path) => [encodePath(path), NUL]))
    const { stdout } = await git.run(['check-attr', '--cached', '-z', '--stdin', WORD], { env, input })
    const fields = splitNul(stdout)
    const marked = new Set<string>()
    for (let at = 0; at + 2 < fields.length; at += 3) {
      const value = (fields[at + 2] as Buffer).toString('utf8')
      if (value === 'set' || value === 'true') marked.add(decodePath(fields[at] as Buffer))
    }
    return marked
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
