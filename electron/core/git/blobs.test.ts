import { describe, expect, it } from 'vitest'
import { buildRepo } from '../../../e2e/support/index.ts'
import { bulkRead } from './blobs.ts'
import { createGit } from './process.ts'

const big = Buffer.alloc(3_000_000, 'abcdefgh\n')
const files: Record<string, Buffer> = {
  empty: Buffer.alloc(0),
  'new\nline': Buffer.from('odd name'),
  zeros: Buffer.from([0, 10, 0, 10]),
  big,
  last: Buffer.from('end'),
}
for (let n = 0; n < 300; n++) files[`many/${n}`] = Buffer.alloc(n * 37, `${n}\n`)

describe('bulkRead', () => {
  it('gives every object in the order asked, byte for byte', async () => {
    const repo = buildRepo(undefined, { commits: [{ message: 'x', files }], bare: true })
    const paths = Object.keys(files)
    const blobs = bulkRead(
      createGit({ cwd: repo.dir, env: process.env }),
      paths.map((path) => `main:${path}`),
      10_000_000,
    )
    for (const path of paths) expect((await blobs.next())?.bytes.equals(files[path] as Buffer), path).toBe(true)
    blobs.close()
  })

  it('cuts what is above the limit to its start, and says how large it is', async () => {
    const repo = buildRepo(undefined, { commits: [{ message: 'x', files }], bare: true })
    const blobs = bulkRead(createGit({ cwd: repo.dir, env: process.env }), ['main:big', 'main:last'], 100_000)
    const cut = await blobs.next()
    expect([cut?.size, cut?.bytes.length]).toEqual([3_000_000, 65_536])
    expect(cut?.bytes.equals(big.subarray(0, 65_536))).toBe(true)
    expect((await blobs.next())?.bytes.toString()).toBe('end')
    blobs.close()
  })

  it('gives null for what is not there, also for names with line ends, and goes on', async () => {
    const repo = buildRepo(undefined, { commits: [{ message: 'x', files }], bare: true })
    const names = ['main:nothing', 'main:no\nsuch\nfile', '1'.repeat(40), 'main:last']
    const blobs = bulkRead(createGit({ cwd: repo.dir, env: process.env }), names, 1000)
    expect([await blobs.next(), await blobs.next(), await blobs.next()]).toEqual([null, null, null])
    expect((await blobs.next())?.bytes.toString()).toBe('end')
    blobs.close()
  })

  it('fails by name where git cannot run', async () => {
    const blobs = bulkRead(createGit({ cwd: '/', env: process.env }), ['main:x'], 1000)
    await expect(async () => blobs.next()).rejects.toMatchObject({
      code: 'ERR_REPOSITORY_DAMAGED',
      data: { missing: 'main:x' },
    })
    blobs.close()
  })
})
