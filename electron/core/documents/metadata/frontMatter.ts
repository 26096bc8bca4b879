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
  const value: unknown = document.toJS()
  if (value === null || value === undefined) return {}
  return typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : null
}

/**
 * The YAML with one top field set, or removed (null). Only that field's own lines change. `yaml` must be one that
 * `fieldsOfYaml` can read.
 */
export function setField(yaml: string, name: string, value: unknown): string {
  const fields = fieldsOfYaml(yaml) ?? {}
  if (value === null ? !Object.hasOwn(fields, name) : isDeepStrictEqual(fields[name], value)) return yaml
  const document = parseDocument(yaml)
  const { contents } = document
  const whole = yaml === '' || yaml.endsWith('\n') ? yaml : `${yaml}\n`
  const line = value === null ? '' : stringify({ [name]: value }, { lineWidth: 0 })
  if (isMap(contents) && contents.flow) {
    if (value === null) document.delete(name)
    else document.set(name, value)
    return document.toString({ lineWidth: 0 })
  }
  const pair = isMap(contents)
    ? contents.items.find((one) => isScalar(one.key) && String(one.key.value) === name)
    : undefined
  const start = isNode(pair?.key) ? pair.key.range?.[0] : undefined
  if (pair === undefined || start === undefined) return whole + line
  const end = Math.max(
    (isNode(pair.key) ? pair.key.range?.[2] : undefined) ?? start,
    (isNode(pair.value) ? pair.value.range?.[2] : undefined) ?? start,
  )
  // A field without a value ends at its colon.
  const stop = end > 0 && whole[end - 1] === '\n' ? end : whole.indexOf('\n', end) + 1 || whole.length
  return whole.slice(0, start) + line + whole.slice(stop)
}
