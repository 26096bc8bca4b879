import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { isBranchName } from './branchName.ts'

const NAMES = [
  ...['main', 'sleep/2026-01-01', 'sleep/x-2', 'a.b', 'a@b', 'é/日本', 'x.locked', '{', 'a/-b', '@x', 'feature/@'],
  ...['', '@', 'HEAD', '-x', '/x', 'x/', 'a//b', '.x', 'a/.b', 'x.', 'x.lock', 'a.lock/b', 'a..b', 'a@{b', 'sleep/x\n'],
  ...[' x', 'a b', 'a~1', 'a^', 'a:b', 'a?b', 'a*b', 'a[b', 'a\\b', 'a\tb', 'a\x7fb', '../x', 'sleep/../x'],
]

test('a branch name is what git takes for one', () => {
  const git = (name: string) => {
    try {
      execFileSync('git', ['check-ref-format', '--branch', name], { stdio: 'ignore', cwd: '/' })
      return true
    } catch {
      return false
    }
  }
  expect(NAMES.map((name) => [name, isBranchName(name)])).toEqual(NAMES.map((name) => [name, git(name)]))
})
