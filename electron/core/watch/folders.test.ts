import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../e2e/support/index.ts'
import { createFolderWatchers } from './folders.ts'

describe('createFolderWatchers', () => {
  it('says so where a folder cannot be watched, but not for one that is not there', () => {
    const top = tempDir('watched')
    writeFileSync(join(top, 'file'), '')
    const list = [join(top, 'none')]
    const watchers = createFolderWatchers(
      () => list,
      () => {},
    )
    watchers.arm()
    expect([watchers.complete(), watchers.count()]).toEqual([true, 0])
    list.push(join(top, 'file', 'below'))
    watchers.arm()
    expect(watchers.complete()).toBe(false)
    watchers.close()
  })

  it('watches a folder that comes later and lets go of one that is not listed any more', () => {
    const top = tempDir('later')
    let list = [top, join(top, 'sub')]
    const watchers = createFolderWatchers(
      () => list,
      () => {},
    )
    watchers.arm()
    expect(watchers.count()).toBe(1)
    mkdirSync(join(top, 'sub'))
    watchers.arm()
    expect(watchers.count()).toBe(2)
    list = [join(top, 'sub')]
    watchers.arm()
    expect(watchers.count()).toBe(1)
    watchers.close()
    watchers.arm()
    expect(watchers.count()).toBe(0)
    rmSync(top, { recursive: true })
  })
})
