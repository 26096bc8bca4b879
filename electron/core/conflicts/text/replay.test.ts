import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRepro, replay } from './replay.ts'

const folder = join(import.meta.dirname, 'fixtures')

/** A bug report put into the folder, as `Copy state as JSON` or `merge-file --repro` gave it, is a test. */
describe('a recorded merge gives today what it gave then', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  it('has some', () => expect(names.length).toBeGreaterThan(2))
  it.each(names)('%s', (name) => {
    const repro = readRepro(readFileSync(join(folder, name), 'utf8'))
    expect(replay(repro)).toEqual(repro)
  })

  it('is not what was recorded where the texts are others', () => {
    const [name = ''] = names
    const repro = readRepro(readFileSync(join(folder, name), 'utf8'))
    expect(replay({ ...repro, ours: { text: 'another\n' } })).not.toEqual(repro)
    expect(() => readRepro('{"repro":2}')).toThrow()
  })
})
