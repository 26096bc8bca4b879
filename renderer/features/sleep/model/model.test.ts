import { describe, expect, it } from 'vitest'
import type { Change } from '../../../../shared/model/review.ts'
import { NO_FILTER } from '../../../state/session.ts'
import { fileReview, files } from '../../../testing/night.ts'
import { sizeText } from '../../../ui/size.ts'
import { changeName, fieldValues, linesText, subjectWords, viewFor } from './changes.ts'
import { filterFiles, NO_PHASE, phasesOf } from './filter.ts'
import { markText } from './marks.ts'

const paths = (list: readonly { path: string }[]) => list.map((f) => f.path)

describe('filterFiles', () => {
  it('narrows by path (old paths too), kind, phase and viewed', () => {
    const by = (f: Partial<typeof NO_FILTER>) => paths(filterFiles(files, { ...NO_FILTER, ...f }))
    expect(filterFiles(files, NO_FILTER)).toBe(files)
    expect(by({ path: 'POOL' })).toEqual(['areas/infra/pool-ceiling.html', 'archive/2026/areas/infra/pool-limit.html'])
    expect(by({ path: 'areas/infra/pool-limit' })).toEqual(['archive/2026/areas/infra/pool-limit.html'])
    expect(by({ kind: 'generated' })).toEqual(['areas/index.html', 'index.html'])
    expect(by({ phase: 'confidence-decay' })).toEqual(['areas/a.html', 'areas/b.html'])
    expect(by({ phase: NO_PHASE })).toEqual(['areas/c.html'])
    expect(by({ viewed: 'yes' })).toEqual(['areas/index.html'])
    expect(by({ viewed: 'no' })).toHaveLength(7)
  })

  it('lists the phases that occur', () => {
    expect(phasesOf(files)).toEqual(['dedup-merge', 'confidence-decay'])
  })
})

it('leaves out what every subject of a store begins with', () => {
  expect(subjectWords('memhtml(sleep(report)): record run')).toBe('record run')
  expect(subjectWords('memhtml(write): a: b')).toBe('a: b')
  expect(subjectWords('fix: memhtml(x): y')).toBe('fix: memhtml(x): y')
})

describe('words for changes', () => {
  const lines = (oldStart: number, oldLines: number, newStart: number, newLines: number) =>
    linesText({ part: 'lines', key: '', viewed: false, oldStart, oldLines, newStart, newLines })

  it('says where a hunk is', () => {
    expect(lines(3, 1, 3, 1)).toBe('line 3')
    expect(lines(3, 2, 3, 4)).toBe('lines 3 to 4 became lines 3 to 6')
    expect(lines(3, 0, 4, 1)).toBe('line 4 added')
    expect(lines(3, 2, 2, 0)).toBe('lines 3 to 4 removed')
  })

  it('names blocks', () => {
    const body = (block: string): Change => ({ part: 'body', key: '', viewed: false, block, before: [], after: [] })
    expect(['p', 'li', 'h2', 'pre', 'aside'].map((b) => changeName(body(b)))).toEqual([
      'Paragraph',
      'List item',
      'Heading',
      'Code',
      'Body',
    ])
  })

  it('gives sizes', () => {
    expect([1, 999, 4200, 52_000, 10_485_760].map(sizeText)).toEqual([
      '1 byte',
      '999 bytes',
      '4.2 kB',
      '52 kB',
      '10 MB',
    ])
  })

  it('tells kept values of a field from those that came and went', () => {
    expect(fieldValues(['a', 'b'], ['b', 'c'])).toEqual({
      before: [
        { text: 'a', op: 'removed' },
        { text: 'b', op: 'kept' },
      ],
      after: [
        { text: 'b', op: 'kept' },
        { text: 'c', op: 'added' },
      ],
    })
  })

  it('shows memories as text unless the person wants lines, and the rest as lines', () => {
    const [file] = files
    if (!file) return expect.unreachable()
    const memory = fileReview(file, { memory: [{ part: 'fields', key: 'k', viewed: false, fields: [] }] })
    expect(viewFor(memory, 'text', 'inline')).toBe('text')
    expect(viewFor(memory, 'side', 'inline')).toBe('side')
    expect(viewFor(fileReview(file), 'text', 'inline')).toBe('inline')
  })
})

describe('markText', () => {
  it('says each kind of mark in words', () => {
    const at = '2026-11-30T03:00:00Z'
    expect(markText({ kind: 'edge-promoted', srcPath: 'a/x.html', rel: 'leads_to', dstPath: 'b/y.html', at })).toBe(
      'link confirmed: x.html leads to y.html',
    )
    expect(
      markText({ kind: 'entity-promoted', entityType: 'person', aliasName: 'San', canonicalName: 'Sanju', at }),
    ).toBe('person “San” is from now on “Sanju”')
    expect(markText({ kind: 'malformed', line: 3, text: '{', why: 'not JSON' })).toBe('line 3 cannot be read: not JSON')
  })
})
