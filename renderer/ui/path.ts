const NAMES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * A path as it is shown: control characters and bytes that are no UTF-8 (carried as U+DC80 to U+DCFF) are written out, so
 * that two different paths never look the same.
 */
export const showPath = (path: string): string =>
  path.replace(/\p{Cc}|\p{Surrogate}/gu, (c) => {
    const known = NAMES[c]
    if (known !== undefined) return known
    const code = c.charCodeAt(0)
    return code >= 0xdc80 && code <= 0xdcff
      ? `\\x${(code - 0xdc00).toString(16)}`
      : `\\u${code.toString(16).padStart(4, '0')}`
  })
