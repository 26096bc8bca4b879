import { describe, expect, it } from 'vitest'
import { isMemoryPath, ledgerPath, mayTouch, PHASES, pathClass, phaseNamed, phaseOrdinal, reportPath } from './phase.ts'

const run = 'sleep/2026-11-30-2'
const phase = (name: string) => {
  const found = phaseNamed(name)
  if (!found) throw new Error(name)
  return found
}

describe('the table of phases', () => {
  it('holds every phase once, in order', () => {
    expect(PHASES.map((p) => p.name)).toEqual([
      'preflight',
      'dedup-merge',
      'entity-resolution',
      'person-links',
      'relationship-mining',
      'edge-typing',
      'confidence-decay',
      'arc-synthesis',
      'retention-triage',
      'compress',
      'reprieve',
      'trace-consolidation',
      'task-detection',
      'placement-triage',
      'integrity',
      'state-export',
      'report',
    ])
    expect(phaseOrdinal('preflight')).toBe(0)
    expect(phaseOrdinal('report')).toBe(PHASES.length - 1)
    expect(phaseOrdinal('constructor')).toBeNull()
  })

  it('names ledger and report after the run', () => {
    expect(ledgerPath(run)).toBe('.memhtml/sleep/sleep-2026-11-30-2.pending.jsonl')
    expect(reportPath(run)).toBe('.memhtml/sleep/sleep-2026-11-30-2.html')
  })

  it('tells memories from lists, store files and everything else', () => {
    expect(pathClass('areas/infra/pool.html', run)).toBe('memory')
    expect(pathClass('archive/2026/areas/infra/pool.html', run)).toBe('memory')
    expect(pathClass('areas/infra/index.html', run)).toBe('generated-list')
    expect(pathClass('sitemap.xml', run)).toBe('generated-list')
    expect(pathClass(ledgerPath(run), run)).toBe('ledger')
    expect(pathClass(ledgerPath('sleep/2026-11-29'), run)).toBeNull()
    expect(pathClass('.memhtml/state/access.jsonl', run)).toBe('access-table')
    expect(pathClass('README.html', run)).toBeNull()
    expect(pathClass('src/main.ts', run)).toBeNull()
    expect(isMemoryPath('.github/x.html')).toBe(false)
  })

  it('lets a phase touch its own paths only', () => {
    expect(mayTouch(phase('confidence-decay'), 'areas/a.html', run)).toBe(true)
    expect(mayTouch(phase('confidence-decay'), ledgerPath(run), run)).toBe(false)
    expect(mayTouch(phase('edge-typing'), ledgerPath(run), run)).toBe(true)
    expect(mayTouch(phase('integrity'), 'areas/index.html', run)).toBe(true)
    expect(mayTouch(phase('report'), reportPath(run), run)).toBe(true)
    expect(mayTouch(phase('report'), 'areas/a.html', run)).toBe(false)
    expect(mayTouch(phase('preflight'), 'areas/a.html', run)).toBe(false)
    expect(mayTouch(phase('relationship-mining'), 'areas/a.html', run)).toBe(false)
  })
})
