import { describe, expect, it } from 'vitest'
import { atOnce } from './atOnce.ts'

describe('atOnce', () => {
  it('never runs more than it may, keeps the order, and goes on after a failure', async () => {
    const limited = atOnce(2)
    let running = 0
    let most = 0
    const order: number[] = []
    const work = (n: number) => async () => {
      order.push(n)
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      if (n === 1) throw new Error('one')
      return n
    }
    const done = await Promise.allSettled([0, 1, 2, 3, 4].map((n) => limited(work(n))))
    expect(done.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
    expect(order).toEqual([0, 1, 2, 3, 4])
    expect(most).toBe(2)
    expect(await limited(work(9))).toBe(9)
  })
})
