import { createHash } from 'node:crypto'
import type { SampleMemory } from './sampleData.ts'

/** A memory of the sample with its stamps. */
export interface StampedMemory extends SampleMemory {
  readonly created: string
  readonly updated: string
  readonly confidence?: number
  readonly archived?: string
  readonly supersededBy?: string
}

const text = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const attribute = (value: string) => text(value).replaceAll('"', '&quot;')

function articleHash(memory: StampedMemory): string {
  const blocks = [[memory.claim, memory.rest].filter(Boolean).join(' '), ...(memory.body ?? [])]
  if (memory.pre !== undefined) blocks.push(memory.pre)
  return `sha256:${createHash('sha256').update(blocks.join(' ')).digest('hex')}`
}

/** Metas in the order of the store's format; absent ones are undefined. */
function metas(memory: StampedMemory): (readonly [string, string | undefined])[] {
  return [
    ['type', memory.type],
    ['status', memory.archived ? 'archived' : 'active'],
    ['created', memory.created],
    ['updated', memory.updated],
    ['confidence', memory.confidence?.toFixed(3)],
    ['importance', memory.importance?.toString()],
    ['content-hash', articleHash(memory)],
    ['author', memory.author],
    ['session', memory.session],
    ['archived', memory.archived],
    ['superseded-by', memory.supersededBy],
    ...(memory.entities ?? []).map((entity) => ['entity', entity] as const),
    ...(memory.tags ?? []).map((tag) => ['tag', tag] as const),
  ]
}

const page = (head: readonly string[], article: readonly string[]) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${head.join('\n')}
</head>
<body>
<article>
${article.join('\n')}
</article>
</body>
</html>
`

/** A memory as a file of the store. */
export function memoryFile(memory: StampedMemory): string {
  const head = [`<title>${text(memory.title)}</title>`]
  for (const [name, value] of metas(memory))
    if (value !== undefined) head.push(`<meta name="memhtml-${name}" content="${attribute(value)}">`)
  for (const [rel, href] of memory.links ?? []) head.push(`<link rel="memhtml-${rel}" href="${attribute(href)}">`)
  const article = [`<p><mark>${text(memory.claim)}</mark>${memory.rest ? ` ${text(memory.rest)}` : ''}</p>`]
  for (const paragraph of memory.body ?? []) article.push(`<p>${text(paragraph)}</p>`)
  if (memory.pre !== undefined) article.push(`<pre>${text(memory.pre)}</pre>`)
  return page(head, article)
}

/** The generated lists of all memories: `index.html` in every folder, and `sitemap.xml`. */
export function listFiles(memories: ReadonlyMap<string, StampedMemory>): Map<string, string> {
  const files = new Map<string, string>()
  const paths = [...memories.keys()].sort()
  const folders = new Set([''])
  for (const path of paths) {
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length; depth++) folders.add(parts.slice(0, depth).join('/'))
  }
  for (const folder of folders) {
    const inside = folder === '' ? '' : `${folder}/`
    const directly = (path: string) => path.startsWith(inside) && !path.slice(inside.length).includes('/')
    const children = [...folders].filter((other) => other !== '' && directly(other)).sort()
    const rows = children.map((child) => `<li><a href="/${child}/index.html">${child.slice(inside.length)}/</a></li>`)
    const held = paths.filter(directly)
    for (const path of held) {
      const memory = memories.get(path) as StampedMemory
      rows.push(
        `<li><a href="/${path}">${text(memory.title)}</a> <code>${memory.type}</code> — ${text(memory.claim)}</li>`,
      )
    }
    const name = folder === '' ? 'Harbor notes' : folder
    const count = `${held.length} ${held.length === 1 ? 'memory' : 'memories'}`
    const article = [`<p><mark>${name}: ${count}.</mark> This list is generated.</p>`, '<ul>', ...rows, '</ul>']
    files.set(`${inside}index.html`, page([`<title>${name}</title>`], article))
  }
  const urls = paths.map((path) => `  <url><loc>/${path}</loc><lastmod>${memories.get(path)?.updated}</lastmod></url>`)
  files.set(
    'sitemap.xml',
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`,
  )
  return files
}

export interface ReportRow {
  readonly phase: string
  readonly counts: Readonly<Record<string, number>>
}

/** A run's report. */
export function reportFile(run: string, rows: readonly ReportRow[]): string {
  const cells = rows.map(
    ({ phase, counts }) =>
      `<tr><td><code>${phase}</code></td><td>${Object.entries(counts)
        .map(([name, value]) => `${name}=${value}`)
        .join(' ')}</td></tr>`,
  )
  return page(
    [`<title>Sleep run ${run}</title>`],
    [
      `<p><mark>${run}: ${rows.length} phases committed, 0 failed.</mark></p>`,
      '<table>',
      '<thead><tr><th>Phase</th><th>Counts</th></tr></thead>',
      `<tbody>\n${cells.join('\n')}\n</tbody>`,
      '</table>',
    ],
  )
}
