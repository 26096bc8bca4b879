import { existsSync, lstatSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ConflictKindName, conflictSides, joinSides } from '../../../../e2e/support/conflictSides.ts'
import {
  buildConflict,
  buildRerere,
  buildSparse,
  buildSubmoduleConflict,
  CONFLICT_OPERATIONS,
} from '../../../../e2e/support/conflicts.ts'
import { pathBytes, workingTree } from '../../../../e2e/support/index.ts'
import {
  copyOf,
  draftOf,
  expectResult,
  expectSound,
  openStopped,
  resolveAll,
  resolveItem,
} from '../../testing/stoppedCore.ts'

/** Paths that a result or its leftovers may change; all others keep their bytes. */
function untouched(files: Readonly<Record<string, string>>, paths: readonly string[]) {
  const own = (file: string) =>
    paths.some((path) => {
      const name = pathBytes(path).toString('latin1')
      return file === name || file.startsWith(`${name}~`)
    })
  return Object.fromEntries(Object.entries(files).filter(([file]) => !own(file)))
}

/** Kinds that rename what others hold too: each in a repository of its own. The others share one, a folder each. */
const ALONE: readonly ConflictKindName[] = ['renameRename', 'renameRenameSame']
/** Kinds that are one text and differ in its bytes, or in how git is configured: tested by their bytes. */
const BYTES: readonly ConflictKindName[] = [
  'utf16',
  'utf8Bom',
  'crlf',
  'cp1252',
  'safecrlf',
  'setext',
  'finalNewlines',
  'markerSize',
  'diff3',
  'zdiff3',
]
const TOGETHER = (Object.keys(conflictSides) as ConflictKindName[]).filter(
  (kind) => ![...ALONE, ...BYTES, 'text', 'twoFiles'].includes(kind),
)

const halves = (kinds: readonly ConflictKindName[]) => [0, 1].map((half) => kinds.filter((_, at) => at % 2 === half))

describe('every kind of conflict', () => {
  it.each([...halves(TOGETHER).map(joinSides), ...ALONE.map((kind) => conflictSides[kind]())])(
    'every choice ends as decided (%#)',
    async (sides) => {
      const built = buildConflict(sides)
      const first = await openStopped(built)
      const items = (await first.set())?.items ?? []
      expect(items.length).toBeGreaterThan(0)
      await first.close()
      const most = Math.max(1, ...items.map((item) => item.choices.length))
      for (let n = 0; n < most; n++) {
        const repo = copyOf(built)
        const stopped = await openStopped(repo)
        const before = workingTree(repo.dir)
        const settled: string[] = []
        for (const item of (await stopped.set())?.items ?? []) {
          if (n > 0 && item.choices.length <= n) continue
          const choice = item.choices[n]
          const outcome = await resolveItem(
            stopped,
            item,
            await draftOf(stopped, item, n % 2 === 0 ? 'ours' : 'theirs-then-ours', choice?.id),
          )
          if (choice?.result.every((one) => one.oid !== 'merged')) expect(outcome.result).toEqual(choice.result)
          expectResult(repo, item, outcome.result)
          settled.push(...item.paths, ...outcome.result.map((one) => one.path))
        }
        expect(untouched(workingTree(repo.dir), settled)).toEqual(untouched(before, settled))
        expect(repo.git('ls-files', '--resolve-undo')).not.toBe('')
        // Nothing but what is staged: every file is what the index has, and nothing lies beside it.
        if (n === 0) {
          expect(repo.git('ls-files', '-u')).toBe('')
          expect(repo.git('diff-files', '--ignore-submodules=all', '--name-only')).toBe('')
        }
        expect(repo.git('ls-files', '--others', '--exclude-standard')).toBe('')
        expectSound(repo)
        await stopped.close()
      }
    },
  )

  it('the blob is byte for byte what was decided, with every encoding and ending', async () => {
    for (const kind of BYTES) {
      const stopped = await openStopped(buildConflict(kind))
      const { repo } = stopped
      const sides = new Map<string, string>()
      for (const item of (await stopped.set())?.items ?? []) {
        const { result } = await resolveItem(stopped, item, await draftOf(stopped, item, 'theirs'))
        for (const one of result) sides.set(one.path, one.oid)
      }
      for (const [path, oid] of sides)
        expect(repo.gitBytes(['cat-file', 'blob', `:0:${path}`])).toEqual(repo.gitBytes(['cat-file', 'blob', oid]))
      // Only the conflict differs between the sides: theirs is theirs whole.
      for (const path of sides.keys())
        expect(repo.git('rev-parse', `:0:${path}`)).toBe(repo.git('rev-parse', `infra/pg17:${path}`))
      expect(repo.status()).not.toContain(' 1 .M')
      await stopped.close()
    }
  })
})

