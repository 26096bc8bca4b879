const KNOWN: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" }

/** Text with its character references resolved; null where one is not among the few that a store writes. */
export function decodeReferences(text: string): string | null {
  if (!text.includes('&')) return text
  let known = true
  const out = text.replaceAll(/&([A-Za-z0-9#]*;?)/g, (whole, name: string) => {
    const found = name.endsWith(';') && Object.hasOwn(KNOWN, name.slice(0, -1)) ? KNOWN[name.slice(0, -1)] : undefined
    if (found === undefined) known = false
    return found ?? whole
  })
  return known ? out : null
}
