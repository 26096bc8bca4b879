import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, shareApp, test } from './fixtures.ts'
import { ResolverPage } from './pages/resolver.ts'
import { blobId, expectSettled, expectUntouched, outside } from './resolverProof.ts'
import { buildConflictTrees, type StoppedTree } from './support/conflictTrees.ts'
import { OTHER, PATHS, RUN, stores, type TestRepo, withLines, workingTree } from './support/index.ts'

const PATH = 'text/notes.md'
const BASE = withLines({}, 30)
/** Ours, theirs and both, and what each side changed alone. */
const DECIDED = withLines(
  { 3: 'ours 3\n', 8: 'ours alone\n', 14: 'theirs 14\n', 20: 'theirs alone\n', 26: 'ours 26\ntheirs 26\n' },
  30,
)
const TOUCHED = { 3: 1, 8: 1, 14: 1, 20: 1, 26: 2 }

interface Case {
  readonly title: string
  readonly ours: string
  readonly theirs: string | RegExp
  readonly goOn: string
  readonly giveUp: string
  /** What git's folder has while the operation goes on; null where nothing tells of it. */
  readonly state: string | null
}

const cases = {
  merge: {
    title: `Merging ${OTHER} into merge`,
    ours: 'planner',
    theirs: 'researcher',
    goOn: 'Commit the merge',
    giveUp: 'Abort the merge',
    state: 'MERGE_HEAD',
  },
  // Git swaps the sides: stage 2 is the branch rebased onto, stage 3 the commit that is picked.
  rebase: {
    title: 'Rebasing rebase onto main',
    ours: 'planner',
    theirs: 'researcher',
    goOn: 'Continue the rebase',
    giveUp: 'Abort the rebase',
    state: 'rebase-merge',
  },
  'cherry-pick': {
    title: 'Cherry-picking “Write the side” onto cherry-pick',
    ours: 'planner',
    theirs: 'researcher',
    goOn: 'Continue the cherry-pick',
    giveUp: 'Abort the cherry-pick',
    state: 'CHERRY_PICK_HEAD',
  },
  revert: {
    title: 'Reverting “Base” on revert',
    ours: 'revert',
    theirs: /^the state before [0-9a-f]{7}$/,
    goOn: 'Continue the revert',
    giveUp: 'Abort the revert',
    state: 'REVERT_HEAD',
  },
  stash: {
    title: 'Putting the stash back on stash',
    ours: 'stash',
    theirs: 'the stash',
    goOn: 'Drop the stash',
    giveUp: 'Take the stash back out',
    state: null,
  },
  am: {
    title: 'Applying the patch “Write the side” on am',
    ours: 'am',
    theirs: 'the patch',
    goOn: 'Continue with the patches',
    giveUp: 'Abort the patches',
    state: 'rebase-apply',
  },
} as const satisfies Record<string, Case>
const OPERATIONS = Object.keys(cases) as (keyof typeof cases)[]

const named = (word: string, who: string | RegExp) =>
  new RegExp(`^${word}: ${typeof who === 'string' ? `${who}$` : who.source.slice(1)}`)

/** Decides the three conflicts of the file, and sees that each side is named after who wrote it. */
async function decide(resolver: ResolverPage, tree: StoppedTree): Promise<void> {
  const { title, ours, theirs } = cases[tree.operation]
  await resolver.overview(title)
  await resolver.open(PATH)
  await resolver.shows('ours 3', named('Editor Ours', ours))
  await resolver.shows('theirs 3', named('Editor Theirs', theirs))
  await expect(resolver.acceptOf(1, 'ours')).toHaveAccessibleName(named('Accept ours', ours))
  await expect(resolver.acceptOf(1, 'theirs')).toHaveAccessibleName(named('Accept theirs', theirs))
  await resolver.accept('ours', 'theirs', 'both')
  await resolver.markResolved(PATH)
}

function gitsOwn(tree: StoppedTree): boolean {
  const { state } = cases[tree.operation]
  return state !== null && existsSync(join(tree.gitDir, state))
}

const log = (tree: TestRepo, range: string) => tree.git('log', '--reverse', '--format=%s by %an', range).split('\n')

/** What the operation leaves when it went on to its end. */
const ends: Readonly<Record<keyof typeof cases, (tree: StoppedTree) => void>> = {
  merge: (tree) => {
    expect(tree.git('rev-parse', 'HEAD^1', 'HEAD^2').split('\n')).toEqual([tree.head, tree.oid(OTHER)])
  },
  rebase: (tree) => {
    expect(tree.oid('HEAD~2')).toBe(tree.oid('main'))
    expect(log(tree, 'main..HEAD')).toEqual(['Start the side by researcher', 'Write the side by researcher'])
  },
  'cherry-pick': (tree) => {
    expect(tree.oid('HEAD^')).toBe(tree.head)
    expect(log(tree, 'HEAD^..HEAD')).toEqual(['Write the side by researcher'])
  },
  revert: (tree) => {
    expect(tree.oid('HEAD^')).toBe(tree.head)
    expect(log(tree, 'HEAD^..HEAD')).toEqual(['Revert "Base" by Test Person'])
  },
  stash: (tree) => {
    expect(tree.oid('HEAD')).toBe(tree.head)
    expect(tree.git('stash', 'list')).toBe('')
  },
  am: (tree) => {
    expect(tree.oid('HEAD~2')).toBe(tree.head)
    expect(log(tree, 'HEAD~2..HEAD')).toEqual(['Start the side by researcher', 'Write the side by researcher'])
  },
}

