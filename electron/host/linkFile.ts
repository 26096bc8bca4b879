import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** An address that the browser is sent to. */
export interface LinkAddress {
  /** Tells nobody a way in. */
  readonly address: string
  /** Puts away what was made for it, once the browser has been there. */
  remove(): void
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/**
 * Puts `url` into a page that only this user can read. Everyone on a machine can read the arguments of every process, so
 * an address that lets its bearer in is never one of them.
 */
export function writeLinkFile(url: string, parent: string = tmpdir()): LinkAddress {
  const folder = mkdtempSync(join(parent, 'daybreak-link-'))
  const file = join(folder, 'open.html')
  const to = escapeHtml(url)
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Daybreak</title>
<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${to}"></head>
<body><p><a href="${to}">Open Daybreak</a></p></body></html>
`
  writeFileSync(file, page, { mode: 0o600, flag: 'wx' })
  return { address: pathToFileURL(file).href, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
