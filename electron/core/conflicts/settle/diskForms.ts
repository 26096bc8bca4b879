import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, readlinkSync, symlinkSync, writeSync } from 'node:fs'
import { encodePath } from '../../git/bytes.ts'
import { createParentCheck, diskPath, statAt } from '../../git/diskState.ts'
import type { ObjectReader } from '../../git/objects.ts'
import type { Git } from '../../git/process.ts'
import { removeFile } from '../../git/removeFile.ts'
import { writtenForm, writtenForms, writtenKey } from '../../git/writtenForm.ts'
import type { DiskForm, PathStep } from './plan.ts'

/** What lies at a path, with its bytes: a file's, or a link's target. */
export type Found =
  | { readonly is: 'nothing' | 'folder' | 'other' }
  | { readonly is: 'file'; readonly bytes: Buffer; readonly executable: boolean }
  | { readonly is: 'link'; readonly bytes: Buffer }

/** Looks at one path of a worktree; nothing is followed. A path below a file or a link is "nothing". */
export function look(worktree: string, path: string): Found {
  const file = diskPath(worktree, path)
  const stat = createParentCheck(worktree)(path) === null ? statAt(file) : null
  if (!stat) return { is: 'nothing' }
  if (stat.isDirectory()) return { is: 'folder' }
  if (stat.isSymbolicLink()) return { is: 'link', bytes: readlinkSync(file, { encoding: 'buffer' }) }
  if (!stat.isFile()) return { is: 'other' }
  return { is: 'file', bytes: readFileSync(file), executable: (stat.mode & 0o100n) !== 0n }
}

/** Writes bytes as a blob, without any conversion; its id. */
export const writeBlob = (git: Git, bytes: Uint8Array): Promise<string> =>
  git.text(['hash-object', '-w', '--stdin'], { input: bytes })

/** What lies there as a form that can be put back; its bytes become a blob. */
export async function captureForm(git: Git, found: Found): Promise<DiskForm> {
  if (found.is === 'file') return { is: 'bytes', oid: await writeBlob(git, found.bytes), executable: found.executable }
  if (found.is === 'link') return { is: 'link', oid: await writeBlob(git, found.bytes) }
  if (found.is === 'folder') return { is: 'folder' }
  return found.is === 'nothing' ? { is: 'nothing' } : { is: 'as-it-is' }
}

export interface Disk {
  /** Runs in the worktree's top folder. */
  readonly git: Git
  readonly objects: ObjectReader
  /** What git writes for entries that were asked for already, by `writtenKey`. */
  readonly written?: ReadonlyMap<string, Buffer>
}

async function bytesOf(disk: Disk, path: string, form: DiskForm): Promise<Buffer> {
  if (form.is === 'checkout' && form.mode !== '120000')
    return disk.written?.get(writtenKey(path, form.oid)) ?? writtenForm(disk.git, path, form.oid)
  return 'oid' in form ? ((await disk.objects.read(form.oid))?.bytes ?? Buffer.alloc(0)) : Buffer.alloc(0)
}

/** Whether a form is a file, a link, or neither. */
function kindOf(form: DiskForm): Found['is'] | null {
  if (form.is === 'bytes') return 'file'
  if (form.is === 'checkout') return form.mode === '120000' ? 'link' : form.mode === '160000' ? 'folder' : 'file'
  return form.is === 'as-it-is' ? null : form.is
}

/** `same`: it lies there. `torn`: the beginning of it does, as a writer that was killed leaves it. */
export async function compareForm(
  disk: Disk,
  path: string,
  found: Found,
  form: DiskForm,
): Promise<'same' | 'torn' | 'other'> {
  const kind = kindOf(form)
  if (kind === null) return 'same'
  if (found.is !== kind) return 'other'
  if (found.is !== 'file' && found.is !== 'link') return 'same'
  const whole = await bytesOf(disk, path, form)
  if (found.bytes.equals(whole)) return modeFits(found, form) ? 'same' : 'torn'
  const torn = found.is === 'file' && found.bytes.length < whole.length
  return torn && found.bytes.equals(whole.subarray(0, found.bytes.length)) ? 'torn' : 'other'
}

