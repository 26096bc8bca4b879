/** A text as a regular expression that matches it literally. */
export const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