test.describe('the same conflicts under every operation, each in a worktree of its own, gone on with', () => {
  const app = shareApp(buildConflictTrees)

  for (const operation of OPERATIONS)
    test(operation, async () => {
      const tree = app.repo.trees[operation]
      const { goOn } = cases[operation]
      const before = outside(tree, 'text')
      const resolver = new ResolverPage(app.page)
      await decide(resolver, tree)
      expectSettled(tree, 'text', { 'notes.md': DECIDED }, before)
      expectUntouched(Buffer.from(DECIDED), Buffer.from(BASE), TOUCHED)
      const [head, own] = [tree.oid('HEAD'), gitsOwn(tree)]
      expect(own).toBe(cases[operation].state !== null)
      await expect(resolver.proceed).toHaveText(goOn)
      await resolver.proceed.click()
      await expect(resolver.app.toast.filter({ hasText: `${cases[operation].title}: done` })).toBeVisible()
      expect(tree.git('symbolic-ref', 'HEAD')).toBe(`refs/heads/${operation}`)
      expect(gitsOwn(tree)).toBe(false)
      ends[operation](tree)
      // What was popped from a stash stays a change that is not committed.
      const left = operation === 'stash' ? `1 M. N... 100644 100644 100644 ` : ''
      expect(tree.status().slice(0, left.length || undefined)).toBe(left)
      if (operation !== 'stash') {
        expect(tree.oid('HEAD')).not.toBe(head)
        expect(tree.git('rev-parse', `HEAD:${PATH}`)).toBe(blobId(DECIDED))
      }
      expect(tree.read(PATH).equals(Buffer.from(DECIDED))).toBe(true)
      tree.fsck()
    })
})

test.describe('the same conflicts under every operation, given up after they were decided', () => {
  const app = shareApp(buildConflictTrees)

  for (const operation of OPERATIONS)
    test(operation, async () => {
      const tree = app.repo.trees[operation]
      const { giveUp, title } = cases[operation]
      const stash = operation === 'stash' ? tree.git('rev-parse', 'refs/stash') : null
      const resolver = new ResolverPage(app.page)
      await decide(resolver, tree)
      await expect(resolver.abort).toHaveText(giveUp)
      await resolver.abort.click()
      const dialog = resolver.app.dialog(`${giveUp}?`)
      await expect(dialog).toContainText('1 resolved file will be given up.')
      await dialog.getByRole('button', { name: giveUp }).click()
      await expect(resolver.app.toast.filter({ hasText: `${title}: given up` })).toBeVisible()
      expect(tree.git('symbolic-ref', 'HEAD')).toBe(`refs/heads/${operation}`)
      expect(tree.oid('HEAD')).toBe(tree.head)
      expect(gitsOwn(tree)).toBe(false)
      expect(tree.status()).toBe('')
      expect(workingTree(tree.dir)).toEqual(tree.files)
      if (stash !== null) expect(tree.git('rev-parse', 'refs/stash')).toBe(stash)
      tree.fsck()
    })
})

test('main is brought in with conflicts decided on the page, and committed as a merge of main and the night', async ({
  launch,
}) => {
  const repo = stores.clean(undefined, {
    afterNight: [
      {
        on: RUN,
        message: 'memhtml(write): More',
        files: { 'list.md': withLines({ 4: 'night\n' }), 'pic.bin': Buffer.from([0, 1, 2]) },
      },
    ],
    onMain: [
      { message: 'day', files: { 'list.md': withLines({ 4: 'day\n' }), 'pic.bin': Buffer.from([0, 9]) } },
      { message: 'more', files: { 'unrelated.md': 'from main\n' } },
    ],
  })
  const [main, tip] = [repo.oid('main'), repo.oid(RUN)]
  const [refs, files, index] = [repo.refs(), workingTree(repo.dir), repo.git('ls-files', '-s')]
  const app = await launch(repo)
  await app.review(RUN)
  await app.page.getByRole('button', { name: 'Resolve conflicts' }).click()
  const resolver = new ResolverPage(app.page)
  await resolver.open('list.md')
  await expect(resolver.acceptOf(1, 'ours')).toHaveAccessibleName('Accept ours: main')
  await expect(resolver.acceptOf(1, 'theirs')).toHaveAccessibleName(`Accept theirs: ${RUN}`)
  await resolver.accept('both')
  await resolver.markResolved('list.md')
  await resolver.shown('pic.bin')
  await resolver.choose('theirs')
  await resolver.markResolved('pic.bin')
  expect(repo.refs()).toEqual(refs)
  await resolver.proceed.click()
  await expect.poll(() => repo.oid(RUN)).not.toBe(tip)
  expect(repo.git('rev-parse', `${RUN}^1`, `${RUN}^2`).split('\n')).toEqual([main, tip])
  expect(repo.oid('main')).toBe(main)
  const list = withLines({ 4: 'day\nnight\n' })
  expect(repo.git('rev-parse', `${RUN}:list.md`)).toBe(blobId(list))
  expectUntouched(repo.show(RUN, 'list.md'), Buffer.from(withLines({})), { 4: 2 })
  expect(repo.git('rev-parse', `${RUN}:pic.bin`)).toBe(blobId(Buffer.from([0, 1, 2])))
  // All else is what one of the two has: main's own file, and of everything else the night's.
  expect(repo.git('diff', '--name-only', '--no-renames', tip, RUN).split('\n')).toEqual(['list.md', 'unrelated.md'])
  expect(repo.git('rev-parse', `${RUN}:unrelated.md`)).toBe(repo.git('rev-parse', 'main:unrelated.md'))
  expect(repo.git('rev-parse', `${RUN}:${PATHS.claim}`)).toBe(repo.git('rev-parse', `${tip}:${PATHS.claim}`))
  expect(workingTree(repo.dir)).toEqual(files)
  expect(repo.git('ls-files', '-s')).toBe(index)
  expect(repo.status()).toBe('')
  repo.fsck()
})
