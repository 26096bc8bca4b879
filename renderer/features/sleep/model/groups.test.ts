import { describe, expect, it } from 'vitest'
import { fileChange, files } from '../../../testing/night.ts'
import { alikeOf, groupsOf, openFor, orderOf, rowOfFile, rowsOf, shortNames } from './groups.ts'

const outline = (open: Record<string, boolean>) =>
  rowsOf(groupsOf(files), open).map((r) =>
    r.type === 'kind'
      ? `${r.group.name} ${r.left}`
      : r.type === 'alike'
        ? `  ${r.alike.label} x${r.left}`
        : `    ${r.file.path}`,
  )

describe('rowsOf', () => {
  it('puts kinds with decisions first and open, and shuts metadata to one line for each set that is alike', () => {
    expect(outline({})).toEqual([
      'Claim changed 1',
      '    areas/infra/pool-ceiling.html',
      'Created 1',
      '    areas/infra/failover-drill.html',
      'Archived 1',
      '    archive/2026/areas/infra/pool-limit.html',
      'Metadata only 3',
      '  confidence only x2',
      '  tag and updated x1',
      'Generated 1',
    ])
  })

  it('opens what the person opened', () => {
    expect(outline({ 'claim-changed': false, 'metadata-only': true, generated: true }).slice(-8)).toEqual([
      '  confidence only x2',
      '    areas/a.html',
      '    areas/b.html',
      '    areas/c.html',
      'Generated 1',
      '  index.html x1',
      '    areas/index.html',
      '    index.html',
    ])
  })

  it('shows files in open groups and open sets only, also where one kind is filtered', () => {
    const metadata = groupsOf(files.filter((f) => f.kind === 'metadata-only'))
    const shown = (open: Record<string, boolean>) =>
      rowsOf(metadata, open).map((r) => (r.type === 'file' ? r.file.path : `${r.id} ${r.open}`))
    // The only kind is open: its one line files show, a set is shut until it is opened.
    expect(shown({})).toEqual(['metadata-only true', 'metadata-only/confidence only false', 'areas/c.html'])
    expect(shown({ 'metadata-only': false })).toEqual([
      'metadata-only false',
      'metadata-only/confidence only false',
      'metadata-only/tag and updated false',
    ])
    expect(shown({ 'metadata-only': false, 'metadata-only/tag and updated': true }).at(-1)).toBe('areas/c.html')
  })

  it('takes the first file that is not viewed as the exemplar', () => {
    const some = files.map((f) => (f.path === 'areas/a.html' ? { ...f, viewed: 'yes' as const } : f))
    const row = rowsOf(groupsOf(some), {}).find((r) => r.type === 'alike')
    expect(row?.type === 'alike' && row.exemplar.path).toBe('areas/b.html')
  })
})

describe('finding files', () => {
  const groups = groupsOf(files)

  it('walks all files of all kinds, also those in shut groups', () => {
    expect(orderOf(groups)).toHaveLength(files.length)
    expect(orderOf(groups).at(-1)?.kind).toBe('generated')
  })

  it('shows a file by its own row or by that of its shut set', () => {
    const rows = rowsOf(groups, {})
    expect(rows[rowOfFile(rows, 'areas/b.html')]?.type).toBe('alike')
    expect(rows[rowOfFile(rows, 'areas/c.html')]?.id).toBe('metadata-only/tag and updated')
    expect(rowOfFile(rows, 'index.html')).toBe(-1)
    const open = rowsOf(groups, openFor(groups, 'index.html'))
    expect(rowOfFile(open, 'index.html')).toBeGreaterThan(0)
  })

  it('knows which files are alike', () => {
    expect(alikeOf(groups, 'areas/a.html')?.files.map((f) => f.path)).toEqual(['areas/a.html', 'areas/b.html'])
    expect(alikeOf(groups, 'areas/c.html')).toBeNull()
  })
})

describe('shortNames', () => {
  it('leaves out the ending and adds folders only where names are the same', () => {
    const names = shortNames([
      fileChange('a/x/index.html', 'created'),
      fileChange('b/x/index.html', 'created'),
      fileChange('index.html', 'created'),
      fileChange('areas/pool.html', 'created'),
      fileChange('src/pool.ts', 'created', { format: 'text' }),
      fileChange('.html', 'created'),
    ])
    expect(Object.fromEntries(names)).toEqual({
      'a/x/index.html': 'a/x/index',
      'b/x/index.html': 'b/x/index',
      'index.html': 'index',
      'areas/pool.html': 'pool',
      'src/pool.ts': 'pool.ts',
      '.html': '.html',
    })
  })

  it('ends where paths differ in nothing that is shown', () => {
    const names = shortNames([fileChange('a.htm', 'created'), fileChange('a.html', 'created')])
    expect([...names.values()]).toEqual(['a', 'a'])
  })
})
