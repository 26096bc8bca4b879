import type { ConflictItem, ConflictSet, ConflictSource, Who } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { withPrivateTree } from '../../git/privateTree.ts'
import { atOnce } from '../../operations/atOnce.ts'
import { decidedItems } from '../../store/drafts.ts'
import type { ConflictProvider } from '../provider.ts'
import { openIn } from '../text/lineConflicts.ts'
import { sourceKey } from '../text/sides.ts'
import { itemsOf } from './items.ts'
import { type WaitingBranch, waitingBranch, waitingBranches } from './waiting.ts'

/**
 * The conflicts of bringing trunk into sleep branches: ours is trunk, theirs the branch. They are merged in memory, outside
 * of the repository; what is decided is kept until all of it is.
 */
export const branchProvider: ConflictProvider = {
  list: async (repo) => Promise.all((await waitingBranches(repo)).map((one) => describing(() => setOf(repo, one)))),
  async find(repo, source) {
    if (source.from !== 'branch') return null
    const waiting = await waitingBranch(repo, source.branch)
    return waiting === null ? null : setOf(repo, waiting)
  },
  async blob(repo, source, oid) {
    if (source.from !== 'branch') return null
    const object = await repo.objects.read(oid)
    if (object !== null) return object.type === 'blob' ? object.bytes : null
    return (await waitingBranch(repo, source.branch))?.preview.blobs.get(oid) ?? null
  },
}

/** As `waitingBranches`. */
const describing = atOnce(4)

/** What waits about one branch, with the decisions that stand. */
export async function setOf(repo: RepositoryContext, waiting: WaitingBranch): Promise<ConflictSet> {
  const { branch, trunk, preview } = waiting
  const source: ConflictSource = { from: 'branch', branch }
  const { ours, theirs, items: bare } = await conflictsOf(repo, waiting)
  const items = withStates(repo, source, bare)
  const open = items.filter((one) => one.state !== 'resolved').length
  const begun = open < items.length
  return {
    source,
    operation: 'bring-main-in',
    title: `Bringing ${trunk.branch} into ${branch}`,
    ours,
    theirs,
    baseLabel: `the version before both, ${preview.base.slice(0, 7)}`,
    items,
    step: null,
    proceed: {
      able: open === 0,
      why: open === 0 ? null : `${open} ${open === 1 ? 'file is' : 'files are'} not decided yet.`,
      label: `Commit on ${branch}`,
    },
    abort: { able: begun, why: begun ? null : 'Nothing is decided yet.', label: 'Forget the decisions' },
  }
}

interface Described {
  readonly ours: Who
  readonly theirs: Who
  readonly items: readonly ConflictItem[]
}

const described = remembered<Described>(16)

/** Who stands behind the sides, and the conflicts as they are without decisions: what follows from two commits never changes. */
function conflictsOf(repo: RepositoryContext, { branch, tip, trunk, preview }: WaitingBranch): Promise<Described> {
  return described(JSON.stringify([repo.repository.id, branch, tip, trunk, preview.conflicts]), async () => {
    const [ours, theirs, bySide] = await Promise.all([
      whoIs(repo, trunk.branch, trunk.oid),
      whoIs(repo, branch, tip),
      withPrivateTree(repo.git, trunk.oid, (open) => open.notByLine(preview.conflicts)),
    ])
    const trees = { base: preview.base, ours: trunk.oid, theirs: tip }
    const items = await itemsOf({ repo, branch, trees, ours, theirs, preview, bySide })
    return { ours, theirs, items }
  })
}

/** Keeps the last answers by key; a failure is not kept. */
function remembered<T>(most: number): (key: string, ask: () => Promise<T>) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (key, ask) => {
    const asked = known.get(key) ?? ask()
    known.delete(key)
    known.set(key, asked)
    asked.catch(() => known.delete(key))
    for (const oldest of known.keys()) {
      if (known.size <= most) break
      known.delete(oldest)
    }
    return asked
  }
}

/** The items with those resolved whose decision stands and is about the sides as they are now. */
export function withStates(
  repo: RepositoryContext,
  source: ConflictSource,
  items: readonly ConflictItem[],
): ConflictItem[] {
  const decided = new Map(decidedItems(repo.state, sourceKey(repo, source)).map((one) => [one.item, one.fingerprint]))
  return items.map((item): ConflictItem => {
    const now: ConflictItem = decided.get(item.id) === item.fingerprint ? { ...item, state: 'resolved' } : item
    const left = openIn(repo, source, now)
    return { ...now, left, state: now.state === 'open' && left === 0 ? 'decided' : now.state }
  })
}

async function whoIs(repo: RepositoryContext, branch: string, oid: string): Promise<Who> {
  const object = await repo.objects.read(oid)
  const text = object?.type === 'commit' ? object.bytes.toString('utf8') : ''
  const cut = text.indexOf('\n\n')
  const [, author, time] = /^author (.*) <[^>]*> (\d+) [+-]\d{4}$/m.exec(text.slice(0, Math.max(0, cut))) ?? []
  return {
    name: branch,
    branch,
    oid,
    author: author ?? null,
    at: time === undefined ? null : new Date(Number(time) * 1000).toISOString(),
    subject: cut === -1 ? null : (text.slice(cut + 2).split('\n')[0] ?? null),
  }
}
