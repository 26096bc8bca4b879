import { describe, expect, it } from 'vitest'
import { encodeText, showText } from '../bytes/text.ts'
import { chunksOf } from './chunks.ts'
import { cleanBytes, type Decision, decidedBytes } from './decide.ts'
import { hunksOf } from './hunks.ts'
import { type Merge, type MergeOptions, merge } from './merge.ts'
import { type MarkerOptions, markedText } from './render.ts'
import { offsetOf } from './side.ts'
import { refine } from './tokens.ts'
import { warmUp } from './warmUp.ts'

const run = (base: string, ours: string, theirs: string, options?: MergeOptions): Merge =>
  merge({ base: encodeText(base), ours: encodeText(ours), theirs: encodeText(theirs) }, options)
const marked = (merged: Merge, options?: MarkerOptions) => showText(markedText(merged, options).bytes)
const decide = (merged: Merge, ...decisions: Decision[]) => showText(decidedBytes(merged, decisions).bytes)
/** `{O|T}` stands for a conflict between markers. */
const plain = (text: string) => text.replace(/<{7} ours\r?\n([\s\S]*?)={7}\r?\n([\s\S]*?)>{7} theirs\r?\n/g, '{$1|$2}')
const many = (word: string) => Array.from({ length: 1500 }, (_, i) => `${word} ${i}\n`).join('')

describe('cases of document stores', () => {
  // Name, base, ours, theirs, merged.
  const cases: readonly [string, string, string, string, string][] = [
    ['all same', 'p\nq\n', 'p\nq\n', 'p\nq\n', 'p\nq\n'],
    ['only ours changed', 'p\nq\nr\n', 'p\nQ\nr\n', 'p\nq\nr\n', 'p\nQ\nr\n'],
    ['only theirs changed', 'p\nq\nr\n', 'p\nq\nr\n', 'p\nQ\nr\n', 'p\nQ\nr\n'],
    ['both made the same edit', 'p\nq\nr\n', 'p\nQ\nr\n', 'p\nQ\nr\n', 'p\nQ\nr\n'],
    ['edits of two paragraphs', 'u\n\nv\n\nw\n', 'U\n\nv\n\nw\n', 'u\n\nv\n\nW\n', 'U\n\nv\n\nW\n'],
    ['one line, two texts', 'p\nq\nr\n', 'p\nQ\nr\n', 'p\nZ\nr\n', 'p\n{Q\n|Z\n}r\n'],
    ['ours inserted', 'p\nr\n', 'p\nq\nr\n', 'p\nr\n', 'p\nq\nr\n'],
    ['ours appended, theirs prepended', 'm\nn\n', 'm\nn\nend\n', 'top\nm\nn\n', 'top\nm\nn\nend\n'],
    ['ours deleted', 'p\nq\nr\n', 'p\nr\n', 'p\nq\nr\n', 'p\nr\n'],
    ['created by both, the same', '', 'n\n', 'n\n', 'n\n'],
    ['created by both, different', '', 'o\n', 't\n', '{o\n|t\n}'],
    ['all empty', '', '', '', ''],
    ['ours emptied the document', 'p\nq\n', '', 'p\nq\n', ''],
    ['no newline at the end', 'p\nq\nr', 'p\nQ\nr', 'p\nZ\nr', 'p\n{Q\n|Z\n}r'],
    ['edits with one line between', 'p\nq\nr\ns\n', 'p\nQ\nr\ns\n', 'p\nq\nr\nS\n', 'p\nQ\nr\nS\n'],
    ['newline at the end against an edit of that line', 'x\np', 'x\np\n', 'x\nP', 'x\n{p\n|P\n}'],
    ['newline at the end against an edit elsewhere', 'x\nm\np', 'x\nm\np\n', 'y\nm\np', 'y\nm\np\n'],
    // The line that both kept is not said twice, as it is where the whole chunk is shown.
    ['appended by both after a line without newline', 'x', 'x\no', 'x\nt', 'x\n{o\n|t\n}'],
    ['deleted against edited', 'x\np\ny\n', 'x\ny\n', 'x\nP\ny\n', 'x\n{|P\n}y\n'],
    ['emptied against edited', 'x\np\n', '', 'x\nP\n', '{|x\nP\n}'],
    ['two cells of one table row', '| a | b |\n', '| A | b |\n', '| a | B |\n', '{| A | b |\n|| a | B |\n}'],
    // Upstream makes one block of each document; a common beginning is no conflict.
    ['created by both with a common beginning', '', '# T\na\n', '# T\nb\n', '# T\n{a\n|b\n}'],
    ['both inserted, the first line being the same', 'p\n', 'k\no\np\n', 'k\nt\np\n', 'k\n{o\n|t\n}p\n'],
  ]
  for (const [name, base, ours, theirs, expected] of cases) {
    it(name, () => {
      const merged = run(base, ours, theirs)
      expect(plain(marked(merged))).toBe(expected)
      expect(merged.conflicts.length > 0).toBe(expected.includes('{'))
      const clean = cleanBytes(merged)
      expect(clean === null ? null : showText(clean)).toBe(expected.includes('{') ? null : expected)
    })
  }

  it('writes no marker into a clean result', () => {
    const merged = run('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n')
    expect(marked(merged)).not.toMatch(/[<=>]{7}/)
    expect(marked(run('Title\n=======\n', 'Title\n=======\nx\n', 'Title\n=======\n'))).toBe('Title\n=======\nx\n')
  })

  it('merges long documents line by line, where upstream gives up', () => {
    const base = many('line')
    expect(marked(run(base, base, base))).toBe(base)
    const merged = run(base, base.replace('line 3\n', 'ours\n'), base.replace('line 1400\n', 'theirs\n'))
    expect(merged.exact).toBe(true)
    expect(marked(merged)).toBe(base.replace('line 3\n', 'ours\n').replace('line 1400\n', 'theirs\n'))
    expect(run(base, many('ours'), many('theirs')).conflicts).toHaveLength(1)
  })

  it('makes one conflict of two files whose line endings and text changed', () => {
    expect(run('a\nb\n', 'a\r\nb\r\n', 'a\nB\n').conflicts).toHaveLength(1)
  })
})

