import { dirname } from 'node:path'
import type { CoreHandlers } from '../../../shared/contract/index.ts'
import type { CoreContext, RepositoryContext } from '../context.ts'
import { createGit } from '../git/process.ts'
import { requireGit } from '../git/version.ts'
import { checkDatabase, type Finding, findingOf, fine } from './doctorFindings.ts'
import { checkRepository } from './doctorRepository.ts'

export function doctorHandlers(core: CoreContext): Pick<CoreHandlers, 'doctor.run'> {
  return {
    'doctor.run': async ({ path }) => {
      const findings = [await checkGit(core), checkDatabase('app-data', 'Daybreak’s own data', core.app)]
      if (path === null || findings[0]?.level === 'problem') return findings
      let repo: RepositoryContext
      try {
        repo = await core.open(path)
        await repo.refresh()
      } catch (error) {
        return [...findings, findingOf('repository', 'Repository', error)]
      }
      return [...findings, ...(await checkRepository(core, repo))]
    },
  }
}

/** Asked where a folder surely is: a home may be missing, and a repository damaged. */
async function checkGit(core: CoreContext): Promise<Finding> {
  try {
    const found = await requireGit(createGit({ cwd: dirname(process.execPath), env: core.ports.env }))
    return fine('git', 'Git', `git ${found.text} is new enough.`)
  } catch (error) {
    return findingOf('git', 'Git', error)
  }
}
