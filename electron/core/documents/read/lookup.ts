import type { LookupHit } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { bringTextsTo } from './textIndexing.ts'
import { textPlaneOf } from './textPlane.ts'

/**
 * The documents of trunk that hold all words of a question; where there are none, those that hold words beginning so,
 * and then those that hold any of them. Words in double quotes are looked for as they stand. The best first.
 * `apart`: the work is done in a thread of its own.
 */
export async function lookUp(
  repo: RepositoryContext,
  query: string,
  limit: number,
  apart: boolean,
): Promise<LookupHit[]> {
  const terms = termsOf(query)
  if (terms.length === 0) return []
  const { trunk } = await repo.sources()
  if (trunk.oid === null) return []
  const plane = textPlaneOf(repo, apart)
  await bringTextsTo(repo, plane, trunk.oid)
  const expressions = [
    terms.join(' AND '),
    terms.map((term) => `${term}*`).join(' AND '),
    terms.map((term) => `${term}*`).join(' OR '),
  ]
  return [...(await plane.run({ do: 'search', expressions, limit }))]
}

/** The words of a question as FTS5 strings, so that nothing in them is read as its syntax. */
function termsOf(query: string): string[] {
  const found = query.toWellFormed().matchAll(/"([^"]*)"|([^\s"]+)/g)
  return [...found]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((term) => /[\p{L}\p{N}]/u.test(term))
    .map((term) => `"${term.replaceAll('\0', ' ')}"`)
}
