/**
 * The phases of a sleep run, in the order in which they run. One table: what each is called, and which paths its
 * commits may touch. A trailer alone proves nothing; a commit that names a phase and touches anything else is foreign.
 */

/** Classes of paths that a phase may touch. */
export type PathClass =
  /** A memory: an HTML file in a folder of the store, lists and the store's own folder excepted. */
  | 'memory'
  /** A list that is generated from the tree: `index.html`, `sitemap.xml`. */
  | 'generated-list'
  /** The ledger of this run. */
  | 'ledger'
  /** The report of this run. */
  | 'report'
  /** The committed copy of the access table. */
  | 'access-table'

export interface Phase {
  readonly name: string
  /** For people, e.g. "Fold duplicates". */
  readonly label: string
  /** Empty: the phase never commits. */
  readonly mayTouch: readonly PathClass[]
}

export const PHASES: readonly Phase[] = [
  { name: 'preflight', label: 'Check before the night', mayTouch: [] },
  { name: 'dedup-merge', label: 'Fold duplicates', mayTouch: ['memory'] },
  { name: 'entity-resolution', label: 'Settle names', mayTouch: ['memory', 'ledger'] },
  { name: 'person-links', label: 'Link people', mayTouch: ['memory'] },
  { name: 'relationship-mining', label: 'Find relations', mayTouch: [] },
  { name: 'edge-typing', label: 'Type relations', mayTouch: ['memory', 'ledger'] },
  { name: 'confidence-decay', label: 'Decay confidence', mayTouch: ['memory'] },
  { name: 'arc-synthesis', label: 'Write arcs', mayTouch: ['memory'] },
  { name: 'retention-triage', label: 'Archive what fades', mayTouch: ['memory'] },
  { name: 'compress', label: 'Compress', mayTouch: ['memory'] },
  { name: 'reprieve', label: 'Reprieve what expired', mayTouch: ['memory'] },
  { name: 'trace-consolidation', label: 'Remember sessions', mayTouch: ['memory', 'ledger'] },
  { name: 'task-detection', label: 'Detect tasks', mayTouch: ['memory'] },
  { name: 'placement-triage', label: 'Place in folders', mayTouch: ['memory'] },
  { name: 'integrity', label: 'Mend links and lists', mayTouch: ['memory', 'generated-list'] },
  { name: 'state-export', label: 'Export the access table', mayTouch: ['access-table'] },
  { name: 'report', label: 'Write the report', mayTouch: ['report'] },
]

const ORDINALS: ReadonlyMap<string, number> = new Map(PHASES.map((phase, at) => [phase.name, at]))

/** Position of a phase in the run, 0-based; null for a name that is no phase. */
export const phaseOrdinal = (name: string): number | null => ORDINALS.get(name) ?? null

/** The phase of this name, null where there is none. */
export const phaseNamed = (name: string): Phase | null => PHASES[ORDINALS.get(name) ?? -1] ?? null

/** A phase's words for people; an unknown name is given back as it is. */
export const phaseLabel = (name: string): string => phaseNamed(name)?.label ?? name

/** Path of a run's ledger: `.memhtml/sleep/<run with / as ->.pending.jsonl`. */
export const ledgerPath = (run: string): string => `.memhtml/sleep/${run.replaceAll('/', '-')}.pending.jsonl`

/** Path of a run's report: `.memhtml/sleep/<run with / as ->.html`. */
export const reportPath = (run: string): string => `.memhtml/sleep/${run.replaceAll('/', '-')}.html`

/** Whether a path is one of the lists that sleep generates: `index.html` and `sitemap.xml`, in any folder. */
export function isGeneratedList(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name === 'index.html' || name === 'sitemap.xml'
}

/** Whether a path belongs to the store itself and not to its content: `.memhtml/**`. */
export const isStoreFile = (path: string): boolean => path.startsWith('.memhtml/')

/**
 * Whether a memory can be at this path: an `.html` file inside a folder, no hidden folder on the way, no generated
 * list. What is in the file decides the rest.
 */
export function isMemoryPath(path: string): boolean {
  return path.endsWith('.html') && path.includes('/') && !isGeneratedList(path) && !/(?:^|\/)\./.test(path)
}

/** The class of a path in the run `run`, null for a path that no phase may touch. */
export function pathClass(path: string, run: string): PathClass | null {
  if (path === ledgerPath(run)) return 'ledger'
  if (path === reportPath(run)) return 'report'
  if (path === '.memhtml/state/access.jsonl') return 'access-table'
  if (isStoreFile(path)) return null
  if (isGeneratedList(path)) return 'generated-list'
  return isMemoryPath(path) ? 'memory' : null
}

/** Whether the phase may touch the path in the run `run`. */
export function mayTouch(phase: Phase, path: string, run: string): boolean {
  const found = pathClass(path, run)
  return found !== null && phase.mayTouch.includes(found)
}
