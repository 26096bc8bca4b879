import { usageError } from '../usage.ts'
import type { Verb } from '../verb.ts'

/**
 * For `--help` only: called as a verb should be, `merge-file` has arguments, output and exit codes of its own and does
 * not come this way.
 */
export const verb: Verb = {
  options: {},
  words: 3,
  help: [
    'Also: [-q] [--ours | --theirs | --union] [--marker-size=N] [-L LABEL]… [--object-id].',
    'Without -p the result is written to OURS. The exit code is the number of conflicts, at most 127; 255 is a failure.',
    '--json prints the hunks, what a clean result lost and what may be wrong about it; --repro adds the three texts.',
    "As a merge driver: git config merge.daybreak.driver 'daybreak merge-file --marker-size=%L %A %O %B'",
  ],
  async run() {
    const usage = 'daybreak merge-file OURS BASE THEIRS'
    throw usageError('`merge-file` comes first, its options after it.', usage, usage)
  },
}
