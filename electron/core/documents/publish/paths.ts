import { AppError } from '../../../../shared/errors/index.ts'

/** The most bytes of a path, and of one of its names: what common file systems take. */
const LONGEST_PATH = 1024
const LONGEST_NAME = 255

/** Names that Windows keeps for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i
/** Characters that HFS+ ignores in names (git's `utf8.c`, `next_hfs_char`): a name may hide `.git` behind them. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g
/** `.git` and its short names on NTFS (git's `path.c`, `is_ntfs_dotgit`), which end at a blank, dot, colon or stream. */
const DOT_GIT = /^(?:\.git|git~[0-9]+)[ .]*(?::.*)?$/i

/**
 * The path of a document as git stores it, from what a caller gave: a leading `/` is dropped. Errors: ERR_BAD_PATH for
 * what would leave the repository, touch git's own files, or cannot be a file everywhere.
 */
export function documentPath(given: string): string {
  const path = given.startsWith('/') ? given.slice(1) : given
  const why = fault(path)
  if (why !== null) throw new AppError('ERR_BAD_PATH', { path: given, why })
  return path
}

function fault(path: string): string | null {
  if (path === '') return 'it is empty'
  if (!path.isWellFormed()) return 'it is not valid Unicode'
  if (Buffer.byteLength(path) > LONGEST_PATH) return `it has more than ${LONGEST_PATH} bytes`
  if (/\p{Cc}/u.test(path)) return 'it holds a control character'
  if (path.includes('\\')) return 'it holds a backslash'
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'it is absolute'
  for (const name of path.split('/')) {
    if (name === '') return 'a name in it is empty'
    if (name === '.' || name === '..') return 'it leads out of its folder'
    if (Buffer.byteLength(name) > LONGEST_NAME) return `a name in it has more than ${LONGEST_NAME} bytes`
    if (DOT_GIT.test(name.replaceAll(IGNORED, ''))) return "it leads into git's own folder"
    if (DEVICE.test(name)) return 'a name in it is a device on Windows'
  }
  return null
}

/** Files that govern the repository: agents may not write them. */
export function isProtected(path: string): boolean {
  const lower = path.toLowerCase().replaceAll(IGNORED, '')
  if (lower === '.daybreak.yml' || lower === '.mergeagent.yml' || lower.startsWith('.memhtml/')) return true
  return lower.split('/').some((name) => name.startsWith('.git'))
}
