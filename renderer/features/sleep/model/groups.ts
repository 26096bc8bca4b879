import type { ChangeKind, FileChange } from '../../../../shared/model/review.ts'
import { KINDS, kindName, shutAtFirst } from './kinds.ts'

/** Files of one kind that are alike: the same fields changed, or generated files of one name. */
export interface Alike {
  readonly id: string
  readonly label: string
  readonly files: readonly FileChange[]
}

export interface Group {
  readonly kind: ChangeKind
  readonly name: string
  readonly files: readonly FileChange[]
  /** The files of the group by likeness; a set of one is a file by itself. */
  readonly alike: readonly Alike[] | null
}

export type Row =
  | { readonly type: 'kind'; readonly id: string; readonly group: Group; readonly left: number; readonly open: boolean }
  | {
      readonly type: 'alike'
      readonly id: string
      readonly kind: ChangeKind
      readonly alike: Alike
      readonly left: number
      readonly open: boolean
      /** The file that stands for the set: the first that is not viewed. */
      readonly exemplar: FileChange
    }
  | {
      readonly type: 'file'
      readonly id: string
      readonly kind: ChangeKind
      readonly file: FileChange
      readonly deep: boolean
    }

export const leftIn = (files: readonly FileChange[]): number => files.filter((f) => f.viewed !== 'yes').length

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** `confidence only`, `confidence and updated`, `links, status and updated`. */
function fieldsLabel(fields: readonly string[]): string {
  if (fields.length === 0) return 'layout only'
  if (fields.length === 1) return `${fields[0]} only`
  return `${fields.slice(0, -1).join(', ')} and ${fields.at(-1)}`
}

function byLikeness(kind: ChangeKind, files: readonly FileChange[]): Alike[] {
  const sets = new Map<string, FileChange[]>()
  for (const file of files) {
    const label = kind === 'generated' ? baseName(file.path) : fieldsLabel(file.fields)
    const set = sets.get(label)
    if (set) set.push(file)
    else sets.set(label, [file])
  }
  return [...sets]
    .map(([label, set]) => ({ id: `${kind}/${label}`, label, files: set }))
    .sort((a, b) => b.files.length - a.files.length)
}

/** The files by kind, kinds with decisions first; empty kinds are left out. */
export function groupsOf(files: readonly FileChange[]): Group[] {
  const byKind = new Map<ChangeKind, FileChange[]>()
  for (const file of files) {
    const known = byKind.get(file.kind)
    if (known) known.push(file)
    else byKind.set(file.kind, [file])
  }
  return KINDS.flatMap((kind) => {
    const of = byKind.get(kind)
    if (of === undefined) return []
    const alike = shutAtFirst(kind) ? byLikeness(kind, of) : null
    return [{ kind, name: kindName(kind), files: alike ? alike.flatMap((a) => a.files) : of, alike }]
  })
}

/** The files in the order in which `[` and `]` walk them. */
export const orderOf = (groups: readonly Group[]): FileChange[] => groups.flatMap((g) => g.files)

const isOpen = (open: Readonly<Record<string, boolean>>, id: string, otherwise: boolean) => open[id] ?? otherwise

/**
 * The rows of the list as it is open now. A shut metadata group shows one line for each set of fields that changed, also
 * where only one file is in it; files themselves stand in open groups and open sets only. A kind that is alone is open.
 */
export function rowsOf(groups: readonly Group[], open: Readonly<Record<string, boolean>>): Row[] {
  const rows: Row[] = []
  for (const group of groups) {
    const { kind } = group
    const groupOpen = isOpen(open, kind, !shutAtFirst(kind) || groups.length === 1)
    rows.push({ type: 'kind', id: kind, group, left: leftIn(group.files), open: groupOpen })
    const file = (f: FileChange, deep: boolean): Row => ({ type: 'file', id: `${kind}:${f.path}`, kind, file: f, deep })
    if (group.alike === null) {
      if (groupOpen) rows.push(...group.files.map((f) => file(f, false)))
      continue
    }
    if (!groupOpen && kind === 'generated') continue
    for (const alike of group.alike) {
      const [first] = alike.files
      if (first === undefined) continue
      if (groupOpen && alike.files.length === 1) {
        rows.push(file(first, false))
        continue
      }
      const alikeOpen = isOpen(open, alike.id, open[kind] ?? false)
      const exemplar = alike.files.find((f) => f.viewed !== 'yes') ?? first
      rows.push({ type: 'alike', id: alike.id, kind, alike, left: leftIn(alike.files), open: alikeOpen, exemplar })
      if (alikeOpen) rows.push(...alike.files.map((f) => file(f, true)))
    }
  }
  return rows
}

/** The set of alike files that a file belongs to, itself included; null where it stands alone. */
export function alikeOf(groups: readonly Group[], path: string): Alike | null {
  for (const group of groups)
    for (const alike of group.alike ?? [])
      if (alike.files.length > 1 && alike.files.some((f) => f.path === path)) return alike
  return null
}

/** Which groups must be open so that a file can be seen in the list. */
export function openFor(groups: readonly Group[], path: string): Record<string, boolean> {
  const group = groups.find((g) => g.files.some((f) => f.path === path))
  if (group === undefined || group.kind === 'metadata-only') return {}
  return { [group.kind]: true }
}

/** The index of the row that shows a file: its own, or that of its shut set. */
export function rowOfFile(rows: readonly Row[], path: string): number {
  const own = rows.findIndex((r) => r.type === 'file' && r.file.path === path)
  if (own >= 0) return own
  return rows.findIndex((r) => r.type === 'alike' && r.alike.files.some((f) => f.path === path))
}

/**
 * Short names for the list: the file's name, of a memory without its ending, with as much of its folders in front as tells
 * it apart from the others.
 */
export function shortNames(files: readonly FileChange[]): Map<string, string> {
  const names = new Map<string, string>()
  const memories = new Set(files.filter((f) => f.format === 'memory').map((f) => f.path))
  const name = (path: string, depth: number) => {
    const short = path
      .split('/')
      .slice(-1 - depth)
      .join('/')
    return memories.has(path) ? short.replace(/(?<=[^/])\.html?$/, '') : short
  }
  let rest = files.map((f) => f.path)
  for (let depth = 0; rest.length > 0; depth++) {
    const seen = new Map<string, string[]>()
    for (const path of rest) {
      const short = name(path, depth)
      seen.set(short, [...(seen.get(short) ?? []), path])
    }
    rest = []
    for (const [short, paths] of seen) {
      const [only] = paths
      if (only !== undefined && (paths.length === 1 || depth > 12)) for (const p of paths) names.set(p, short)
      else rest.push(...paths)
    }
  }
  return names
}
