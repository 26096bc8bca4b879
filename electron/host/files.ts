import { readdirSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'

/** One file of the built page. */
export interface PageFile {
  /** Absolute. */
  readonly file: string
  readonly type: string
  /** Its name holds a hash of its content, so it may be kept for ever. */
  readonly immutable: boolean
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * Every file that a host may hand out, by URL path (`/assets/x.js`; `/` is index.html). A request is looked up here and
 * never joined to a folder, so there is nothing to traverse and nothing to list. Source maps stay out.
 */
export function pageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, file).split(sep).join('/')}`
    files.set(path, { file, type, immutable: /^\/assets\/.+-[\w-]{8}\.\w+$/.test(path) })
  }
  const index = files.get('/index.html')
  if (index) files.set('/', index)
  return files
}
