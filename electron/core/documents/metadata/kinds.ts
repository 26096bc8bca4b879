/** Whether a document may have front matter. */
export const isMarkdown = (path: string): boolean => /\.(?:md|markdown|mdx)$/i.test(path)

/** Whether a document may have metas of a memory. */
export const isMemory = (path: string): boolean => /\.html?$/i.test(path)
