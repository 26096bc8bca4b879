import { matchesGlob } from 'node:path'
import { AppError } from '../../../../shared/errors/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { looksLikeMemory, parseMemory } from '../../memory/read.ts'
import type { RepositorySettings } from '../../usecases/settings.ts'

/** A body that a store would read as a memory must be one. Errors: ERR_BAD_MEMORY. */
export async function checkFormat(
  repo: RepositoryContext,
  settings: Pick<RepositorySettings, 'memories'>,
  path: string,
  body: Buffer,
): Promise<void> {
  if (!repo.repository.store || !matchesGlob(path, settings.memories) || GENERATED.has(path)) return
  const issues: string[] = []
  if (!looksLikeMemory(body)) issues.push('it has no memhtml-type')
  const memory = await parseMemory(body)
  if (memory === null) issues.push('it nests too deep or holds too much')
  else if (memory.article === null) issues.push('it has no article')
  else if (memory.article.claim === null) issues.push('its article has no claim (mark)')
  if (memory !== null && !memory.title) issues.push('it has no title')
  if (issues.length > 0) throw new AppError('ERR_BAD_MEMORY', { path, issues })
}

/** Lists that the store itself writes. */
const GENERATED = new Set(['index.html', 'sitemap.xml'])
