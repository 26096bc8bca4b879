import { LOCAL, REMOTE, type RefSnapshot, shortName } from '../git/refs.ts'

/** A ref whose name says that a sleep run wrote it. */
export interface SleepRef {
  readonly ref: string
  /** Short name; a remote-tracking one starts with its remote. */
  readonly branch: string
  readonly remote: string | null
  /** The branch's name without its remote: the run's id. */
  readonly run: string
  readonly tip: string
}

/** A pattern of branch names as a regular expression: `*` is anything but a slash, `**` anything, `?` one character. */
function branchPattern(pattern: string): RegExp {
  const source = pattern.replace(/\*\*|\*|\?|[\\^$.|+()[\]{}]/g, (token) => {
    if (token === '**') return '.*'
    if (token === '*') return '[^/]*'
    if (token === '?') return '[^/]'
    return `\\${token}`
  })
  return new RegExp(`^${source}$`)
}

/**
 * The sleep branches among all refs, trunk left out. A remote-tracking branch is left out where a local one of the
 * same name is at the same commit: it is the same night.
 */
export function findSleepRefs(snapshot: RefSnapshot, pattern: string, trunk: string): SleepRef[] {
  const matches = branchPattern(pattern)
  const found: SleepRef[] = []
  for (const [ref, tip] of snapshot.refs) {
    const branch = shortName(ref)
    if (ref.startsWith(LOCAL)) {
      if (branch !== trunk && matches.test(branch)) found.push({ ref, branch, remote: null, run: branch, tip })
      continue
    }
    if (!ref.startsWith(REMOTE)) continue
    const cut = remoteCut(branch, matches)
    if (cut === -1) continue
    const run = branch.slice(cut + 1)
    if (run === trunk || snapshot.refs.get(LOCAL + run) === tip) continue
    found.push({ ref, branch, remote: branch.slice(0, cut), run, tip })
  }
  return found
}

/** Where the remote's name ends: the first slash after which the rest is a sleep branch; -1 where there is none. */
function remoteCut(branch: string, matches: RegExp): number {
  for (let cut = branch.indexOf('/'); cut !== -1; cut = branch.indexOf('/', cut + 1))
    if (matches.test(branch.slice(cut + 1))) return cut
  return -1
}
