import { ledgerPath, reportPath } from '../../../shared/model/index.ts'
import type { RepositoryContext } from '../context.ts'
import { readLog, trailerValues } from '../git/log.ts'

/** How many commits below the tip are asked for the run that they name. */
const LOOKED_AT = 100

/**
 * The run whose files (ledger, report) a branch carries: its own name, or, for a branch that came back under another
 * one, the run that its commits name.
 */
export async function runIdOf(
  repo: Pick<RepositoryContext, 'git' | 'objects'>,
  branch: string,
  base: string | null,
  tip: string,
): Promise<string> {
  for (const path of [ledgerPath(branch), reportPath(branch)])
    if (await repo.objects.read(`${tip}:${path}`)) return branch
  for (const commit of await readLog(repo.git, base, tip, { limit: LOOKED_AT })) {
    const [named] = trailerValues(commit, 'Memhtml-Run')
    if (named) return named
  }
  return branch
}
