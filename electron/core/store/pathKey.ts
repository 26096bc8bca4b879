/**
 * A path as SQLite can hold it, each as a text of its own: one that is no Unicode, or that could be taken for such a
 * form, is kept as JSON.
 */
export const pathKey = (path: string): string =>
  path.isWellFormed() && !path.startsWith('"') ? path : JSON.stringify(path)

/** The path that `pathKey` made this of. */
export const pathOfKey = (key: string): string => (key.startsWith('"') ? String(JSON.parse(key)) : key)
