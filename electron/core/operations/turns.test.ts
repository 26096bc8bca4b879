import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../e2e/support/index.ts'
import { ownMark } from './processes.ts'
import { dropLeftTickets, inTurn } from './turns.ts'

const ticket = (dataDir: string, name: string, owner: unknown) => {
  mkdirSync(join(dataDir, 'turns'), { recursive: true })
  writeFileSync(join(dataDir, 'turns', name), JSON.stringify(owner))
}
const gone = { pid: ownMark().pid, started: 'another start' }

describe('turns', () => {
  it('are taken in the order of asking and leave nothing', async () => {
    const dataDir = tempDir('turns')
    const order: number[] = []
    let open: () => void = () => {}
    const first = inTurn({ dataDir }, () => new Promise<void>((resolve) => (open = resolve)))
    await Promise.resolve()
    const others = [1, 2, 3].map((at) => inTurn({ dataDir }, async () => void order.push(at)))
    expect(order).toEqual([])
    open()
    await Promise.all([first, ...others])
    expect(order).toEqual([1, 2, 3])
    expect(readdirSync(join(dataDir, 'turns'))).toEqual([])
  })

  it('do not wait for a process that is gone', async () => {
    const dataDir = tempDir('turns')
    ticket(dataDir, '000000000000001-1-0', gone)
    ticket(dataDir, '000000000000002-1-0.new', '')
    expect(await inTurn({ dataDir }, async () => 'done')).toBe('done')
    expect(readdirSync(join(dataDir, 'turns'))).toEqual([])
  })

  it('are cleaned of those that were left, and only of those', () => {
    const dataDir = tempDir('turns')
    ticket(dataDir, '000000000000001-1-0', gone)
    ticket(dataDir, '000000000000002-1-0', ownMark())
    dropLeftTickets({ dataDir })
    expect(readdirSync(join(dataDir, 'turns'))).toEqual(['000000000000002-1-0'])
  })

  it('are a courtesy: where no ticket can be written the work is done all the same', async () => {
    const dataDir = join(tempDir('turns'), 'file')
    writeFileSync(dataDir, '')
    expect(await inTurn({ dataDir }, async () => 'done')).toBe('done')
  })
})
