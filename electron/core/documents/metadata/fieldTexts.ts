import { type Fields, fieldsOfYaml, readFrontMatter, setField, writeFrontMatter } from './frontMatter.ts'
import { isMarkdown, isMemory } from './kinds.ts'
import { readMetas, setMeta } from './metas.ts'

/** How the fields of one kind of document are read and written. */
export interface FieldText {
  /** Null where they cannot be read. A document without any has none: `{}`. */
  read(bytes: Buffer): Fields | null
  /** The document with fields set or removed (null); no other byte changes. `as`: one that has them written as they are to be. */
  set(bytes: Buffer, changes: Fields, as?: Buffer): Buffer
  /** The document with the fields of another one, written as they are there. */
  takeFrom(bytes: Buffer, other: Buffer): Buffer
}

/** Null where documents of that path have no fields. */
export function fieldTextOf(path: string): FieldText | null {
  if (isMarkdown(path)) return FRONT_MATTER
  return isMemory(path) ? METAS : null
}

const FRONT_MATTER: FieldText = {
  read: (bytes) => {
    const found = readFrontMatter(bytes.toString('utf8'))
    return found === null ? {} : fieldsOfYaml(found.yaml)
  },
  set(bytes, changes, as) {
    if (Object.keys(changes).length === 0) return bytes
    const text = bytes.toString('utf8')
    const own = readFrontMatter(text) ?? { yaml: '', rest: text, eol: text.includes('\r\n') ? '\r\n' : '\n' }
    const source = as === undefined ? null : (readFrontMatter(as.toString('utf8'))?.yaml ?? null)
    const yaml = Object.entries(changes).reduce((all, [name, value]) => setField(all, name, value, source), own.yaml)
    return Buffer.from(writeFrontMatter({ ...own, yaml }))
  },
  takeFrom(bytes, other) {
    const text = bytes.toString('utf8')
    const theirs = readFrontMatter(other.toString('utf8'))
    const rest = readFrontMatter(text)?.rest ?? text
    return theirs === null ? Buffer.from(rest) : Buffer.from(writeFrontMatter({ ...theirs, rest }))
  },
}

/** Metas by name: the list of their values. Metas are lines of their own, so that they are never taken over as a block. */
const METAS: FieldText = {
  read: (bytes) => {
    const fields: Record<string, string[]> = {}
    for (const { name, value } of readMetas(bytes)) fields[name] = [...(fields[name] ?? []), value]
    return fields
  },
  set: (bytes, changes) =>
    Object.entries(changes).reduce((all, [name, value]) => setMeta(all, name, valuesOf(value)), bytes),
  takeFrom(bytes, other) {
    const [own, theirs] = [METAS.read(bytes) ?? {}, METAS.read(other) ?? {}]
    const gone = Object.keys(own).filter((name) => !Object.hasOwn(theirs, name))
    return METAS.set(bytes, { ...Object.fromEntries(gone.map((name) => [name, null])), ...theirs })
  },
}

const valuesOf = (value: unknown): readonly string[] => {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value.map(String) : [String(value)]
}
