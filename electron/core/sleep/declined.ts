import type { RepositoryContext } from '../context.ts'
import { type ReviewTarget, reviewFacts } from './review.ts'

/**
 * The changes of a night that these paths name, with the keys to remember them by; naming either half of a pair is
 * enough. For `rememberDeclined` of `core/store/declined.ts`, once the approval went through.
 */
export async function declinable(
  repo: Pick<RepositoryContext, 'git' | 'config' | 'objects' | 'repository' | 'state'>,
  target: ReviewTarget,
  paths: readonly string[],
): Promise<{ readonly path: string; readonly changeKey: string }[]> {
  const facts = await reviewFacts(repo, target)
  const files = new Set(paths.flatMap((path) => facts.byPath.get(path) ?? []))
  return [...files].map((file) => ({ path: file.item.path, changeKey: file.changeKey() }))
}
