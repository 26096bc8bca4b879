import type { CoreHandlers } from '../../../shared/contract/index.ts'
import { AppError } from '../../../shared/errors/index.ts'
import type { FileChange, Review } from '../../../shared/model/index.ts'
import type { CoreContext, Look, RepositoryContext } from '../context.ts'
import { findSleepRefs, type SleepRef } from '../inbox/sleepRefs.ts'
import { mergedFile } from '../sleep/mergedFile.ts'
import { formerName } from '../sleep/restoredAs.ts'
import { type ReviewedFile, type ReviewFacts, type ReviewTarget, reviewFacts } from '../sleep/review.ts'
import { readFileContent, whyOf } from '../sleep/reviewFile.ts'
import { classifyAll } from '../sleep/reviewFiles.ts'
import { reviewItems } from '../sleep/reviewItems.ts'
import {
  isIncluded,
  markChange,
  type Overlay,
  readOverlay,
  toFileChange,
  viewedOf,
  withChanges,
} from '../sleep/reviewOverlay.ts'
import { readGateRun } from '../store/gateRuns.ts'
import { writeLeftOut } from '../store/leftOut.ts'
import { writeViewed } from '../store/viewed.ts'
import { readSleepBranch } from './inbox.ts'
import { isTrusted } from './trust.ts'

type Group =
  | 'review.get'
  | 'review.file'
  | 'review.merged'
  | 'review.commit'
  | 'review.setViewed'
  | 'review.setIncluded'

export function reviewHandlers(core: CoreContext): Pick<CoreHandlers, Group> {
  const changed = (repoId: string) => core.emit('repo.changed', { repoId, what: ['marks'] })
  return {
    'review.get': ({ repoId, branch }) => readReview(core, core.repo(repoId), branch),

    'review.file': async ({ repoId, branch, path, commit }) => {
      const repo = core.repo(repoId)
      const facts = await factsOf(repo, branch)
      const file = commit === undefined ? facts.byPath.get(path) : await fileInCommit(repo, facts, branch, commit, path)
      if (!file) throw new AppError('ERR_NO_SUCH_FILE', { path, branch })
      const overlay = readOverlay(repo.state, branch, [file.item.path])
      const content = await readFileContent(repo.git, file)
      const ticked = overlay.marks.has(file.item.contentKey)
      const marked = <T extends { key: string }>(part: T) => ({
        ...part,
        viewed: ticked || overlay.marks.has(part.key),
      })
      return {
        repoId,
        branch,
        file: await toFileChange(repo.git, overlay, file),
        old: content.old,
        new: content.new,
        memory: content.memory.map(marked),
        title: content.title,
        claim: content.claim,
        raw: content.raw.map(marked),
        notes: [...content.notes],
        why: whyOf(facts.commits, file.commits),
        large: content.large,
      }
    },

    'review.merged': async ({ repoId, branch, path }) => {
      const repo = core.repo(repoId)
      const facts = await factsOf(repo, branch)
      return mergedFile(repo, facts, fileOf(facts, branch, path))
    },

    'review.commit': async ({ repoId, branch, commit }) => {
      const repo = core.repo(repoId)
      const facts = await factsOf(repo, branch)
      const found = commitOf(facts, branch, commit)
      const files = await filesInCommit(repo, facts, commit)
      const overlay = readOverlay(repo.state, branch, pathsIn(files))
      return { commit: found, files: await Promise.all(files.map((file) => toFileChange(repo.git, overlay, file))) }
    },

    'review.setViewed': async ({ repoId, branch, marks }) => {
      const repo = core.repo(repoId)
      return repo.queue.run(async () => {
        const facts = await factsOf(repo, branch)
        const before = readOverlay(repo.state, branch, pathsIn(facts.files)).marks
        let now = before
        const changes = []
        const touched = new Set<ReviewedFile>()
        for (const mark of marks) {
          const file = fileOf(facts, branch, mark.path)
          const change = await markChange(repo.git, now, file, mark.keys, mark.viewed)
          changes.push(change)
          now = withChanges(now, [change])
          touched.add(file)
        }
        writeViewed(repo.state, changes, core.ports.clock().toISOString())
        changed(repoId)
        const after = readOverlay(repo.state, branch, pathsIn(facts.files)).marks
        const files = []
        for (const file of touched) files.push({ path: file.item.path, viewed: await viewedOf(repo.git, after, file) })
        let viewed = 0
        for (const file of facts.files) if ((await viewedOf(repo.git, after, file)) === 'yes') viewed++
        return { files, viewed }
      })
    },

    'review.setIncluded': async ({ repoId, branch, paths, included }) => {
      const repo = core.repo(repoId)
      return repo.queue.run(async () => {
        const facts = await factsOf(repo, branch)
        const files = new Set(paths.map((path) => fileOf(facts, branch, path)))
        const changes = [...files].map((file) => ({ path: file.item.path, changeKey: file.changeKey() }))
        writeLeftOut(repo.state, branch, changes, included)
        changed(repoId)
        const overlay = readOverlay(repo.state, branch, pathsIn(facts.files))
        return { leftOut: facts.files.filter((file) => !isIncluded(overlay, file)).map((file) => file.item.path) }
      })
    },
  }
}

