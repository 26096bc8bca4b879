import type { LookupHit } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { searchTexts } from '../../store/textIndex.ts'
import { bringTextsTo } from './textIndexing.ts'

/** Goes around what matched in a snippet. */
const MARK = '**'

/**
 * The documents of trunk that hold all words of a question; where there are none, those that hold words beginning so,
 * and then those that hold any of them. Words in double quotes are looked for as they stand. The best first.
 */
export async function lookUp(repo: RepositoryContext, query: string, limit: number): Promise<LookupHit[]> {
  const terms = termsOf(query)
  if (terms.length === 0) return []
  const { trunk } = await repo.sources()
  if (trunk.oid === null) return []
  await bringTextsTo(repo, trunk.oid)
  const expressions = new Set([
    terms.join(' AND '),
    terms.map((term) => `${term}*`).join(' AND '),
    terms.map((term) => `${term}*`).join(' OR '),
  ])
  for (const expression of expressions) {
    const found = searchTexts(repo.index, expression, limit, MARK)
    if (found.length > 0) return found
  }
  return []
}

/** The words of a question as FTS5 strings, so that nothing in them is read as its syntax. */
export function termsOf(query: string): string[] {
  const found = query.toWellFormed().matchAll(/"([^"]*)"|([^\s"]+)/g)
  return [...found]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((term) => /[\p{L}\p{N}]/u.test(term))
    .map((term) => `"${term.replaceAll('\0', ' ')}"`)
}
