import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ConflictItem, ConflictSide, ConflictSource, ConflictStage } from '../../../shared/model/index.ts'
import type { RepositoryContext } from '../context.ts'
import type { ConflictReader } from './provider.ts'
import { prepare } from './text/prepare.ts'
import { shown } from './text/show.ts'
import { imageType, isLfsPointer } from './worktree/content.ts'

/** Larger images and texts are told of and not shown, in bytes. */
const SHOWN_IMAGE = 8 * 1024 * 1024
const SHOWN_TEXT = 1024 * 1024

/** What is shown of a side without looking at more of it than its bytes. */
type Look = Omit<ConflictSide, 'path' | 'mode' | 'oid' | 'size'>

const PLAIN: Look = { shows: 'binary', text: null, image: null, encoding: null, ending: 'none', finalNewline: false }

/** How the bytes of a file are shown. */
export function lookOf(bytes: Buffer): Look {
  if (isLfsPointer(bytes)) return { ...PLAIN, shows: 'lfs', text: pointerInWords(bytes) }
  const type = imageType(bytes)
  if (type !== null) {
    const image = bytes.length <= SHOWN_IMAGE ? `data:${type};base64,${bytes.toString('base64')}` : null
    return { ...PLAIN, shows: 'image', image }
  }
  if (bytes.length > SHOWN_TEXT) return bytes.subarray(0, SHOWN_TEXT).includes(0) ? PLAIN : { ...PLAIN, shows: 'text' }
  const read = prepare({ base: null, ours: bytes, theirs: bytes })
  if (read === null) return PLAIN
  const text = shown(read, read.input.ours)
  const form = read.forms.ours
  return {
    ...PLAIN,
    shows: 'text',
    text,
    encoding: form?.encoding ?? 'utf-8',
    ending: form?.ending ?? 'none',
    finalNewline: text.endsWith('\n'),
  }
}

function pointerInWords(bytes: Buffer): string {
  const field = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(bytes.toString('latin1'))?.[1] ?? null
  const size = Number(field('size'))
  const of = field('size') === null || Number.isNaN(size) ? 'a file' : `a file of ${size.toLocaleString('en-US')} bytes`
  return `Points to ${of} that Git LFS keeps elsewhere, ${field('oid') ?? 'without an id'}.`
}

/** All sides of an item, as far as there are any. */
export async function sidesOf(
  reader: ConflictReader,
  repo: RepositoryContext,
  source: ConflictSource,
  item: ConflictItem,
): Promise<{ base: ConflictSide | null; ours: ConflictSide | null; theirs: ConflictSide | null }> {
  const of = async (stage: 1 | 2 | 3, own: string | null | undefined): Promise<ConflictSide | null> => {
    const found = item.stages.find((one) => one.stage === stage)
    return found ? sideOf(reader, repo, source, { ...found, oid: own ?? found.oid }) : null
  }
  const [base, ours, theirs] = await Promise.all([
    of(1, item.sides?.base),
    of(2, item.sides?.ours),
    of(3, item.sides?.theirs),
  ])
  return { base, ours, theirs }
}

async function sideOf(
  reader: ConflictReader,
  repo: RepositoryContext,
  source: ConflictSource,
  { path, mode, oid }: ConflictStage,
): Promise<ConflictSide> {
  if (mode === '160000') {
    const text = await submoduleInWords(repo, source, path, oid)
    return { path, mode, oid, size: 0, ...PLAIN, shows: 'submodule', text }
  }
  const bytes = await reader.blob(repo, source, oid)
  const look: Look =
    mode === '120000' ? { ...PLAIN, shows: 'link', text: bytes.toString('utf8').toWellFormed() } : lookOf(bytes)
  return { path, mode, oid, size: bytes.length, ...look }
}

/** The commit of a submodule with its subject, where the submodule is checked out and has it. */
async function submoduleInWords(
  repo: RepositoryContext,
  source: ConflictSource,
  path: string,
  oid: string,
): Promise<string> {
  const top = source.from === 'worktree' ? source.worktree : repo.worktree
  const gitDir = top === null ? null : join(top, path, '.git')
  const away = `Commit ${oid.slice(0, 10)}, which is not here.`
  // The folder is named, so that git never takes the repository around it for the submodule.
  if (gitDir === null || !path.isWellFormed() || !existsSync(gitDir)) return away
  const found = await repo.git.run([`--git-dir=${gitDir}`, 'cat-file', 'commit', oid], { ok: [0, 1, 128] })
  if (found.exitCode !== 0) return away
  const text = found.stdout.toString('utf8')
  const subject = text.slice(text.indexOf('\n\n') + 2).split('\n')[0] ?? ''
  const author = /^author (.*?) ?</m.exec(text)?.[1]
  return `Commit ${oid.slice(0, 10)}: “${subject}”${author ? ` by ${author}` : ''}`
}
