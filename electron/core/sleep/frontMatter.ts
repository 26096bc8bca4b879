import type { FieldDifference } from '../memory/compare.ts'

/** A text cut at its front matter. `front` is the text between the `---` lines. */
export interface FrontMatter {
  readonly front: string
  readonly body: string
}

/** The front matter that a text starts with; null where it has none. */
export function splitFrontMatter(text: string): FrontMatter | null {
  const found = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text)
  return found ? { front: found[1] as string, body: text.slice(found[0].length) } : null
}

/** What the change of front matter amounts to; null where one side cannot be read as YAML. */
export async function compareFrontMatter(before: string, after: string): Promise<FieldDifference[] | null> {
  const { parse } = await import('yaml')
  const read = (text: string): Record<string, unknown> | null => {
    try {
      const value: unknown = parse(text, { maxAliasCount: 100, prettyErrors: false, logLevel: 'error' })
      if (value === null || value === undefined) return {}
      return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : null
    } catch {
      return null
    }
  }
  const old = read(before)
  const now = read(after)
  if (!old || !now) return null
  const found: FieldDifference[] = []
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const values = { before: words(own(old, name)), after: words(own(now, name)) }
    if (JSON.stringify(values.before) !== JSON.stringify(values.after)) found.push({ name, ...values })
  }
  if (found.length === 0) found.push({ name: 'formatting', before: [], after: [] })
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

const own = (record: Record<string, unknown>, name: string) => (Object.hasOwn(record, name) ? record[name] : undefined)

/** A value as its texts: a list gives one a member, nothing gives none. */
function words(value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((one) => (Array.isArray(one) ? [JSON.stringify(one)] : words(one)))
  if (value instanceof Date) return [value.toISOString()]
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)]
}