function modeFits(found: Found, form: DiskForm): boolean {
  if (found.is !== 'file' || process.platform === 'win32') return true
  if (form.is === 'bytes') return found.executable === form.executable
  return form.is !== 'checkout' || found.executable === (form.mode === '100755')
}

/**
 * Brings the files of these steps to one of their ends. A path that holds the other end, the torn beginning of either,
 * or nothing is replaced; one that holds anything else belongs to someone and is left. Returns those that were left.
 * `indexFile`: an index that holds the entries to be checked out.
 */
export async function bringTo(
  disk: Disk,
  steps: readonly PathStep[],
  goal: 'from' | 'to',
  indexFile: string,
): Promise<string[]> {
  const { git } = disk
  const left: string[] = []
  const replace: { readonly path: string; readonly form: DiskForm }[] = []
  const other = goal === 'to' ? 'from' : 'to'
  for (let at = 0; at < steps.length; at += CHUNK) {
    const chunk = steps.slice(at, at + CHUNK)
    const known = { ...disk, written: await writtenOf(disk.git, chunk) }
    for (const step of chunk) {
      const found = look(git.cwd, step.path)
      const form = step.disk[goal]
      const now = await compareForm(known, step.path, found, form)
      if (now === 'same') continue
      const ours =
        found.is === 'nothing' ||
        now === 'torn' ||
        (await compareForm(known, step.path, found, step.disk[other])) !== 'other'
      if (ours) replace.push({ path: step.path, form })
      else left.push(step.path)
    }
  }
  // Deepest first, so that a folder is empty when a file takes its place.
  for (const { path, form } of [...replace].sort((a, b) => b.path.length - a.path.length))
    removeFile(git.cwd, path, form.is === 'nothing')
  const checkout: string[] = []
  for (const { path, form } of replace) {
    // Git makes room for a file by force: nothing may be left there that is not ours.
    if (form.is === 'checkout' && form.mode !== '160000' && isFree(git.cwd, path)) checkout.push(path)
    else if (form.is === 'checkout' && form.mode !== '160000') left.push(path)
    else if (!(await put(disk, path, form))) left.push(path)
  }
  if (checkout.length > 0) {
    const input = Buffer.concat(checkout.flatMap((path) => [encodePath(path), Buffer.from([0])]))
    await git.run(['checkout-index', '-f', '-u', '-z', '--stdin'], { env: { GIT_INDEX_FILE: indexFile }, input })
  }
  return left
}

/** So many files are held in memory at once. */
const CHUNK = 100

const writtenOf = (git: Git, steps: readonly PathStep[]): Promise<Map<string, Buffer>> =>
  writtenForms(
    git,
    steps.flatMap(({ path, disk }) =>
      [disk.from, disk.to].flatMap((form) =>
        form.is === 'checkout' && form.mode.startsWith('100') ? [{ path, oid: form.oid }] : [],
      ),
    ),
  )

const isFree = (worktree: string, path: string): boolean =>
  createParentCheck(worktree)(path) === null && statAt(diskPath(worktree, path)) === null

/** Puts a form where nothing is. False where something is in its way. */
async function put(disk: Disk, path: string, form: DiskForm): Promise<boolean> {
  const { cwd } = disk.git
  const file = diskPath(cwd, path)
  if (form.is === 'nothing' || form.is === 'as-it-is') return true
  if (!isFree(cwd, path)) return kindOf(form) === 'folder'
  const slash = path.lastIndexOf('/')
  if (slash > 0) mkdirSync(diskPath(cwd, path.slice(0, slash)), { recursive: true })
  const kind = kindOf(form)
  if (kind === 'folder') mkdirSync(file, { recursive: true })
  else if (kind === 'link') symlinkSync(await bytesOf(disk, path, form), file)
  else {
    const bytes = await bytesOf(disk, path, form)
    const fd = openSync(file, 'wx', 0o666)
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
    closeSync(fd)
    if (form.is === 'bytes' && form.executable) chmodSync(file, 0o755)
  }
  return true
}
