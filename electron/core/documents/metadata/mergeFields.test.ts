import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { merge } from '../../../../shared/merge/index.ts'
import { fieldsOfYaml, readFrontMatter, setField } from './frontMatter.ts'
import { mergeFields } from './mergeFields.ts'

const SEED = 20261201
console.log(`fast-check seed ${SEED}`)

const name = fc.constantFrom('title', 'status', 'tags', 'owner', 'count')
const value = fc.oneof(
  fc.constantFrom('a', 'b: c', '# no comment', 'yes', '', 'two\nlines\n'),
  fc.integer({ min: 0, max: 9 }),
  fc.boolean(),
  fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }),
)
const fields = fc.dictionary(name, value, { noNullPrototype: true, maxKeys: 5 })
const page = (of: Record<string, unknown>, flow: boolean) => {
  const yaml = Object.keys(of).length === 0 ? '' : stringify(of, { collectionStyle: flow ? 'any' : 'block' })
  return Buffer.from(yaml === '' ? 'Text.\n' : `---\n${yaml}---\nText.\n`)
}
const read = (bytes: Uint8Array) => {
  const found = readFrontMatter(Buffer.from(bytes).toString())
  return found === null ? {} : fieldsOfYaml(found.yaml)
}

describe('fields of three versions', () => {
  it('are merged one by one: what one side changed is taken, what both changed alike too', () => {
    fc.assert(
      fc.property(fields, fields, fields, fc.boolean(), (b, o, t, flow) => {
        // Ours without fields keeps theirs': that is tested apart.
        fc.pre(Object.keys(o).length > 0 && Object.keys(t).length > 0)
        const sides = mergeFields('a.md', { base: page(b, flow), ours: page(o, flow), theirs: page(t, flow) })
        const clash: string[] = []
        for (const key of new Set([...Object.keys(b), ...Object.keys(o), ...Object.keys(t)])) {
          const [was, mine, other] = [b[key], o[key], t[key]].map((one) => JSON.stringify(one ?? null))
          const merged = JSON.stringify(read(sides.ours)?.[key] ?? null)
          if (mine === was) expect(merged).toBe(other)
          else expect(merged).toBe(mine)
          if (mine !== was && other !== was && mine !== other) clash.push(key)
        }
        const { conflicts } = merge({ base: sides.base ?? Buffer.alloc(0), ours: sides.ours, theirs: sides.theirs })
        if (clash.length === 0) expect(conflicts).toEqual([])
        else expect(conflicts.length).toBeGreaterThan(0)
      }),
      { seed: SEED },
    )
  })

  it.each([
    ['a list in brackets', 'tags: [a, b]', 'tags: [a, b, c]'],
    ['quotes', 'title: "One"', 'title: "One: two"'],
    ['a comment', 'status: open # by hand', 'status: done # by hand'],
    ['a block of text', 'about: |\n  One\n  two', 'about: |\n  One\n  three'],
  ])('keep the way that a side writes them: %s', (_, before, after) => {
    const of = (line: string, owner: string) => Buffer.from(`---\n${line}\nowner: ${owner}\n---\nText.\n`)
    const sides = mergeFields('a.md', { base: of(before, 'x'), ours: of(after, 'x'), theirs: of(before, 'y') })
    expect(sides.ours.toString()).toBe(of(after, 'y').toString())
  })

  it('that cannot be read are lines like others', () => {
    const of = (owner: string) => Buffer.from(`---\ntitle: *Important*\nowner: ${owner}\n---\nText.\n`)
    const sides = { base: of('x'), ours: of('y'), theirs: of('z') }
    expect(mergeFields('a.md', sides)).toEqual(sides)
  })

  it('are written anew where a side’s own way leads to another field', () => {
    expect(setField('a: 1\n', 'b', [1], 'x: &list [1]\nb: *list\n')).toBe('a: 1\nb:\n  - 1\n')
  })
})
