import { describe, expect, it } from 'vitest'
import { encodeText } from '../bytes/text.ts'
import { type Decision, decidedBytes } from '../threeway/decide.ts'
import { merge } from '../threeway/merge.ts'
import { warningsOf } from './index.ts'

/** Each warning as its kind, what it is about, and its lines. */
function warn(base: string, ours: string, theirs: string, ...decisions: Decision[]): string[] {
  const merged = merge({ base: encodeText(base), ours: encodeText(ours), theirs: encodeText(theirs) })
  return warningsOf(merged, decidedBytes(merged, decisions)).map(({ kind, subject, lines }) =>
    [kind, ...(subject === undefined ? [] : [subject]), ...lines.map((l) => `${l.side}:${l.line} ${l.text}`)].join(
      ' | ',
    ),
  )
}

describe('added-twice', () => {
  it('tells a line that both added in different places', () => {
    expect(warn('# L\na\nb\nc\n', '# L\nnew\na\nb\nc\n', '# L\na\nb\nc\nnew\n')).toEqual([
      'added-twice | ours:1 new | theirs:4 new',
    ])
    const list = '- a one\n- b two\n- c three\n- d four\n'
    expect(warn(list, `- Call Ann.\n${list}`, `${list}* Call Ann.\n`)).toEqual([
      'added-twice | ours:0 - Call Ann. | theirs:4 * Call Ann.',
    ])
  })

  it('is silent where it is there once, or was there before', () => {
    expect(warn('a\nb\n', 'n\na\nb\n', 'n\na\nb\n')).toEqual([])
    expect(warn('new\na\nb\nc\n', 'new\nnew\na\nb\nc\n', 'new\na\nb\nc\nnew\n')).toEqual([])
  })

  it('is silent about short lines of code', () => {
    const code = 'a();\nb();\nc();\n'
    expect(warn(code, `  return null\n${code}`, `${code}  return null\n`)).toEqual([])
  })
})

describe('moved-and-edited', () => {
  const sides = ['1\n2\n3\n', '3\n1\n2\n', '1\n2\n3x\n'] as const

  it('tells a line that one moved and the other edited', () => {
    expect(warn(...sides, { take: 'theirs' })).toEqual(['moved-and-edited | base:2 3 | ours:0 3 | theirs:2 3x'])
    const swapped = [sides[0], sides[2], sides[1]] as const
    expect(warn(...swapped, { take: 'ours' })).toEqual(['moved-and-edited | base:2 3 | theirs:0 3 | ours:2 3x'])
  })

  it('is silent where the edit was not taken', () => {
    expect(warn(...sides, { take: 'ours' })).toEqual([])
  })
})

describe('same-list, same-table and same-section', () => {
  it('tells edits of neighbouring items', () => {
    expect(
      warn('- tea\n- rye\n- fig\n\nx\n', '- black tea\n- rye\n- fig\n\nx\n', '- tea\n- rye\n- dry fig\n\nx\n'),
    ).toEqual(['same-list | ours:0 - black tea | theirs:2 - dry fig'])
  })

  it('is silent about a list in order, and about items far apart', () => {
    const list = '- a\n- c\n- e\n- g\n'
    expect(warn(list, '- a\n- b\n- c\n- e\n- g\n', '- a\n- c\n- d\n- e\n- g\n')).toEqual([])
    const long = '- zeta\n- beta\n- alpha\n- nu\n- gamma\n'
    expect(warn(long, long.replace('zeta', 'Z'), long.replace('gamma', 'G'))).toEqual([])
  })

  it('tells edits of neighbouring rows', () => {
    const table = '| a | 1 |\n| b | 2 |\n| c | 3 |\n'
    expect(warn(table, table.replace('1', '9'), table.replace('3', '8'))).toEqual([
      'same-table | ours:0 | a | 9 | | theirs:2 | c | 8 |',
    ])
  })

  it('tells edits of one short section', () => {
    const text = '# A\n\nWe deploy on Monday.\n\nAnn is on call.\n\n# B\n'
    expect(warn(text, text.replace('on Monday', 'daily'), text.replace('Ann', 'Ben'))).toEqual([
      'same-section | ours:2 We deploy daily. | theirs:4 Ben is on call.',
    ])
    const two = '# A\n\nWe deploy on Monday.\n\n# B\n\nAnn is on call.\n'
    expect(warn(two, two.replace('on Monday', 'daily'), two.replace('Ann', 'Ben'))).toEqual([])
  })
})

describe('dangling', () => {
  const text = '# Backup\nfoo\n\n# B\nbar\n\n# C\nbaz\n'

  it('tells a removed heading that the other side refers to', () => {
    const without = text.replace('# Backup\nfoo\n\n', '')
    expect(warn(text, without, text.replace('baz', 'baz, see Backup'))).toEqual([
      'dangling | Backup | base:0 # Backup | theirs:7 baz, see Backup',
    ])
    expect(warn(text, text.replace('baz', '[how](#backup)'), without)).toEqual([
      'dangling | Backup | base:0 # Backup | ours:7 [how](#backup)',
    ])
  })

  it('tells a removed key', () => {
    const keys = 'cache_ttl: 60\nother: 1\nlast: 2\nmore: 3\n'
    expect(warn(keys, keys.replace('cache_ttl: 60\n', ''), `${keys}# twice cache_ttl\n`)).toEqual([
      'dangling | cache_ttl | base:0 cache_ttl: 60 | theirs:4 # twice cache_ttl',
    ])
  })

  it('is silent where nobody refers to it, or it is still there', () => {
    expect(warn(text, text.replace('# Backup\nfoo\n\n', ''), text.replace('baz', 'qux'))).toEqual([])
    const named = `${text}\nOld: Backup\n`
    expect(warn(named, named.replace('# Backup\nfoo\n\n', ''), named.replace('baz', 'see Backup'))).toEqual([])
  })
})

describe('stale', () => {
  const text = 'ttl 60s\n\nNotes\n\nThe cache lives long.\n'

  it('tells a replaced number that the other side still quotes', () => {
    expect(warn(text, text.replace('60s', '30s'), text.replace('long', '60s'))).toEqual([
      'stale | 60s | base:0 ttl 60s | theirs:4 The cache lives 60s.',
    ])
  })

  it('tells a replaced name', () => {
    const config = 'db=sqlite\n\nNotes\n\nend\n'
    expect(warn(config, config.replace('sqlite', 'postgres'), `${config}see: sqlite backup plan\n`)).toEqual([
      'stale | sqlite | base:0 db=sqlite | theirs:5 see: sqlite backup plan',
    ])
  })

  it('is silent where the old word stands elsewhere too', () => {
    const more = `${text}\nAlso 60s.\n`
    expect(warn(more, more.replace('ttl 60s', 'ttl 30s'), more.replace('long', '60s'))).toEqual([])
  })
})

describe('warnings', () => {
  it('are none where one side changed nothing', () => {
    expect(warn('a\n', 'a\nb\nb\n', 'a\n')).toEqual([])
  })
})
