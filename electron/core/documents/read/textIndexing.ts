import type { RepositoryContext } from '../../context.ts'
import { bulkRead } from '../../git/blobs.ts'
import { decodePath } from '../../git/bytes.ts'
import { diffTrees } from '../../git/diffTree.ts'
import { isFileMode } from '../../git/trees.ts'
import { pathKey, pathOfKey } from '../../store/pathKey.ts'
import { pause } from '../versions/pause.ts'
import type { TextFile } from './textJobs.ts'
import type { TextPlane } from './textPlane.ts'

/** Of a longer document only the start is searched. */
const MOST_BYTES = 2 * 1024 * 1024
/** So much is handed over at once. */
const BATCH_BYTES = 256 * 1024
const BATCH_FILES = 200
/** Other processes index as well. */
const ATTEMPTS = 6

/** What a path is to be: its blob, or null where it is not there. */
type Wanted = ReadonlyMap<string, string | null>

const running = new WeakMap<TextPlane, Promise<void>>()

/** Brings the full text up to a commit of trunk: only what changed since is read, at first everything. */
export function bringTextsTo(repo: RepositoryContext, plane: TextPlane, tip: string): Promise<void> {
  const before = running.get(plane) ?? Promise.resolve()
  const next = before.catch(() => {}).then(() => bring(repo, plane, tip))
  running.set(plane, next)
  return next
}

async function bring(repo: RepositoryContext, plane: TextPlane, tip: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const seen = await plane.run({ do: 'state' })
    if (seen.tip === tip) return
    const wanted = (await changedSince(repo, seen.tip, tip)) ?? (await differing(repo, plane, tip))
    if (wanted.size === 0) {
      if (await plane.run({ do: 'finish', seen, tip })) return
      continue
    }
    const begun = await plane.run({ do: 'begin', seen })
    if (begun === null) continue
    await write(repo, plane, wanted)
    if (await plane.run({ do: 'finish', seen: begun, tip })) return
  }
}

/** What changed between two commits; null where that cannot be told. */
async function changedSince(repo: RepositoryContext, old: string | null, tip: string): Promise<Wanted | null> {
  if (old === null || (await repo.objects.read(old)) === null) return null
  const wanted = new Map<string, string | null>()
  for (const { path, fromPath, newMode, newOid } of await diffTrees(repo.git, old, tip)) {
    if (fromPath !== null) wanted.set(fromPath, null)
    wanted.set(path, isFileMode(newMode) ? newOid : null)
  }
  return wanted
}

/** Where the index differs from a commit's tree. */
async function differing(repo: RepositoryContext, plane: TextPlane, tip: string): Promise<Wanted> {
  const held = new Map(await plane.run({ do: 'oids' }))
  const { stdout } = await repo.git.run(['ls-tree', '-r', '-z', '--full-tree', tip])
  const wanted = new Map<string, string | null>()
  let rows = 0
  for (let from = 0; from < stdout.length; ) {
    const end = stdout.indexOf(0, from)
    const row = stdout.subarray(from, end)
    from = end + 1
    if (++rows % 1000 === 0) await pause()
    const tab = row.indexOf(9)
    const [mode = '', , oid = ''] = row.toString('latin1', 0, tab).split(' ')
    if (!isFileMode(mode)) continue
    const path = decodePath(row.subarray(tab + 1))
    const key = pathKey(path)
    if (held.get(key) !== oid) wanted.set(path, oid)
    held.delete(key)
  }
  for (const key of held.keys()) wanted.set(pathOfKey(key), null)
  return wanted
}

/** So many blobs are asked for with one git process. */
const READ_AT_ONCE = 5000

async function write(repo: RepositoryContext, plane: TextPlane, wanted: Wanted): Promise<void> {
  const gone: string[] = []
  let there: { path: string; oid: string }[] = []
  for (const [path, oid] of wanted) {
    if (oid === null) gone.push(path)
    else there.push({ path, oid })
    if (there.length < READ_AT_ONCE) continue
    await writeFiles(repo, plane, there)
    there = []
  }
  if (gone.length > 0) await plane.run({ do: 'write', files: [], gone })
  await writeFiles(repo, plane, there)
}

async function writeFiles(
  repo: RepositoryContext,
  plane: TextPlane,
  there: readonly { path: string; oid: string }[],
): Promise<void> {
  const reader = bulkRead(
    repo.git,
    there.map((one) => one.oid),
    MOST_BYTES,
  )
  let files: TextFile[] = []
  let size = 0
  try {
    for (const [at, { path, oid }] of there.entries()) {
      const blob = await reader.next()
      // A message takes the whole of a buffer along: git's are larger than the blob.
      const bytes = blob?.type === 'blob' ? new Uint8Array(blob.bytes) : null
      files.push({ path, oid, bytes })
      size += bytes?.length ?? 0
      if (size < BATCH_BYTES && files.length < BATCH_FILES && at < there.length - 1) continue
      await plane.run({ do: 'write', files, gone: [] })
      files = []
      size = 0
    }
  } finally {
    reader.close()
  }
}