describe('every operation', () => {
  it.each(CONFLICT_OPERATIONS)('%s, in a linked working tree', async (operation) => {
    for (const where of operation === 'merge' ? (['main', 'bare'] as const) : (['linked'] as const)) {
      const stopped = await openStopped(buildConflict('twoFiles', { operation, where }))
      const { repo } = stopped
      expect((await stopped.set())?.items.map((one) => one.path)).toEqual(['a.md', 'sub/b.md'])
      const outcome = await resolveItem(
        stopped,
        await stopped.item('a.md'),
        await draftOf(stopped, await stopped.item('a.md'), 'theirs'),
      )
      expect(outcome.left).toBe(1)
      expect(repo.read('a.md').toString()).toBe('theirs\n')
      expect(repo.git('show', ':a.md')).toBe('theirs')
      expect(repo.git('ls-files', '-u')).toMatch(/^(?:.*\tsub\/b\.md\n?){3}$/)
      await resolveAll(stopped)
      expect(repo.git('ls-files', '-u')).toBe('')
      repo.main.fsck()
      await stopped.close()
    }
  })
})

describe('files', () => {
  it('outside a sparse checkout: resolved, and git has nothing to say about it', async () => {
    const stopped = await openStopped(buildSparse())
    await resolveAll(stopped, 'theirs')
    const { repo } = stopped
    expect(repo.git('show', ':mem/note.md')).toBe('theirs')
    expect(repo.git('diff-files', '--name-only')).toBe('')
    expect(repo.git('ls-files', '-t', 'mem/other.md')).toBe('S mem/other.md')
    expect(existsSync(join(repo.dir, 'mem', 'other.md'))).toBe(false)
    expectSound(repo)
    await stopped.close()
  })

  it("a submodule's commit is taken, its own working tree is not touched", async () => {
    const repo = buildSubmoduleConflict()
    const lib = join(repo.dir, 'lib')
    writeFileSync(join(lib, 'edited.txt'), 'by hand\n')
    const head = repo.git('-C', lib, 'rev-parse', 'HEAD')
    const stopped = await openStopped(repo)
    const item = await stopped.item('lib')
    const theirs = item.choices.find((one) => one.side === 'theirs')
    const outcome = await resolveItem(stopped, item, await draftOf(stopped, item, 'ours', theirs?.id))
    expectResult(repo, item, outcome.result)
    expect(repo.git('-C', lib, 'rev-parse', 'HEAD')).toBe(head)
    expect(repo.read('lib/edited.txt').toString()).toBe('by hand\n')
    await stopped.close()
  })

  it('a symbolic link is written as one', async () => {
    const stopped = await openStopped(buildConflict('symlinks'))
    const item = await stopped.item('link')
    const theirs = item.choices.find((one) => one.side === 'theirs')
    await resolveItem(stopped, item, await draftOf(stopped, item, 'ours', theirs?.id))
    const file = join(stopped.repo.dir, 'link')
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(readlinkSync(file)).toBe('theirs')
    await stopped.close()
  })

  it('what the older strategy left beside a path goes only where it is git’s own', async () => {
    const sides = conflictSides.fileDirectory()
    for (const edited of [false, true]) {
      const repo = buildConflict(sides)
      repo.git('merge', '--abort')
      expect(repo.code('merge', '-s', 'recursive', 'infra/pg17')).toBe(1)
      if (edited) repo.write('thing~HEAD', 'by hand\n')
      repo.write('thing~notes', 'a note of mine\n')
      const stopped = await openStopped(repo)
      const item = (await stopped.set())?.items[0]
      if (!item) throw new Error('no conflict')
      const drop =
        item.choices.find((one) => one.result.every((entry) => entry.path !== item.path)) ?? item.choices.at(-1)
      const given = { source: stopped.source, item: item.id, fingerprint: item.fingerprint, overDisk: null }
      const outcome = await stopped.ask('conflicts.resolve', {
        ...given,
        draft: await draftOf(stopped, item, 'ours', drop?.id),
      })
      if (edited && !outcome.resolved) expect(outcome.refusal.refusal).toBe('edited-on-disk')
      else expect(outcome.resolved).toBe(true)
      expect(existsSync(join(repo.dir, 'thing~HEAD'))).toBe(edited)
      expect(repo.read('thing~notes').toString()).toBe('a note of mine\n')
      await stopped.close()
    }
  })

  it('a resolution that rerere wrote is git’s own and may be replaced', async () => {
    for (const state of ['written', 'recorded'] as const) {
      const stopped = await openStopped(buildRerere(state))
      const item = await stopped.item('notes.md')
      await resolveItem(stopped, item, await draftOf(stopped, item, 'theirs'))
      expect(stopped.repo.git('ls-files', '-u')).toBe('')
      stopped.repo.git('commit', '-q', '--no-edit')
      expectSound(stopped.repo)
      await stopped.close()
    }
  })
})
