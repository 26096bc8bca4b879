import type { ConflictStage } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { mergeBase } from '../../git/mergeBase.ts'
import type { Git } from '../../git/process.ts'
import { look } from '../settle/diskForms.ts'
import { stateText } from '../settle/gitsOperation.ts'
import { readCommit } from './commitFacts.ts'
import { holds } from './holds.ts'

interface Place {
  readonly repo: Pick<RepositoryContext, 'objects'>
  readonly git: Git
  readonly gitDir: string
}

/** The commits behind stages 1 and 3. */
export interface UnnamedSides {
  readonly base: string | null
  readonly theirs: string
}

/**
 * The commits of an operation that git keeps no state of: `merge --squash`, `cherry-pick -n`, `revert -n`. They are found
 * by the message that waits to be committed and by the labels in the files, and count only where they have what the stages
 * hold. Null where none has.
 */
export async function unnamedSides(
  place: Place,
  head: string | null,
  unmerged: readonly ConflictStage[],
): Promise<UnnamedSides | null> {
  if (head === null) return null
  for (const { base, theirs } of await candidates(place, head, unmerged)) {
    if (!(await holds(place.git, theirs, unmerged, 3))) continue
    const old = unmerged.filter((one) => one.stage === 1)
    if (old.length === 0 || (base !== null && (await holds(place.git, base, old, 1)))) return { base, theirs }
  }
  return null
}

async function candidates(
  { repo, git, gitDir }: Place,
  head: string,
  unmerged: readonly ConflictStage[],
): Promise<UnnamedSides[]> {
  const found: UnnamedSides[] = []
  const squashed = /^commit ([0-9a-f]{40,64})$/m.exec(stateText(gitDir, 'SQUASH_MSG') ?? '')?.[1]
  if (squashed !== undefined) found.push({ base: await mergeBase(git, head, squashed), theirs: squashed })
  for (const label of await labelsOf(git, unmerged)) {
    const name = /^(parent of )?([0-9a-f]{4,64}) \(/.exec(label)
    const commit = await readCommit(repo, `${name?.[2] ?? label}^{commit}`)
    if (commit === null) continue
    const [parent] = commit.parents
    if (name?.[1] !== undefined && parent !== undefined) found.push({ base: commit.oid, theirs: parent })
    else if (name !== null) found.push({ base: parent ?? null, theirs: commit.oid })
    else found.push({ base: await mergeBase(git, head, commit.oid), theirs: commit.oid })
  }
  return found
}

/** How many files are looked into, and how large they may be, in bytes. */
const LOOKED_INTO = 8
const LARGEST = 2_000_000

/** What git wrote behind the last marks of the conflicts in the files: the name of the other side. */
async function labelsOf(git: Git, unmerged: readonly ConflictStage[]): Promise<Set<string>> {
  const paths = [...new Set(unmerged.map((one) => one.path))]
  const labels = new Set<string>()
  for (const path of paths.slice(0, LOOKED_INTO)) {
    const there = look(git.cwd, path)
    const label = labelIn(there.is === 'file' ? there.bytes : null) ?? labelIn(await notedFile(git, path))
    // A file with another name on the other side has that name behind the label.
    const named = paths.find((one) => label?.endsWith(`:${one}`))
    if (label !== undefined) labels.add(named === undefined ? label : label.slice(0, -named.length - 1))
  }
  return labels
}

const labelIn = (bytes: Buffer | null): string | undefined =>
  bytes === null || bytes.length > LARGEST ? undefined : /^>{7,} (.+?)\r?$/m.exec(bytes.toString('utf8'))?.[1]

/** What git noted of the file that its merge made (`AUTO_MERGE`), where the file itself was edited. */
async function notedFile(git: Git, path: string): Promise<Buffer | null> {
  if (!path.isWellFormed()) return null
  const found = await git.run(['cat-file', 'blob', `AUTO_MERGE:${path}`], { ok: [0, 128] })
  return found.exitCode === 0 ? found.stdout : null
}
