import { isBranchName } from '../git/branchName.ts'

const MAX_STARS = 8

/**
 * Why a pattern cannot name sleep branches, in words; null where it can. `*` stands for anything but a slash, `**` for
 * anything, `?` for one character; the rest is literal, so it must be something that a branch can be called.
 */
export function problemWithPattern(pattern: string): string | null {
  if (!pattern.includes('*')) return 'it must hold a *, as in sleep/*'
  if (pattern.length > 255) return 'it is over 255 characters long'
  if (pattern.includes('***')) return 'three * in a row mean nothing'
  // Each star multiplies the time that a long name can take.
  if (pattern.split(/\*+/).length - 1 > MAX_STARS) return `it holds more than ${MAX_STARS} *`
  if (!isBranchName(pattern.replace(/\*+|\?/g, 'x'))) return 'no branch can have such a name'
  return null
}
