import type { Mark } from '../../../../shared/model/review.ts'

const name = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** A pending mark in words. */
export function markText(mark: Mark): string {
  switch (mark.kind) {
    case 'session-consolidated':
      return `session ${mark.sessionId} counts as consolidated`
    case 'edge-promoted':
      return `link confirmed: ${name(mark.srcPath)} ${mark.rel.replaceAll('_', ' ')} ${name(mark.dstPath)}`
    case 'entity-promoted':
      return `${mark.entityType} “${mark.aliasName}” is from now on “${mark.canonicalName}”`
    case 'commitment-below-floor':
      return `noted only, confidence ${mark.confidence}: “${mark.statement}”`
    case 'malformed':
      return `line ${mark.line} cannot be read: ${mark.why}`
  }
}

/** Everything a mark holds, for its tooltip. */
export function markDetail(mark: Mark): string {
  switch (mark.kind) {
    case 'edge-promoted':
      return `${mark.srcPath} ${mark.rel} ${mark.dstPath}, ${mark.at}`
    case 'malformed':
      return mark.text
    default:
      return `${markText(mark)}, ${mark.at}`
  }
}

/** Whether two marks are the same line of the ledger. */
export const sameMark = (a: Mark, b: Mark): boolean => JSON.stringify(a) === JSON.stringify(b)
