import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodePath, splitNul } from '../../git/bytes.ts'
import { mergeTree, scratchObjects } from '../../git/mergeTree.ts'
import type { Git } from '../../git/process.ts'
import { parseRaw, type TouchedPath, touchedPaths, treeEntries } from '../../git/touched.ts'
import { readResolveUndo, readUnmerged } from '../../git/unmerged.ts'
import { conflictPaths, type GitsOperation, mergingOf, stateText } from './gitsOperation.ts'
import type { SettlePlace } from './place.ts'
import type { SettlePlan } from './plan.ts'

/**
 * Staged paths that neither the operation nor the resolving of its conflicts put into the index: someone else's,
 * which a commit would sweep up and giving up would throw away. What the operation itself staged is known by what git
 * noted of its merge (`AUTO_MERGE`), else by the paths that the other side touched. `ours`: what was resolved here.
 */
export async function sweptAlong(
  place: Pick<SettlePlace, 'reading' | 'gitDir' | 'commonDir'>,
  operation: GitsOperation | 'stash',
  ours: readonly SettlePlan[],
  head: string,
): Promise<string[]> {
  const git = place.reading
  if (operation === 'stash') return besideStash(place, ours, head)
  const staged = await stagedPaths(git, head)
  if (staged.length === 0) return []
  const settled = await conflictPaths(git)
  for (const plan of ours) for (const step of plan.steps) settled.add(step.path)
  const rest = staged.filter((one) => !settled.has(one.path))
  if (rest.length === 0) return []
  const touched = await touchedByOther(place, operation, head)
  if (touched === null) return []
  const noted = await notedTree(git)
  if (noted === null) return rest.map((one) => one.path).filter((path) => !touched.has(path))
  const merged = new Map((await touchedPaths(git, `${head}^{tree}`, noted)).map((one) => [one.path, one.new]))
  return rest
    .filter(({ path, new: now }) => {
      const made = merged.get(path)
      // What git noted may be of an older merge: a path that it does not know and the other side touched is the operation's.
      if (made === undefined) return !touched.has(path)
      return made?.oid !== now?.oid || made?.mode !== now?.mode
    })
    .map((one) => one.path)
}

/**
 * A stash may be popped onto what is staged already, which git merges into what it notes: only merging HEAD and the stash
 * anew tells the two apart.
 */
async function besideStash(
  place: Pick<SettlePlace, 'reading' | 'commonDir'>,
  ours: readonly SettlePlan[],
  head: string,
): Promise<string[]> {
  const git = place.reading
  const found = await git.run(['rev-parse', '-q', '--verify', 'refs/stash^{commit}'], { ok: [0, 1, 128] })
  if (found.exitCode !== 0) return (await stagedPaths(git, head)).map((one) => one.path)
  const stages = [...(await readUnmerged(git)), ...(await readResolveUndo(git))].filter((one) => one.stage === 2)
  const paths = stages.map((one) => one.path)
  const before = await treeEntries(git, head, paths)
  const onto = stages.filter((one) => before.has(one.path) && before.get(one.path)?.oid !== one.oid)
  const settled = await conflictPaths(git)
  for (const plan of ours) for (const step of plan.steps) settled.add(step.path)
  const rest = (await stagedPaths(git, head)).filter((one) => !settled.has(one.path))
  const folder = mkdtempSync(join(tmpdir(), 'daybreak-stash-'))
  try {
    const merged = await mergeTree(git, head, found.stdout.toString('latin1').trim(), {
      scratch: { folder, commonDir: place.commonDir },
    })
    const env = scratchObjects(folder, place.commonDir)
    const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', `${head}^{tree}`, merged.tree, '--']
    const made = new Map(parseRaw((await git.run(args, { env })).stdout).map((one) => [one.path, one.new]))
    const foreign = rest.filter(({ path, new: now }) => {
      const wanted = made.get(path)
      return wanted === undefined || wanted?.oid !== now?.oid || wanted?.mode !== now?.mode
    })
    return [...new Set([...onto, ...foreign].map((one) => one.path))].sort()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the index holds otherwise than HEAD; unmerged paths are left out. */
export async function stagedPaths(git: Git, head: string): Promise<TouchedPath[]> {
  const args = ['diff-index', '--cached', '--raw', '-z', '--no-renames', '--ignore-submodules=dirty', '--full-index']
  const out = await git.run([...args, '--diff-filter=u', head, '--'])
  return parseRaw(out.stdout)
}

async function notedTree(git: Git): Promise<string | null> {
  const out = await git.run(['rev-parse', '-q', '--verify', 'AUTO_MERGE^{tree}'], { ok: [0, 1, 128] })
  return out.exitCode === 0 ? out.stdout.toString('latin1').trim() : null
}

/** The paths that the side that comes in changed; null where that cannot be told. */
async function touchedByOther(
  place: Pick<SettlePlace, 'reading' | 'gitDir'>,
  operation: GitsOperation,
  head: string,
): Promise<ReadonlySet<string> | null> {
  const { reading: git, gitDir } = place
  const names = new Set<string>()
  const add = async (from: string, to: string) => {
    for (const one of await touchedPaths(git, from, to)) names.add(one.path)
  }
  const parent = async (commit: string) => {
    const out = await git.run(['rev-parse', '-q', '--verify', `${commit}^1^{tree}`], { ok: [0, 1, 128] })
    const tree = out.stdout.toString('latin1').trim()
    return tree === '' ? git.text(['mktree'], { input: '' }) : tree
  }
  if (operation === 'merge') {
    for (const other of mergingOf(gitDir)) {
      const base = await git.run(['merge-base', head, other], { ok: [0, 1] })
      await add(base.stdout.toString('latin1').trim() || (await git.text(['mktree'], { input: '' })), other)
    }
    return names
  }
  const files = { rebase: 'REBASE_HEAD', 'cherry-pick': 'CHERRY_PICK_HEAD', revert: 'REVERT_HEAD', am: null } as const
  const file = files[operation]
  const commit = file === null ? null : stateText(gitDir, file)
  if (commit === null) return patchPaths(git, gitDir)
  await add(await parent(commit), `${commit}^{tree}`)
  return names
}

/** The paths of the patch that git stopped at; null where there is none. */
async function patchPaths(git: Git, gitDir: string): Promise<ReadonlySet<string> | null> {
  if (stateText(gitDir, 'rebase-apply', 'patch') === null) return null
  const patch = join(gitDir, 'rebase-apply', 'patch')
  const out = await git.run(['apply', '--numstat', '-z', patch], { ok: [0, 1, 128] })
  if (out.exitCode !== 0) return null
  // `added TAB deleted TAB path NUL`; a rename has an empty path and two of its own behind it.
  const names = new Set<string>()
  for (const field of splitNul(out.stdout)) {
    const text = field.toString('latin1')
    const head = /^(?:\d+|-)\t(?:\d+|-)\t/.exec(text)?.[0] ?? ''
    const path = decodePath(field.subarray(head.length))
    if (path !== '') names.add(path)
  }
  return names
}
