import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bulkRead } from '../git/blobs.ts'
import { decodePath, encodePath, splitNul } from '../git/bytes.ts'
import type { Git } from '../git/process.ts'
import type { ReviewItem } from './reviewItems.ts'

const WORD = 'linguist-generated'
const LIMIT = 1024 * 1024

/**
 * The paths among the items that the tip's attributes mark as `linguist-generated`. Attributes are read from the
 * tip's tree through a private index that holds nothing but its `.gitattributes` files, since git 2.38 cannot be asked
 * about a tree. Where no file mentions the attribute, git is not asked at all.
 */
export async function generatedByAttributes(
  git: Git,
  commonDir: string,
  tip: string,
  items: readonly ReviewItem[],
): Promise<ReadonlySet<string>> {
  const paths = items.filter((item) => !item.generated).map((item) => item.path)
  if (paths.length === 0) return new Set()
  const files = foldersOf(paths).map((folder) => `${folder}.gitattributes`)
  const found: { path: string; oid: string }[] = []
  let mentioned = await inOwnAttributes(commonDir)
  let at = 0
  for await (const blob of bulkRead(
    git,
    files.map((path) => `${tip}:${path}`),
    LIMIT,
  )) {
    const path = files[at++] as string
    if (blob?.type !== 'blob') continue
    found.push({ path, oid: blob.oid })
    mentioned ||= blob.bytes.includes(WORD)
  }
  return mentioned ? ask(git, found, paths) : new Set()
}

/** The folders that hold one of the paths, with their slash; the top is the empty text. */
function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set<string>([''])
  for (const path of paths)
    for (let cut = path.lastIndexOf('/'); cut !== -1; cut = path.lastIndexOf('/', cut - 1)) {
      const folder = path.slice(0, cut + 1)
      if (folders.has(folder)) break
      folders.add(folder)
      if (cut === 0) break
    }
  return [...folders]
}

/** Whether an attributes file outside the tree could mention the attribute: the repository's own, or the person's. */
async function inOwnAttributes(commonDir: string): Promise<boolean> {
  const own = await readFile(join(commonDir, 'info', 'attributes')).catch(() => null)
  if (own?.includes(WORD)) return true
  const home = process.env.XDG_CONFIG_HOME || join(process.env.HOME ?? '', '.config')
  const person = await readFile(join(home, 'git', 'attributes')).catch(() => null)
  return person?.includes(WORD) ?? false
}

async function ask(git: Git, files: readonly { path: string; oid: string }[], paths: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'daybreak-index-'))
  try {
    const env = { GIT_INDEX_FILE: join(folder, 'index') }
    const entries = files.map(({ path, oid }) => Buffer.concat([Buffer.from(`100644 ${oid}\t`), encodePath(path), NUL]))
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

const NUL = Buffer.from([0])
