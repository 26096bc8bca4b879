import { archivedMemory, type MemorySpec, memoryHtml } from './memory.ts'
import { phaseCommit, RUN } from './night.ts'
import { addCommits, buildRepo, type TestRepo } from './repo.ts'
import { createStoreDbs } from './storeDb.ts'
import type { CommitSpec, Entry } from './stream.ts'

export interface LargeSpec {
  /** Memories on main; default 20,000. */
  readonly files?: number
  /** Changed files of the night, an archive pair counting as one; default 2,000, in 17 commits. */
  readonly changed?: number
  /** The night in the pack too; default: its objects are loose, as on the morning after. */
  readonly packed?: boolean
}

/** The phases of the night's commits, in order; decay, the widest, has several. */
const PHASES = ['dedup-merge', 'entity-resolution', 'person-links', 'edge-typing']
const DECAYS = 9
const LAST = ['retention-triage', 'trace-consolidation', 'placement-triage', 'reprieve'] as const
const AT = '2026-11-30T00:00:00Z'
const WORDS = 'pool cache retry queue shard index quota lease token probe batch fence'.split(' ')

function memoryAt(number: number): MemorySpec {
  const word = (shift: number) => WORDS[(number * 7 + shift * 5) % WORDS.length] ?? ''
  const sentence = (shift: number) =>
    `The ${word(shift)} of ${word(shift + 1)} ${number + shift} waits for the ${word(shift + 2)}.`
  return {
    title: `Note ${number}`,
    claim: `The ${word(0)} limit of ${word(1)} ${number} is ${40 + (number % 60)}.`,
    body: [sentence(1), sentence(2), sentence(3)],
    entities: [`service:${word(1)}-${number % 40}`],
    tags: [word(0)],
  }
}

const pathAt = (number: number) =>
  `resources/${WORDS[number % WORDS.length]}/${Math.floor(number / 240)}/note-${number}.html`

/**
 * A store of a size that hurts: by default 20,000 memories and a night of 2,000 changed files in 17 commits, of which
 * 85 in 100 change only their metadata, the others their claim, their place, or are new.
 */
export function buildLargeStore(dir?: string, spec: LargeSpec = {}): TestRepo {
  const { files = 20_000, changed = 2000, packed = false } = spec
  const main: Record<string, Entry> = {
    '.memhtml/sleep/.gitkeep': '',
    '.gitignore': '.memhtml/*.db\n.memhtml/*.db-*\n',
  }
  for (let number = 0; number < files; number++) main[pathAt(number)] = memoryHtml(memoryAt(number))
  const step = Math.floor(files / changed)
  const touched = Array.from({ length: changed }, (_, at) => at * step)
  const buckets = new Map<string, Record<string, Entry>>()
  const put = (bucket: string, path: string, entry: Entry) => {
    const held = buckets.get(bucket) ?? {}
    buckets.set(bucket, held)
    held[path] = entry
  }
  touched.forEach((number, at) => {
    const memory: MemorySpec = { ...memoryAt(number), updated: AT }
    const path = pathAt(number)
    const share = at % 100
    if (share < 85) put(`decay-${at % DECAYS}`, path, memoryHtml({ ...memory, metas: { confidence: '0.920' } }))
    else if (share < 90) put('dedup-merge', path, memoryHtml({ ...memory, claim: `${memory.claim} It was measured.` }))
    else if (share < 92) put('entity-resolution', path, memoryHtml({ ...memory, entities: ['service:one'] }))
    else if (share < 94)
      put('edge-typing', path, memoryHtml({ ...memory, links: [['supports', `/${pathAt(number + 1)}`]] }))
    else if (share < 96) put('person-links', path.replace('note-', 'person-'), memoryHtml({ ...memory, created: AT }))
    else if (share < 98) {
      put('retention-triage', path, null)
      put('retention-triage', `archive/2026/${path}`, memoryHtml(archivedMemory(memory, AT)))
    } else if (share < 99) {
      put('placement-triage', path, null)
      put('placement-triage', path.replace('resources/', 'areas/'), memoryHtml(memoryAt(number)))
    } else
      put(at % 200 < 100 ? 'trace-consolidation' : 'reprieve', path, memoryHtml({ ...memory, body: ['Rewritten.'] }))
  })
  const named = (phase: string, bucket = phase) =>
    phaseCommit(phase, `${phase} of a large night`, buckets.get(bucket) ?? {})
  const night: CommitSpec[] = [
    ...PHASES.map((phase) => named(phase)),
    ...Array.from({ length: DECAYS }, (_, at) => named('confidence-decay', `decay-${at}`)),
    named(LAST[0]),
    named(LAST[3]),
    named(LAST[1]),
    named(LAST[2]),
  ]
  const repo = buildRepo(dir, { commits: [{ message: 'memhtml(write): all notes', files: main }] })
  addCommits(repo, night)
  if (packed) repo.git('repack', '-q', '-a', '-d')
  createStoreDbs(repo.dir, {
    headSha: repo.oid('main'),
    runs: [{ runId: RUN, baseSha: repo.oid('main'), headSha: repo.oid(RUN), status: 'review' }],
  })
  return repo
}