describe('edits that touch', () => {
  const cases: readonly [string, string, string, string, boolean, string][] = [
    ['lines k and k + 1', 'a\nk\nl\nz\n', 'a\nK\nl\nz\n', 'a\nk\nL\nz\n', true, 'a\nK\nL\nz\n'],
    ['an insertion right after an edit', 'a\nk\nz\n', 'a\nK\nz\n', 'a\nk\nnew\nz\n', true, 'a\nK\nnew\nz\n'],
    ['a deletion and an edit after it', 'a\nk\nl\nz\n', 'a\nl\nz\n', 'a\nk\nL\nz\n', true, 'a\nL\nz\n'],
    ['an insertion right before an edit', 'a\nk\nz\n', 'a\nnew\nk\nz\n', 'a\nK\nz\n', true, ''],
    ['a newline at the end and an edit of the line before', 'x\np', 'x\np\n', 'y\np', true, 'y\np\n'],
    ['a line between them', 'a\nk\nm\nl\nz\n', 'a\nK\nm\nl\nz\n', 'a\nk\nm\nL\nz\n', false, 'a\nK\nm\nL\nz\n'],
  ]
  for (const [name, base, ours, theirs, conflict, clean] of cases) {
    it(`${name}: ${conflict ? 'in conflict by default' : 'always clean'}`, () => {
      expect(run(base, ours, theirs).conflicts).toHaveLength(conflict ? 1 : 0)
      const lenient = run(base, ours, theirs, { touching: 'clean' })
      if (clean === '') expect(lenient.conflicts).toHaveLength(1)
      else expect(showText(cleanBytes(lenient) as Uint8Array)).toBe(clean)
    })
  }
})

