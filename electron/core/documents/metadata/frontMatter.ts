import { isDeepStrictEqual } from 'node:util'
import { isMap, isNode, isScalar, parseDocument, stringify } from 'yaml'

/** A Markdown text cut at its front matter: `---`, YAML, `---` at its very beginning. */
export interface FrontMatter {
  /** The YAML between the fences, each line ended by `\n`. */
  readonly yaml: string
  /** What follows the closing fence's line. */
  readonly rest: string
  readonly eol: '\n' | '\r\n'
}

const FENCED = /^---[ \t]*(\r?\n)([\s\S]*?)(?<=\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/

/** The front matter of a text; null where it has none. */
export function readFrontMatter(text: string): FrontMatter | null {
  const match = FENCED.exec(text)
  if (!match) return null
  const [whole, eol, yaml = ''] = match
  return { yaml: yaml.replaceAll('\r\n', '\n'), rest: text.slice(whole.length), eol: eol === '\r\n' ? '\r\n' : '\n' }
}

/** The text with this front matter; none where the YAML is empty. */
export function writeFrontMatter({ yaml, rest, eol }: FrontMatter): string {
  if (yaml.trim() === '') return rest
  const body = yaml.endsWith('\n') ? yaml : `${yaml}\n`
  return `---\n${body}---\n`.replaceAll('\n', eol) + rest
}

export type Fields = Readonly<Record<string, unknown>>

/** The top fields of front matter; null where it is no mapping of plain names. */
export function fieldsOfYaml(yaml: string): Fields | null {
  const document = parseDocument(yaml)
  if (document.errors.length > 0) return null
  let value: unknown
  try {
    value = document.toJS()
  } catch {
    // An alias that leads nowhere, or too many: `title: *Important*` is one.
    return null
  }
  if (value === null || value === undefined) return {}
  return typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : null
}

/**
 * The YAML with one top field set, or removed (null). Only that field's own lines change. `yaml` must be one that
 * `fieldsOfYaml` can read. `as`: a YAML that has the field with that value, whose way of writing it is kept.
 */
export function setField(yaml: string, name: string, value: unknown, as: string | null = null): string {
  const fields = fieldsOfYaml(yaml) ?? {}
  if (value === null ? !Object.hasOwn(fields, name) : isDeepStrictEqual(fields[name], value)) return yaml
  const document = parseDocument(yaml)
  const whole = ended(yaml)
  if (isMap(document.contents) && document.contents.flow) {
    if (value === null) document.delete(name)
    else document.set(name, value)
    return document.toString({ lineWidth: 0 })
  }
  const line = value === null ? '' : (writtenAs(as, name, value) ?? stringify({ [name]: value }, { lineWidth: 0 }))
  const at = linesOf(whole, name)
  return at === null ? whole + line : whole.slice(0, at.start) + line + whole.slice(at.stop)
}

const ended = (yaml: string): string => (yaml === '' || yaml.endsWith('\n') ? yaml : `${yaml}\n`)

/** A field's lines as they stand in another YAML; null where that has another value, or is no block of lines. */
function writtenAs(yaml: string | null, name: string, value: unknown): string | null {
  if (yaml === null || !isDeepStrictEqual(fieldsOfYaml(yaml)?.[name], value)) return null
  const whole = ended(yaml)
  const at = linesOf(whole, name)
  const lines = at === null ? null : whole.slice(at.start, at.stop)
  // What stands for itself alone: an alias leads to another field.
  return lines !== null && isDeepStrictEqual(fieldsOfYaml(lines), { [name]: value }) ? lines : null
}

/** Where the lines of a top field are; null where there are none of its own. */
function linesOf(yaml: string, name: string): { readonly start: number; readonly stop: number } | null {
  const { contents } = parseDocument(yaml)
  if (!isMap(contents) || contents.flow) return null
  const pair = contents.items.find((one) => isScalar(one.key) && String(one.key.value) === name)
  const start = isNode(pair?.key) ? pair.key.range?.[0] : undefined
  if (pair === undefined || start === undefined) return null
  const end = Math.max(
    (isNode(pair.key) ? pair.key.range?.[2] : undefined) ?? start,
    (isNode(pair.value) ? pair.value.range?.[2] : undefined) ?? start,
  )
  // A field without a value ends at its colon.
  const stop = end > 0 && yaml[end - 1] === '\n' ? end : yaml.indexOf('\n', end) + 1 || yaml.length
  return { start, stop }
}