/** The review of one sleep branch. Errors: ERR_NO_SUCH_BRANCH, ERR_BRANCH_GONE, ERR_REPOSITORY_DAMAGED. */
export async function readReview(core: CoreContext, repo: RepositoryContext, name: string): Promise<Review> {
  const look = await repo.look()
  const ref = refOf(look, name)
  const facts = ref ? reviewFacts(repo, targetOf(repo, look, ref)) : null
  facts?.catch(() => {})
  const { branch: run, run: row } = await readSleepBranch(core, repo, look, name)
  if (!run || !facts) {
    if (row) throw new AppError('ERR_BRANCH_GONE', { branch: name, why: 'no-ref', status: row.status })
    throw new AppError('ERR_NO_SUCH_BRANCH', { branch: name })
  }
  if (run.status.state === 'blocked' && run.status.blockers[0]?.refusal === 'branch-gone' && look.repository.trunk.oid)
    throw new AppError('ERR_BRANCH_GONE', { branch: name, why: 'no-objects', status: row?.status ?? null })
  const { trunk } = look.repository
  const { base, target, commits, ledger, reportPath, onTrunk } = await facts
  const overlay = readOverlay(repo.state, name, pathsIn((await facts).files))
  const files = await changesOf(repo, overlay, await facts)
  const viewed = files.filter((file) => file.viewed === 'yes').length
  const { gate } = look.settings
  // What it said counts for the tree that would land now: with main moved on, that is another one.
  const last =
    gate && base !== null && base === trunk.oid
      ? readGateRun(repo.state, {
          branch: name,
          tip: target.tip,
          base,
          leftOut: files.flatMap((file) => (file.included ? [] : [file.path])),
          command: gate.run,
        })
      : null
  return {
    repoId: repo.repository.id,
    run: { ...run, viewed, left: files.length - viewed },
    trunk,
    base,
    tip: target.tip,
    files,
    commits: [...commits],
    ledger,
    reportPath,
    onTrunk: [...onTrunk],
    viewed,
    gate: gate ? { command: gate.run, trusted: await isTrusted(core, repo), last } : null,
  }
}

const pathsIn = (files: readonly ReviewedFile[]) => files.map((file) => file.item.path)

async function changesOf(repo: RepositoryContext, overlay: Overlay, facts: ReviewFacts): Promise<FileChange[]> {
  const files: FileChange[] = []
  for (const file of facts.files) files.push(await toFileChange(repo.git, overlay, file))
  return files
}

/** The facts of a branch as it is now. Errors: ERR_NO_SUCH_BRANCH. */
async function factsOf(repo: RepositoryContext, branch: string): Promise<ReviewFacts> {
  const look = await repo.look()
  const ref = refOf(look, branch)
  if (!ref) throw new AppError('ERR_NO_SUCH_BRANCH', { branch })
  return reviewFacts(repo, targetOf(repo, look, ref))
}

const refOf = ({ snapshot, settings, repository }: Look, branch: string): SleepRef | undefined =>
  findSleepRefs(snapshot, settings.sleepPattern, repository.trunk.branch).find((one) => one.branch === branch)

const targetOf = (repo: RepositoryContext, look: Look, ref: SleepRef): ReviewTarget => ({
  run: ref.run,
  was: formerName(repo.state, ref.branch),
  tip: ref.tip,
  trunk: look.repository.trunk.oid,
})

function fileOf(facts: ReviewFacts, branch: string, path: string): ReviewedFile {
  const file = facts.byPath.get(path)
  if (!file) throw new AppError('ERR_NO_SUCH_FILE', { path, branch })
  return file
}

function commitOf(facts: ReviewFacts, branch: string, oid: string) {
  const commit = facts.commits.find((one) => one.oid === oid)
  if (!commit) throw new AppError('ERR_NO_SUCH_COMMIT', { commit: oid, branch })
  return commit
}

/** The files of one commit of the run, as changes of that commit alone. */
async function filesInCommit(repo: RepositoryContext, facts: ReviewFacts, oid: string): Promise<ReviewedFile[]> {
  const items = reviewItems(facts.changes.get(oid) ?? [])
  return lookAt(repo, facts, oid, items)
}

async function fileInCommit(
  repo: RepositoryContext,
  facts: ReviewFacts,
  branch: string,
  oid: string,
  path: string,
): Promise<ReviewedFile | undefined> {
  commitOf(facts, branch, oid)
  const items = reviewItems(facts.changes.get(oid) ?? [])
  const item = items.find((one) => one.path === path) ?? items.find((one) => one.fromPath === path)
  return item && (await lookAt(repo, facts, oid, [item]))[0]
}

async function lookAt(
  repo: RepositoryContext,
  facts: ReviewFacts,
  oid: string,
  items: ReturnType<typeof reviewItems>,
): Promise<ReviewedFile[]> {
  const commit = facts.commits.find((one) => one.oid === oid)
  const generated = (path: string) => facts.byPath.get(path)?.kind === 'generated'
  const classified = await classifyAll(repo.git, items, (item) => item.generated || generated(item.path))
  return classified.map((one) => ({
    ...one,
    commits: [oid],
    phases: commit?.phase ? [commit.phase] : [],
    foreign: commit?.foreign != null,
    alsoOnTrunk: facts.byPath.get(one.item.path)?.alsoOnTrunk ?? false,
  }))
}
