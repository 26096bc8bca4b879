import type { Article } from './document.ts'
import { parseMemory } from './read.ts'
import { articleRange, readSkeleton } from './skeleton.ts'

/** What a memory's change amounts to. A side that is missing (created, deleted) is null. */
export interface MemoryComparison {
  readonly titles: { readonly before: string | null; readonly after: string | null }
  /** Fields that differ, sorted, with their values on both sides. */
  readonly fields: readonly FieldDifference[]
  /** The article's content hash is the same. */
  readonly sameArticle: boolean
  readonly claims: { readonly before: string | null; readonly after: string | null }
  /** Identity of the two articles, for keys: any text that is equal exactly when they are. */
  readonly articleKey: string
}

export interface FieldDifference {
  readonly name: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

interface Side {
  readonly title: string | null
  readonly fields: ReadonlyMap<string, readonly string[]>
  readonly article: Article | null
}

/**
 * Compares two versions of a memory. Where both have the store's plain shape and the same article bytes, nothing is
 * parsed; otherwise a real parser reads both sides.
 */
export async function compareMemories(before: Buffer, after: Buffer): Promise<MemoryComparison> {
  const old = articleRange(before)
  const now = articleRange(after)
  if (old && now && sameBytes(before.subarray(old.start, old.end), after.subarray(now.start, now.end))) {
    const oldHead = readSkeleton(before, old)
    const newHead = oldHead && readSkeleton(after, now)
    if (oldHead && newHead) {
      const claim = quickClaim(before.toString('utf8', old.start, old.end))
      const claims = { before: claim, after: claim }
      return {
        titles: { before: oldHead.title, after: newHead.title },
        fields: before.equals(after) ? [] : orFormatting(differences(oldHead, newHead)),
        sameArticle: true,
        claims,
        articleKey: before.toString('latin1', old.start, old.end),
      }
    }
  }
  return compareParsed(await parseMemory(before), await parseMemory(after))
}

/** Compares two parsed sides. */
export function compareParsed(before: Side, after: Side): MemoryComparison {
  const sameArticle = before.article?.text === after.article?.text
  // The hash follows the article: it tells something only where it changed alone.
  const fields = differences(before, after).filter((field) => sameArticle || field.name !== 'content-hash')
  if (sameArticle && before.article?.markup !== after.article?.markup)
    fields.push({ name: 'markup', before: [], after: [] })
  return {
    titles: { before: before.title, after: after.title },
    fields: sameArticle ? orFormatting(fields) : fields,
    sameArticle,
    claims: { before: before.article?.claim ?? null, after: after.article?.claim ?? null },
    articleKey: JSON.stringify([before.article?.text ?? null, after.article?.text ?? null]),
  }
}

const sameBytes = (a: Buffer, b: Buffer) => a.length === b.length && a.equals(b)

/** A change that is in no field is in the way the file is written. */
const orFormatting = (fields: FieldDifference[]): FieldDifference[] =>
  fields.length > 0 ? fields : [{ name: 'formatting', before: [], after: [] }]

/** What a scalar means where it is absent. */
const DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  __proto__: null as never,
  confidence: ['1.000'],
  importance: ['5'],
}

/** The fields that differ, the title among them, sorted by name. The order of repeated values counts. */
export function differences(
  before: { readonly title: string | null; readonly fields: ReadonlyMap<string, readonly string[]> },
  after: { readonly title: string | null; readonly fields: ReadonlyMap<string, readonly string[]> },
): FieldDifference[] {
  const found: FieldDifference[] = []
  for (const name of new Set([...before.fields.keys(), ...after.fields.keys()])) {
    const old = before.fields.get(name) ?? DEFAULTS[name] ?? []
    const now = after.fields.get(name) ?? DEFAULTS[name] ?? []
    if (old.length !== now.length || old.some((value, at) => value !== now[at]))
      found.push({ name, before: old, after: now })
  }
  if (before.title !== after.title)
    found.push({
      name: 'title',
      before: before.title === null ? [] : [before.title],
      after: after.title === null ? [] : [after.title],
    })
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The claim of an article in its plainest form; null where only a parser can tell. */
export function quickClaim(article: string): string | null {
  const found = /^<article>\s*<p><mark>([^<&]*)<\/mark>/.exec(article)
  return found ? (found[1] as string).replaceAll(/[ \t\n\f\r]+/g, ' ').trim() || null : null
}

/** Title, fields and claim of one version alone, without a parser where its shape allows. */
export async function readOne(bytes: Buffer): Promise<Side & { readonly claim: string | null }> {
  const range = articleRange(bytes)
  const head = range && readSkeleton(bytes, range)
  const claim = range && head ? quickClaim(bytes.toString('utf8', range.start, range.end)) : null
  if (head && claim !== null) return { ...head, article: null, claim }
  const parsed = await parseMemory(bytes)
  return { ...parsed, claim: parsed.article?.claim ?? null }
}
