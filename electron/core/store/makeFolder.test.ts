import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../e2e/support/temp.ts'
import { makeFolder } from './makeFolder.ts'

test('a folder is made with those above it, and may be there', () => {
  const folder = join(tempDir(), 'a/b/c')
  makeFolder(folder, 0o700)
  makeFolder(folder)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('what stands in its place is an error: a file, or a link that leads nowhere', () => {
  const parent = tempDir()
  writeFileSync(join(parent, 'file'), '')
  symlinkSync(join(parent, 'gone'), join(parent, 'link'))
  expect(() => makeFolder(join(parent, 'file/x'))).toThrow('ENOTDIR')
  for (const path of ['link', 'link/x', 'link/x/y']) expect(() => makeFolder(join(parent, path))).toThrow('ENOENT')
  expect(existsSync(join(parent, 'gone'))).toBe(false)
})
