import { FIRST_INSTANT, PERSON } from './git.ts'

/** What a path becomes: text or bytes, a mode, a symlink, a submodule's commit, or null for deleted. */
export type Entry =
  | string
  | Uint8Array
  | { readonly content: string | Uint8Array; readonly mode: '100644' | '100755' }
  | { readonly symlink: string }
  | { readonly submodule: string }
  | null

/** Keys are paths; a byte that is not UTF-8 is written as a lone surrogate U+DC80..U+DCFF. */
export type Files = Readonly<Record<string, Entry>>

export interface Who {
  readonly name: string
  readonly email: string
}

export interface CommitSpec {
  /** Branch that gets the commit; default `main`. */
  readonly on?: string
  /** For the first commit of a branch: the branch or labelled commit it starts from. Default: main's tip so far, `null`: no parent. */
  readonly from?: string | null
  /** More parents: branches or labels. */
  readonly merge?: readonly string[]
  /** Parents in this order instead of the branch's tip: branches or labels. */
  readonly parents?: readonly string[]
  readonly files: Files
  readonly message: string
  readonly author?: Who
  /** Instant in milliseconds; default: a minute after the commit before. */
  readonly at?: number
  /** A name to refer to this commit by. */
  readonly label?: string
}

/** The bytes of a path in the surrogate-escape form. */
export function pathBytes(path: string): Buffer {
  const pieces: Buffer[] = []
  for (const char of path) {
    const code = char.codePointAt(0) ?? 0
    pieces.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(char, 'utf8'))
  }
  return Buffer.concat(pieces)
}

/** C-style quoting as git-fast-import(1) reads it. */
function quoted(path: string): string {
  let out = '"'
  for (const byte of pathBytes(path)) {
    const char = String.fromCharCode(byte)
    out += /[A-Za-z0-9./_-]/.test(char) ? char : `\\${byte.toString(8).padStart(3, '0')}`
  }
  return `${out}"`
}

const bytesOf = (content: string | Uint8Array) => (typeof content === 'string' ? Buffer.from(content) : content)

function blobOf(entry: Exclude<Entry, null | { submodule: string }>): { mode: string; bytes: Uint8Array } {
  if (typeof entry === 'string' || entry instanceof Uint8Array) return { mode: '100644', bytes: bytesOf(entry) }
  if ('symlink' in entry) return { mode: '120000', bytes: bytesOf(entry.symlink) }
  return { mode: entry.mode, bytes: bytesOf(entry.content) }
}

/**
 * The whole history as one git-fast-import(1) stream. `refs`: more refs, full name → branch or label. `existing`:
 * branches that are there already, to build on.
 */
export function fastImportStream(
  commits: readonly CommitSpec[],
  refs: Readonly<Record<string, string>>,
  existing: readonly string[] = [],
): Buffer {
  const out: Uint8Array[] = []
  const line = (text: string) => out.push(Buffer.from(`${text}\n`))
  const data = (bytes: Uint8Array) => {
    line(`data ${bytes.length}`)
    out.push(bytes)
    line('')
  }
  const marks = new Map<string, number>()
  const place = (name: string) => {
    const mark = marks.get(name)
    if (mark === undefined && !existing.includes(name)) throw new Error(`there is no branch or label ${name} yet`)
    return mark === undefined ? `refs/heads/${name}^0` : `:${mark}`
  }
  let clock = FIRST_INSTANT
  commits.forEach((commit, index) => {
    const branch = commit.on ?? 'main'
    clock = commit.at ?? clock + 60_000
    const when = `${Math.floor(clock / 1000)} +0000`
    const author = commit.author ?? PERSON
    const known = (name: string) => marks.has(name) || existing.includes(name)
    let parents: string[] = []
    if (commit.parents) parents = commit.parents.map(place)
    else if (known(branch)) parents = [place(branch)]
    else if (commit.from !== null && (commit.from !== undefined || known('main')))
      parents = [place(commit.from ?? 'main')]
    parents.push(...(commit.merge ?? []).map(place))
    if (parents.length === 0) line(`reset refs/heads/${branch}`)
    line(`commit refs/heads/${branch}`)
    line(`mark :${index + 1}`)
    line(`author ${author.name} <${author.email}> ${when}`)
    line(`committer ${author.name} <${author.email}> ${when}`)
    data(Buffer.from(commit.message.endsWith('\n') ? commit.message : `${commit.message}\n`))
    parents.forEach((parent, at) => {
      line(`${at === 0 ? 'from' : 'merge'} ${parent}`)
    })
    for (const [path, entry] of Object.entries(commit.files)) {
      if (entry === null) line(`D ${quoted(path)}`)
      else if (typeof entry === 'object' && 'submodule' in entry) line(`M 160000 ${entry.submodule} ${quoted(path)}`)
      else {
        const blob = blobOf(entry)
        line(`M ${blob.mode} inline ${quoted(path)}`)
        data(blob.bytes)
      }
    }
    marks.set(branch, index + 1)
    if (commit.label) marks.set(commit.label, index + 1)
  })
  for (const [ref, name] of Object.entries(refs)) {
    line(`reset ${ref}`)
    line(`from ${place(name)}`)
    line('')
  }
  line('done')
  return Buffer.concat(out)
}
