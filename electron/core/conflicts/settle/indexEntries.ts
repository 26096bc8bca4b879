import { decodePath, encodePath, splitNul } from '../../git/bytes.ts'
import type { Git } from '../../git/process.ts'
import type { IndexEntry } from './plan.ts'

/** All entries of an index (`indexFile`: a private copy) by path. */
export async function readEntries(git: Git, indexFile: string): Promise<Map<string, IndexEntry[]>> {
  const out = await git.run(['ls-files', '-s', '-z'], { env: { GIT_INDEX_FILE: indexFile } })
  const found = new Map<string, IndexEntry[]>()
  for (const row of splitNul(out.stdout)) {
    const tab = row.indexOf(9)
    const [mode = '', oid = '', stage = ''] = row.toString('latin1', 0, tab).split(' ')
    const path = decodePath(row.subarray(tab + 1))
    const entry: IndexEntry = { stage: Number(stage) as IndexEntry['stage'], mode, oid }
    const known = found.get(path)
    if (known) known.push(entry)
    else found.set(path, [entry])
  }
  return found
}

export interface WantedEntries {
  readonly path: string
  readonly entries: readonly IndexEntry[]
}

/**
 * Makes a private index say this of these paths, whatever it said before. Git notes the stages that go in the index
 * itself (`ls-files --resolve-undo`).
 */
export async function writeEntries(git: Git, indexFile: string, wanted: readonly WantedEntries[]): Promise<void> {
  const length = wanted.flatMap((one) => one.entries)[0]?.oid.length ?? (await idLength(git))
  const lines: Buffer[] = []
  const line = (head: string, path: string) => lines.push(Buffer.from(`${head}\t`), encodePath(path), NUL)
  // Removals first: git silently drops a file where a folder of its name still has entries, and the reverse.
  for (const { path } of wanted) line(`0 ${'0'.repeat(length)}`, path)
  for (const { path, entries } of wanted)
    for (const { mode, oid, stage } of entries) line(`${mode} ${oid} ${stage}`, path)
  await git.run(['update-index', '-z', '--index-info'], {
    env: { GIT_INDEX_FILE: indexFile },
    input: Buffer.concat(lines),
  })
}

/** Hex digits of an object id here. */
const idLength = async (git: Git): Promise<number> =>
  (await git.text(['rev-parse', '--show-object-format'])) === 'sha256' ? 64 : 40

const NUL = Buffer.from([0])
