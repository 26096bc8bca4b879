import { join } from 'node:path'
import { AppError } from '../../../shared/errors/index.ts'
import { decodePath, splitNul } from './bytes.ts'
import type { Git } from './process.ts'

/** One entry of a conflicted path: stage 1 the base, 2 ours, 3 theirs. */
export interface MergeStage {
  readonly mode: string
  readonly oid: string
  readonly stage: 1 | 2 | 3
}

/** The blobs of both sides of a conflicted path, by its stages; an absent side is empty. */
export function blobsOf(stages: readonly MergeStage[]): { readonly ours: string; readonly theirs: string } {
  const at = (stage: 2 | 3) => stages.find((one) => one.stage === stage)?.oid ?? ''
  return { ours: at(2), theirs: at(3) }
}

interface MergeMessage {
  /** Git's stable type, e.g. `CONFLICT (contents)`, `Auto-merging`. */
  readonly type: string
  readonly paths: readonly string[]
}

/** What merging two commits would give. */
export interface MergeTreeResult {
  /** The merged tree; with conflicts it holds marked-up files. */
  readonly tree: string
  /** Conflicted path → its stages. Empty: a clean merge. */
  readonly conflicts: ReadonlyMap<string, readonly MergeStage[]>
  readonly messages: readonly MergeMessage[]
}

export interface MergeTreeOptions {
  /** Where new objects go: `objects` are the repository's; with it nothing is written into the repository. */
  readonly scratch?: { readonly folder: string; readonly commonDir: string }
  readonly signal?: AbortSignal
}

/**
 * Merges two commits in memory. Touches no ref, index or working tree; new objects go into the repository unless
 * `scratch` names a folder for them. Errors: ERR_GIT where a commit cannot be read or they share no history.
 */
export async function mergeTree(
  git: Git,
  ours: string,
  theirs: string,
  options: MergeTreeOptions = {},
): Promise<MergeTreeResult> {
  const { scratch, signal } = options
  const env = scratch ? scratchObjects(scratch.folder, scratch.commonDir) : undefined
  const answer = await git.run(['merge-tree', '--write-tree', '-z', '--messages', ours, theirs], {
    ok: [0, 1],
    ...(env ? { env } : {}),
    ...(signal ? { signal } : {}),
  })
  const result = parseMergeTree(answer.stdout)
  // A bad commit exits with 1 too, and prints nothing.
  if (!result) throw new AppError('ERR_GIT', { verb: 'merge-tree', exitCode: answer.exitCode, detail: answer.stderr })
  return result
}

/** The environment in which git writes new objects to `folder` and reads all others from the repository. */
export const scratchObjects = (folder: string, commonDir: string): Record<string, string> => ({
  GIT_OBJECT_DIRECTORY: folder,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(commonDir, 'objects')),
})

const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

/** Parses `merge-tree --write-tree -z --messages`: tree, conflicted entries, an empty field, messages. null: no tree. */
function parseMergeTree(output: Buffer): MergeTreeResult | null {
  const fields = splitNul(output)
  const tree = fields[0]?.toString('latin1') ?? ''
  if (!OID.test(tree)) return null
  const conflicts = new Map<string, MergeStage[]>()
  let at = 1
  for (; at < fields.length && (fields[at]?.length ?? 0) > 0; at++) {
    const field = fields[at] as Buffer
    const tab = field.indexOf(9)
    const [mode = '', oid = '', stage = ''] = field.toString('latin1', 0, tab).split(' ')
    const path = decodePath(field.subarray(tab + 1))
    const stages = conflicts.get(path) ?? []
    stages.push({ mode, oid, stage: Number(stage) as 1 | 2 | 3 })
    conflicts.set(path, stages)
  }
  return { tree, conflicts, messages: parseMessages(fields.slice(at + 1)) }
}

function parseMessages(fields: readonly Buffer[]): MergeMessage[] {
  const messages: MergeMessage[] = []
  for (let at = 0; at < fields.length; ) {
    const count = Number(fields[at]?.toString('latin1'))
    if (!Number.isInteger(count) || at + count + 1 >= fields.length) break
    const paths = fields.slice(at + 1, at + 1 + count).map((path) => decodePath(path))
    messages.push({ type: fields[at + 1 + count]?.toString('utf8') ?? '', paths })
    at += count + 3
  }
  return messages
}
