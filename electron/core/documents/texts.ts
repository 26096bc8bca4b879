import type {
  Candidate,
  CandidateRow,
  DocumentList,
  DocumentVersions,
  FetchedDocument,
  LookupHit,
  LossReport,
  PublishedDocument,
  PublishOutcome,
} from '../../../shared/model/index.ts'

/** `key: value` lines; those without a value are left out. */
const lines = (fields: readonly (readonly [key: string, value: string | number | boolean | null])[]): string =>
  fields.flatMap(([key, value]) => (value === null ? [] : [`${key}: ${value}`])).join('\n')

const withBody = (head: string, body: string): string => `${head}\n\n${body}`

/** The text form of a publish: `key: value` lines, for a candidate followed by a blank line and its body. */
export function publishText(outcome: PublishOutcome): string {
  switch (outcome.status) {
    case 'ok':
      return publishedText(outcome)
    case 'conflict':
      return lines([
        ['status', 'conflict'],
        ['server-version', outcome.serverVersion],
        ['your-version', outcome.yourVersion],
      ])
    case 'merge-candidate':
      return candidateText(outcome.candidate)
  }
}

export function publishedText(done: PublishedDocument): string {
  const head = lines([
    ['status', 'ok'],
    ['version', done.version],
    ['modified', done.modified],
    ['content-hash', done.contentHash],
  ])
  const lost = done.loss.map((row) => `lost (${row.side}, line ${row.line + 1}): ${row.text}`)
  const more = [...done.notes, ...lost]
  return more.length === 0 ? head : withBody(head, more.join('\n'))
}

/** The text form of a candidate, keys in this order. */
export function candidateText(candidate: Candidate): string {
  const head = lines([
    ['status', 'merge-candidate'],
    ['your-version', candidate.yourVersion],
    ['current-version', candidate.currentVersion],
    ['publish-at-version', candidate.publishAtVersion],
    ['has-markers', candidate.hasMarkers],
    ['base-version', candidate.baseVersion],
  ])
  return withBody(head, candidate.body)
}

export function fetchText(found: FetchedDocument): string {
  const head = lines([
    ['status', found.status],
    ['version', found.version],
    ['current-version', found.current === found.version ? null : found.current],
    ['modified', found.modified],
    ['content-hash', found.contentHash],
    ['author', found.actor ?? found.author],
    ['encoding', found.encoding === 'utf-8' ? null : found.encoding],
  ])
  return found.status === 'archived' ? head : withBody(head, found.body)
}

export function listText({ entries, nextCursor }: DocumentList): string {
  const rows = entries.map(({ path, kind }) => (kind === 'folder' ? `${path}/` : path))
  return [...rows, ...(nextCursor === null ? [] : [`next-cursor: ${nextCursor}`])].join('\n') || 'nothing here'
}

export function versionsText({ versions, current, archived }: DocumentVersions): string {
  const rows = versions.map((one) => {
    const notes = [one.oid === null ? 'archived' : null, one.rewritten ? 'not on trunk any more' : null].filter(Boolean)
    const more = notes.length === 0 ? '' : ` (${notes.join(', ')})`
    return `v${one.version} ${one.at} ${one.actor ?? one.author}: ${one.subject}${more}`
  })
  return [
    lines([
      ['current', current],
      ['archived', archived || null],
    ]),
    '',
    ...rows,
  ].join('\n')
}

export const lookupText = (hits: readonly LookupHit[]): string =>
  hits.length === 0
    ? 'nothing found'
    : hits.map(({ path, title, snippet }) => `${path}: ${title}\n  ${snippet}`).join('\n')

/** Each report with its lines, by the number that restores them. */
export const lossesText = (reports: readonly LossReport[]): string =>
  reports.length === 0
    ? 'no line is lost'
    : reports
        .flatMap(({ candidate, path, version, by, lines: lost }) => [
          `${candidate} ${path}${version === null ? '' : ` v${version}`} by ${by}`,
          ...lost.map((one) => `  ${one.index} (${one.side}, line ${one.line + 1}): ${one.text}`),
        ])
        .join('\n')

/** One line for each candidate. */
export const candidatesText = (rows: readonly CandidateRow[]): string =>
  rows.length === 0 ? 'no candidate waits' : rows.map(candidateLine).join('\n')

export function candidateLine(row: CandidateRow): string {
  const state =
    row.state === 'person' && row.escalated ? 'escalated' : row.state === 'agent' ? 'with the agent' : row.state
  const stale = row.stale ? ', stale' : ''
  return `${row.id} ${row.path}: ${row.ours.name} against ${row.theirs.name}, ${row.conflicts} of ${row.hunks} hunks in conflict, ${state}${stale}`
}
