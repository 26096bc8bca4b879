import { type Article, readArticle } from './document.ts'
import { readPlainArticle } from './plainArticle.ts'
import { parseMemory } from './read.ts'
import { articleRange, differingLines, type Head, headText, type Range, readHead, readPieces } from './skeleton.ts'

/** What a memory's change amounts to. */
export interface MemoryComparison {
  /** Fields that differ, sorted, with their values on both sides. */
  readonly fields: readonly FieldDifference[]
  /** The article's content hash is the same. */
  readonly sameArticle: boolean
  readonly claims: { readonly before: string | null; readonly after: string | null }
  /** Identity of the two articles, for keys; null where they are the same bytes, and so say no more than the old file. */
  readonly articleKey: string | null
}

export interface FieldDifference {
  readonly name: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** One version of a memory. */
export interface Side extends Head {
  readonly article: Article | null
}

/**
 * Compares two versions of a memory. Where both have the store's plain shape and the same article bytes, nothing is
 * parsed; a real parser reads only what is not as plain as a store writes it. null where one cannot be read.
 */
export async function compareMemories(before: Buffer, after: Buffer): Promise<MemoryComparison | null> {
  const plain = compareHeads(before, after)
  if (plain) return plain
  const [old, now] = [await readMemory(before), await readMemory(after)]
  return old && now && compareSides(old, now)
}

/** The comparison of two plain files with the same article bytes; null for any others. */
function compareHeads(before: Buffer, after: Buffer): MemoryComparison | null {
  const old = articleRange(before)
  const now = old && articleRange(after)
  if (!old || !now || old.end - old.start !== now.end - now.start) return null
  if (before.compare(after, now.start, now.end, old.start, old.end) !== 0) return null
  const oldHead = headText(before, old)
  const newHead = oldHead && headText(after, now)
  if (!oldHead || !newHead) return null
  const fields = before.equals(after) ? [] : differencesOf(oldHead, newHead)
  if (!fields) return null
  const claim = quickClaim(before, old)
  if (claim === null) return null
  return { fields, sameArticle: true, claims: { before: claim, after: claim }, articleKey: null }
}

function differencesOf(before: string, after: string): FieldDifference[] | null {
  const lines = differingLines(before, after)
  const old = readPieces(lines.before)
  const now = readPieces(lines.after)
  const names = old && now ? [...old.fields.keys(), ...now.fields.keys()] : []
  const alone = names.every((name) => !lines.others.includes(`-${name}"`) && !lines.others.includes(`"${name}"`))
  if (old && now && alone && old.title === null && now.title === null) return orFormatting(differences(old, now))
  const oldHead = readHead(before)
  const newHead = oldHead && readHead(after)
  return oldHead && newHead ? orFormatting(differences(oldHead, newHead)) : null
}

/** Compares two versions that were read. */
export function compareSides(before: Side, after: Side): MemoryComparison {
  const sameArticle = before.article !== null && after.article !== null && before.article.text === after.article.text
  // The hash follows the article: it tells something only where it changed alone.
  const fields = differences(before, after).filter((field) => sameArticle || field.name !== 'content-hash')
  if (sameArticle && before.article?.markup !== after.article?.markup)
    fields.push({ name: 'markup', before: [], after: [] })
  return {
    fields: sameArticle ? orFormatting(fields) : fields,
    sameArticle,
    claims: { before: before.article?.claim ?? null, after: after.article?.claim ?? null },
    articleKey: JSON.stringify([before.article?.text ?? null, after.article?.text ?? null]),
  }
}

/** A change that is in no field is in the way the file is written. */
const orFormatting = (fields: FieldDifference[]): FieldDifference[] =>
  fields.length > 0 ? fields : [{ name: 'formatting', before: [], after: [] }]

/** What a scalar means where it is absent. */
const DEFAULTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['confidence', ['1.000']],
  ['importance', ['5']],
])
const NONE: readonly string[] = []

/** The fields that differ, the title among them, sorted by name. The order of repeated values counts. */
export function differences(before: Head, after: Head): FieldDifference[] {
  const found: FieldDifference[] = []
  const look = (name: string) => {
    const old = before.fields.get(name) ?? DEFAULTS.get(name) ?? NONE
    const now = after.fields.get(name) ?? DEFAULTS.get(name) ?? NONE
    if (old.length !== now.length || old.some((value, at) => value !== now[at]))
      found.push({ name, before: old, after: now })
  }
  for (const name of before.fields.keys()) look(name)
  for (const name of after.fields.keys()) if (!before.fields.has(name)) look(name)
  if (before.title !== after.title)
    found.push({
      name: 'title',
      before: before.title === null ? [] : [before.title],
      after: after.title === null ? [] : [after.title],
    })
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

const CLAIM = /^<article>\s*<p><mark>([^<&\r]*)<\/mark>/
/** A claim that does not end within so many bytes is left to the parser. */
const CLAIM_BYTES = 2000

/** The claim of an article in its plainest form; null where only a parser can tell. */
function quickClaim(bytes: Buffer, { start, end }: Range): string | null {
  const found = CLAIM.exec(bytes.toString('utf8', start, Math.min(end, start + CLAIM_BYTES)))
  return found ? (found[1] as string).replaceAll(/[ \t\n\f]+/g, ' ').trim() || null : null
}

/** Reads one version, without a parser where it is as plain as a store writes it. null: it cannot be read as a memory. */
export async function readMemory(bytes: Buffer): Promise<Side | null> {
  const range = articleRange(bytes)
  const text = range && headText(bytes, range)
  const head = text && readHead(text)
  const article = range && head ? readPlainArticle(bytes.toString('utf8', range.start, range.end)) : null
  return head && article ? { ...head, article: readArticle(article) } : parseMemory(bytes)
}

/** Title, fields and claim of one version; null where it cannot be read as a memory. */
export async function readOne(bytes: Buffer): Promise<(Head & { readonly claim: string | null }) | null> {
  const range = articleRange(bytes)
  const text = range && headText(bytes, range)
  const head = text && readHead(text)
  const claim = range && head ? quickClaim(bytes, range) : null
  if (head && claim !== null) return { ...head, claim }
  const side = await readMemory(bytes)
  return side && { title: side.title, fields: side.fields, claim: side.article?.claim ?? null }
}
