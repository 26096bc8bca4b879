import type { RepositoryContext } from '../../context.ts'
import type { Git } from '../../git/process.ts'
import { prepareRefs } from '../../git/refTransaction.ts'
import { isUnusable } from '../../store/indexDb.ts'
import { forgetUnkept, readLine, readUnkept } from '../../store/trunkIndex.ts'
import { handedCommits } from '../../store/versions.ts'
import { placeOf } from './line.ts'

const FOLDER = 'refs/daybreak/versions/'

/**
 * Gives a ref to what left trunk since the last time, as far as nothing of ours keeps it yet: the tips that trunk had,
 * and the commits of numbers that were handed out. Costs next to nothing where trunk was not rewritten.
 */
export async function keepRewritten(repo: RepositoryContext, git: Git, now: Date): Promise<void> {
  try {
    await notice(repo)
    const unkept = readUnkept(repo.index)
    if (unkept.length === 0) return
    const tips = new Set([...unkept.filter((tip) => tip !== ''), ...handedCommits(repo.state)])
    const { trunk } = await repo.sources()
    const left = tips.size === 0 ? [] : await leftOf(git, [...tips], trunk.oid)
    if (await keep(git, left, now)) forgetUnkept(repo.index, unkept)
  } catch (error) {
    // It stays noted for the next verb.
    if (!isUnusable(error)) throw error
  }
}

/** Looks at where trunk is now, so that what left it since the last look is known. */
async function notice(repo: RepositoryContext): Promise<void> {
  const line = readLine(repo.index)
  if (line === null) return
  const { branch } = repo.repository.trunk
  const tip = (await repo.objects.read(`refs/heads/${branch}`))?.oid
  if (tip !== undefined && tip !== line.tip) await placeOf(repo, branch, tip)
}

/** The newest of these commits and of what they reach that neither trunk nor a ref of ours reaches. */
async function leftOf(git: Git, tips: readonly string[], trunk: string | null): Promise<string[]> {
  const below = ['--not', ...(trunk ? [trunk] : []), `--glob=${FOLDER}*`]
  const out = await git.text(['rev-list', '--topo-order', '--parents', '--ignore-missing', '--stdin', ...below], {
    input: `${tips.join('\n')}\n`,
  })
  const reached = new Set<string>()
  const found: string[] = []
  for (const row of out.split('\n').filter(Boolean)) {
    const [oid = '', ...parents] = row.split(' ')
    if (!reached.has(oid)) found.push(oid)
    for (const parent of parents) reached.add(parent)
  }
  return found
}

/** False where a ref could not be made: another process may be making the same one. */
async function keep(git: Git, commits: readonly string[], now: Date): Promise<boolean> {
  if (commits.length === 0) return true
  const time = now.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15)
  const updates = commits.map((oid) => ({ ref: `${FOLDER}${time}-${oid.slice(0, 10)}`, old: null, new: oid }))
  const prepared = await prepareRefs(git, updates, 'daybreak: versions that left trunk')
  return prepared.prepared && prepared.refs.commit()
}