describe('marked text', () => {
  const merged = run('top\nq\nend\n', 'top\nsame\nQ\nend\n', 'top\nsame\nZ\nend\n')

  it('is written in three styles', () => {
    expect(marked(merged)).toBe('top\nsame\n<<<<<<< ours\nQ\n=======\nZ\n>>>>>>> theirs\nend\n')
    expect(marked(merged, { style: 'diff3' })).toBe(
      'top\n<<<<<<< ours\nsame\nQ\n||||||| base\nq\n=======\nsame\nZ\n>>>>>>> theirs\nend\n',
    )
    expect(marked(merged, { style: 'zdiff3' })).toBe(
      'top\nsame\n<<<<<<< ours\nQ\n||||||| base\nq\n=======\nZ\n>>>>>>> theirs\nend\n',
    )
  })

  it('takes labels and a marker size', () => {
    expect(marked(merged, { markerSize: 9, labels: { ours: 'main', theirs: '' } })).toBe(
      'top\nsame\n<<<<<<<<< main\nQ\n=========\nZ\n>>>>>>>>>\nend\n',
    )
  })

  it('ends markers as the lines around them end', () => {
    const crlf = run('1\r\n2\r\n3', '1\r\n2\r\n4', '1\r\n2\r\n5')
    expect(marked(crlf)).toBe('1\r\n2\r\n<<<<<<< ours\r\n4\r\n=======\r\n5\r\n>>>>>>> theirs\r\n')
  })

  it('puts a missing last newline in only within a conflict, for all eight combinations', () => {
    for (let bits = 0; bits < 8; bits++) {
      const end = (bit: number) => ((bits >> bit) & 1 ? '\n' : '')
      const merge3 = run(`l1\nl2${end(0)}`, `l1\no2${end(1)}`, `l1\nt2${end(2)}`)
      expect(marked(merge3)).toBe('l1\n<<<<<<< ours\no2\n=======\nt2\n>>>>>>> theirs\n')
      expect(decide(merge3, { take: 'ours' })).toBe(`l1\no2${end(1)}`)
      expect(decide(merge3, { take: 'theirs' })).toBe(`l1\nt2${end(2)}`)
      expect(decide(merge3, { take: 'base' })).toBe(`l1\nl2${end(0)}`)
    }
  })

  it('shows both headings where markers look like text', () => {
    const setext = run('x\n', 'Roadmap\n=======\ntheirs\n', 'Summary\n=======\nours\n')
    expect(decide(setext, { take: 'theirs' })).toBe('Summary\n=======\nours\n')
    expect(chunksOf(setext, 'diff3')).toHaveLength(1)
  })
})

describe('decisions', () => {
  const base = 'a\nf() {\n}\nz\n'
  const both = run('a\nz\n', 'a\nf() {\n}\nz\n', 'a\ng() {\n}\nz\n')

  it('keep the closing lines of each side', () => {
    expect(decide(both, { take: 'ours-then-theirs' })).toBe('a\nf() {\n}\ng() {\n}\nz\n')
    expect(decide(both, { take: 'theirs-then-ours' })).toBe('a\ng() {\n}\nf() {\n}\nz\n')
    expect(decide(both, { take: 'ours' })).toBe(base)
    expect(decide(both, { take: 'base' })).toBe('a\nz\n')
    expect(decide(both, { take: 'text', text: encodeText('mine\n') })).toBe('a\nmine\nz\n')
  })

  it('put a newline between two sides where the first has none', () => {
    expect(decide(run('x\r\ny', 'x\r\no', 'x\r\nt'), { take: 'ours-then-theirs' })).toBe('x\r\no\r\nt')
    expect(decide(run('x\ny', 'x\n', 'x\nt'), { take: 'ours-then-theirs' })).toBe('x\nt')
  })

  it('must be as many as the conflicts', () => {
    expect(() => decidedBytes(both, [])).toThrow(RangeError)
  })

  it('leave bytes alone that are no text', () => {
    const bytes = (...list: number[]) => Uint8Array.from(list)
    const odd = [0xef, 0xbb, 0xbf, 0xff, 0, 13, 10]
    const input = {
      base: bytes(...odd, 97, 10, 0xe4, 10, 98),
      ours: bytes(...odd, 65, 10, 0xe4, 10, 98),
      theirs: bytes(...odd, 97, 10, 0xe4, 10, 98, 13, 10),
    }
    expect(cleanBytes(merge(input))).toEqual(bytes(...odd, 65, 10, 0xe4, 10, 98, 13, 10))
  })
})

