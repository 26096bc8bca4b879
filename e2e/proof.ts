import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { RUN, type TestRepo } from './support/index.ts'

/** The repository is sound and its working tree is what HEAD says, but for the paths named. */
export function expectSound(repo: TestRepo, local: readonly string[] = []): void {
  repo.fsck()
  const changed = repo
    .status()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ').at(-1) ?? '')
  expect(changed.sort()).toEqual([...local].sort())
}

/** main is at the night's tip, the branch is gone and its tip is kept. */
export function expectApproved(repo: TestRepo, tip: string): void {
  expect(repo.oid('main')).toBe(tip)
  expect(repo.refs()).not.toHaveProperty([`refs/heads/${RUN}`])
  expect(repo.git('for-each-ref', '--format=%(objectname)', 'refs/daybreak/kept')).toContain(tip)
}

/** The bytes of a file on disk are those of a revision. */
export function expectOnDisk(repo: TestRepo, path: string, revision: string): void {
  expect(readFileSync(repo.file(path)).equals(repo.show(revision, path)), path).toBe(true)
}
