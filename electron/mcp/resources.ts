import type { CandidateRow, FetchedDocument } from '../../shared/model/index.ts'
import { candidateText, fetchText } from '../core/documents/texts.ts'
import type { ToolContext } from './tools.ts'

const DOCUMENT = 'daybreak://document/'
const CANDIDATE = 'daybreak://candidate/'

export const TEMPLATES = [
  { uriTemplate: `${DOCUMENT}{+path}`, name: 'document', description: 'A document of trunk; /vN for a version.' },
  { uriTemplate: `${CANDIDATE}{id}`, name: 'candidate', description: 'A merge candidate.' },
]

export const documentUri = (path: string): string => DOCUMENT + path.split('/').map(encodeURIComponent).join('/')
export const candidateUri = (id: string): string => CANDIDATE + id

const PAGE = 500

/** One page of documents, and on the first one the open candidates. */
export async function listResources(context: ToolContext, cursor: string | null) {
  const { repoId } = context
  const [page, candidates] = await Promise.all([
    context.call('documents.list', { repoId, recursive: true, cursor, limit: PAGE }),
    cursor === null ? context.call('candidates.list', { repoId }) : ([] as CandidateRow[]),
  ])
  const resources = [
    ...candidates.map((row) => ({
      uri: candidateUri(row.id),
      name: `candidate for ${row.path}`,
      mimeType: 'text/plain',
    })),
    ...page.entries.map(({ path }) => ({ uri: documentUri(path), name: path, mimeType: mimeOf(path) })),
  ]
  return page.nextCursor === null ? { resources } : { resources, nextCursor: page.nextCursor }
}

/** A document's bytes, or a candidate in its text form. Null for a URI of neither. */
export async function readResource(context: ToolContext, uri: string) {
  const { repoId } = context
  if (uri.startsWith(CANDIDATE)) {
    const found = await context.call('candidates.show', { repoId, candidate: uri.slice(CANDIDATE.length) })
    return { contents: [{ uri, mimeType: 'text/plain', text: candidateText(found) }] }
  }
  if (!uri.startsWith(DOCUMENT)) return null
  const path = uri.slice(DOCUMENT.length).split('/').map(decodeURIComponent).join('/')
  const found = await context.call('documents.fetch', { repoId, path })
  return { contents: [contentOf(uri, found)] }
}

function contentOf(uri: string, found: FetchedDocument) {
  if (found.status === 'archived') return { uri, mimeType: 'text/plain', text: fetchText(found) }
  const mimeType = mimeOf(found.path)
  return found.encoding === 'base64' ? { uri, mimeType, blob: found.body } : { uri, mimeType, text: found.body }
}

function mimeOf(path: string): string {
  if (/\.html?$/i.test(path)) return 'text/html'
  return /\.(?:md|markdown)$/i.test(path) ? 'text/markdown' : 'text/plain'
}
