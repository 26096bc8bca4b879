import { createHash } from 'node:crypto'

/** A memory in the store's format. Texts are plain; what HTML needs is escaped here. */
export interface MemorySpec {
  readonly title: string
  readonly claim: string
  /** Text after the claim in its paragraph. */
  readonly rest?: string
  /** More paragraphs. */
  readonly body?: readonly string[]
  /** A `<pre>` block at the end, taken verbatim. */
  readonly pre?: string
  readonly type?: string
  readonly status?: 'active' | 'archived'
  readonly created?: string
  readonly updated?: string
  /** More scalar metas by name without `memhtml-`: confidence, importance, author, session, archived, superseded-by … */
  readonly metas?: Readonly<Record<string, string>>
  readonly entities?: readonly string[]
  readonly tags?: readonly string[]
  /** Relation as in the head (`contradicts`, `about-person`) → root-absolute target. */
  readonly links?: readonly (readonly [rel: string, href: string])[]
}

/** Scalar metas in the order in which they are written. */
const SCALARS = [
  'type',
  'status',
  'created',
  'updated',
  'confidence',
  'importance',
  'content-hash',
  'author',
  'session',
  'prompt',
  'turn',
  'valid-from',
  'valid-until',
  'reprieves',
  'archived',
  'superseded-by',
  'needs-revision',
  'task-status',
  'due',
]

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const attribute = (text: string) => escapeText(text).replaceAll('"', '&quot;')
const collapse = (text: string) => text.replaceAll(/[ \t\n\f\r]+/g, ' ').trim()

/** The article's content hash: whitespace runs are one space, block edges count as one, `<pre>` is verbatim. */
export function contentHash(memory: MemorySpec): string {
  const first = collapse(`${memory.claim} ${memory.rest ?? ''}`)
  const blocks = [first, ...(memory.body ?? []).map(collapse)].join(' ')
  const text = memory.pre === undefined ? blocks : `${blocks} ${memory.pre}`
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}

/** The whole file. */
export function memoryHtml(memory: MemorySpec): string {
  const created = memory.created ?? '2026-11-23T09:00:00Z'
  const scalars: Record<string, string> = {
    type: memory.type ?? 'semantic',
    status: memory.status ?? 'active',
    created,
    updated: memory.updated ?? created,
    'content-hash': contentHash(memory),
    ...memory.metas,
  }
  const meta = (name: string, content: string) => `<meta name="memhtml-${name}" content="${attribute(content)}">`
  const head = [
    '<meta charset="utf-8">',
    `<title>${escapeText(memory.title)}</title>`,
    ...SCALARS.filter((name) => scalars[name] !== undefined).map((name) => meta(name, scalars[name] ?? '')),
    ...(memory.entities ?? []).map((entity) => meta('entity', entity)),
    ...(memory.tags ?? []).map((tag) => meta('tag', tag)),
    ...(memory.links ?? []).map(([rel, href]) => `<link rel="memhtml-${rel}" href="${attribute(href)}">`),
  ]
  const rest = memory.rest ? ` ${escapeText(memory.rest)}` : ''
  const blocks = [`<p><mark>${escapeText(memory.claim)}</mark>${rest}</p>`]
  for (const paragraph of memory.body ?? []) blocks.push(`<p>${escapeText(paragraph)}</p>`)
  if (memory.pre !== undefined) blocks.push(`<pre>${escapeText(memory.pre)}</pre>`)
  return `<!doctype html>
<html lang="en">
<head>
${head.join('\n')}
</head>
<body>
<article>
${blocks.join('\n')}
</article>
</body>
</html>
`
}

/** The archived form of a memory: same article, stamps in the head. */
export function archivedMemory(memory: MemorySpec, at: string, supersededBy?: string): MemorySpec {
  return {
    ...memory,
    status: 'archived',
    updated: at,
    metas: { ...memory.metas, archived: at, ...(supersededBy ? { 'superseded-by': supersededBy } : {}) },
  }
}

/** The generated lists of a tree of memories: an `index.html` per folder and `sitemap.xml`. */
export function generatedLists(memories: Readonly<Record<string, MemorySpec>>): Record<string, string> {
  const files: Record<string, string> = {}
  const folders = new Map<string, { files: string[]; folders: Set<string> }>()
  const folder = (path: string) => {
    const found = folders.get(path) ?? { files: [], folders: new Set<string>() }
    folders.set(path, found)
    return found
  }
  for (const path of Object.keys(memories).sort()) {
    const parts = path.split('/')
    folder(parts.slice(0, -1).join('/')).files.push(path)
    for (let depth = 1; depth < parts.length; depth++)
      folder(parts.slice(0, depth - 1).join('/')).folders.add(parts.slice(0, depth).join('/'))
  }
  for (const [path, held] of folders) {
    const rows = [
      ...[...held.folders]
        .sort()
        .map((name) => `<li><a href="/${name}/index.html">${name.split('/').at(-1)}/</a></li>`),
      ...held.files.map((name) => {
        const memory = memories[name] as MemorySpec
        return `<li><a href="/${name}">${escapeText(memory.title)}</a> <code>${memory.type ?? 'semantic'}</code> — ${escapeText(memory.claim)}</li>`
      }),
    ]
    files[path === '' ? 'index.html' : `${path}/index.html`] = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${path === '' ? 'Memory' : path}</title>
</head>
<body>
<article>
<p><mark>${path === '' ? 'Memory' : path} lists ${held.files.length} memories.</mark> This list is generated.</p>
<ul>
${rows.join('\n')}
</ul>
</article>
</body>
</html>
`
  }
  const urls = Object.entries(memories)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([path, m]) =>
        `  <url>\n    <loc>/${path}</loc>\n    <lastmod>${m.updated ?? m.created ?? '2026-11-23T09:00:00Z'}</lastmod>\n  </url>`,
    )
  files['sitemap.xml'] =
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
  return files
}
