const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

const decode = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (whole, hex: string, dec: string, name: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
    const code = Number.parseInt(hex ?? dec, hex === undefined ? 10 : 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

export interface ReportLine {
  /** Its place among the lines. */
  readonly at: number
  readonly kind: 'head' | 'text' | 'row'
  /** The cells of a table row, else the one text. */
  readonly cells: readonly string[]
}

const clean = (text: string) =>
  decode(text.replace(/<[^>]*>/g, ''))
    .replace(/\s+/g, ' ')
    .trim()

/**
 * A run's report as lines of text: headings, paragraphs, list items and table rows. It is read as text and shown as text;
 * what is no block of it falls together into paragraphs.
 */
export function reportText(html: string): ReportLine[] {
  const body = html
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<(head|script|style)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<!doctype[^>]*>/gi, '')
  const lines: ReportLine[] = []
  const put = (kind: ReportLine['kind'], cells: string[]) => {
    if (cells.some((cell) => cell !== '')) lines.push({ at: lines.length, kind, cells })
  }
  const blocks = /<tr\b[^>]*>([\s\S]*?)<\/tr\s*>|<(h[1-6]|p|li|pre|dt|dd)\b[^>]*>([\s\S]*?)<\/\2\s*>/gi
  let from = 0
  for (const found of body.matchAll(blocks)) {
    put('text', [clean(body.slice(from, found.index))])
    from = found.index + found[0].length
    if (found[1] !== undefined)
      put(
        'row',
        [...found[1].matchAll(/<t[dh]\b[^>]*>([\s\S]*?)<\/t[dh]\s*>/gi)].map((cell) => clean(cell[1] ?? '')),
      )
    else put(found[2]?.toLowerCase().startsWith('h') ? 'head' : 'text', [clean(found[3] ?? '')])
  }
  put('text', [clean(body.slice(from))])
  return lines
}