describe('hunks', () => {
  it('hold lines, texts and context', () => {
    const hunks = hunksOf(run('a\nb\nc\nd\ne\nf\n', 'a\nB\nc\nd\ne\nf\n', 'a\nX\nc\nd\nE\nf\n'), { context: 1 })
    expect(hunks).toEqual([
      {
        index: 0,
        kind: 'conflict',
        base: { firstLine: 2, lines: 1, text: 'b\n' },
        ours: { firstLine: 2, lines: 1, text: 'B\n' },
        theirs: { firstLine: 2, lines: 1, text: 'X\n' },
        before: { text: 'a\n' },
        after: { text: 'c\n' },
        simple: false,
      },
      {
        index: 1,
        kind: 'theirs',
        base: { firstLine: 5, lines: 1, text: 'e\n' },
        ours: { firstLine: 5, lines: 1, text: 'e\n' },
        theirs: { firstLine: 5, lines: 1, text: 'E\n' },
        before: { text: 'd\n' },
        after: { text: 'f\n' },
      },
    ])
  })

  it('give bytes that are no UTF-8 as base64', () => {
    const merged = merge({ base: Uint8Array.of(97), ours: Uint8Array.of(0xff), theirs: Uint8Array.of(97) })
    expect(hunksOf(merged)[0]?.ours).toEqual({ firstLine: 1, lines: 1, base64: '/w==' })
  })
})

describe('shared end', () => {
  it('is looked at as far as an edit slides', () => {
    const run500 = 'x\n'.repeat(500)
    const texts = [`a\n${run500}z\n`, `a\n${run500.slice(2)}z\n`, `b\n${run500}z\n`] as const
    const merged = run(...texts)
    // The deleted line is the last of the run, far after the first 64 lines of what all three end with.
    expect(merged.regions.map((r) => [r.kind, r.base.start, r.base.end])).toEqual([
      ['theirs', 0, 1],
      ['unchanged', 1, 500],
      ['ours', 500, 501],
      ['unchanged', 501, 502],
    ])
    expect(run(...texts, { trim: false }).regions).toEqual(merged.regions)
  })
})

describe('offsetOf', () => {
  it('finds every line, also those that all three share', () => {
    const lines = Array.from({ length: 400 }, (_, i) => (i % 7 === 0 ? '' : `line ${i}`))
    for (const end of ['', '\n']) {
      const text = lines.join('\n') + end
      const merged = run(text, text.replace('line 100\n', 'x\n'), text.replace('line 120\n', 'y\ny\n'))
      expect(merged.base.starts.length).toBeLessThan(120)
      let at = 0
      for (let line = 0; line <= lines.length; line++) {
        expect(offsetOf(merged.base, line)).toBe(Math.min(at, text.length))
        at += (lines[line] ?? '').length + 1
      }
    }
  })
})

describe('warm-up', () => {
  it('goes step by step', () => {
    const work = warmUp()
    expect(work.next().done).toBe(false)
    expect(work.next().done).toBe(false)
  })
})

describe('refinement', () => {
  const look = (base: string, ours: string, theirs: string) => {
    const merged = run(base, ours, theirs)
    const found = refine(merged, merged.conflicts[0] as Merge['conflicts'][number])
    return { ...found, combined: found.combined === null ? null : showText(found.combined) }
  }

  it('combines edits of different words', () => {
    const found = look('the quick brown fox\n', 'the slow brown fox\n', 'the quick brown dog\n')
    expect(found).toMatchObject({ simple: true, combined: 'the slow brown dog\n', gap: 3, exact: true })
    expect(look('| a | b |\n', '| A | b |\n', '| a | B |\n').combined).toBe('| A | B |\n')
    expect(look('größe 1 äß\n', 'Größe 1 äß\n', 'größe 1 ÄSS\n').combined).toBe('Größe 1 ÄSS\n')
  })

  it('is not simple where edits overlap or touch', () => {
    expect(look('a b\n', 'x b\n', 'y b\n')).toMatchObject({ simple: false, combined: null, gap: 0 })
    expect(look('f(a)\n', 'f(b)\n', 'f[a]\n').simple).toBe(false)
  })

  it('gives ranges that cover the three texts', () => {
    const { regions } = look('one two three\n', 'one 2 three\n', 'one two 3\n')
    expect(regions.map((r) => r.kind)).toEqual(['unchanged', 'ours', 'unchanged', 'theirs', 'unchanged'])
    expect(regions.at(-1)?.base.end).toBe('one two three\n'.length)
  })
})
