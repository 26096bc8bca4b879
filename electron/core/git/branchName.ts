// Control characters, space, and what git gives a meaning of its own.
const isForbidden = (char: string) => char <= ' ' || char === '\x7f' || '~^:?*[\\'.includes(char)

/** Whether git lets a branch bear this name: the rules of `git check-ref-format --branch`, with nothing expanded. */
export function isBranchName(name: string): boolean {
  if (name === '' || name === 'HEAD' || name.startsWith('-') || name.endsWith('.')) return false
  if (name.includes('..') || name.includes('@{') || [...name].some(isForbidden)) return false
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}
