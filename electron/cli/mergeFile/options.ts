import { parseArgs } from 'node:util'
import type { MarkerStyle } from '../../../shared/merge/threeway/chunks.ts'

/** What `merge-file` is called with. */
export interface MergeFileOptions {
  readonly ours: string
  readonly base: string
  readonly theirs: string
  /** Print the result and write no file. */
  readonly stdout: boolean
  readonly quiet: boolean
  /** Null: what the person's git is set to. */
  readonly style: MarkerStyle | null
  readonly favor: 'ours' | 'theirs' | 'union' | null
  readonly markerSize: number
  readonly labels: { readonly ours: string; readonly base: string; readonly theirs: string }
  /** The three names are of objects in the repository. */
  readonly objectId: boolean
  /** Print an envelope with the hunks. */
  readonly json: boolean
  /** In the envelope: all that is needed to run the same merge again. */
  readonly repro: boolean
}

export const USAGE =
  'usage: daybreak merge-file [-p | --stdout] [-q | --quiet] [--diff3 | --zdiff3] [--ours | --theirs | --union]\n' +
  '                           [--marker-size=<n>] [-L <ours-label> [-L <base-label> [-L <theirs-label>]]]\n' +
  '                           [--object-id] [--json] [--repro] <ours> <base> <theirs>'

/** The arguments cannot be used; the message says why. */
export class MergeFileUsage extends Error {}

/** Reads the arguments of `git merge-file`, and `--json` and `--repro`. Throws MergeFileUsage. */
export function readMergeFileOptions(argv: readonly string[]): MergeFileOptions {
  const { values, positionals } = parse(argv)
  const [ours, base, theirs] = positionals
  if (ours === undefined || base === undefined || theirs === undefined || positionals.length > 3)
    throw new MergeFileUsage('three files are needed: ours, base, theirs')
  const algorithm = values['diff-algorithm']
  if (algorithm !== undefined && !['myers', 'default', 'minimal'].includes(algorithm))
    throw new MergeFileUsage(`the diff algorithm ${algorithm} is not offered; there is myers`)
  const labels = values.label ?? []
  if (labels.length > 3) throw new MergeFileUsage('too many labels')
  return {
    ours,
    base,
    theirs,
    stdout: values.stdout === true,
    quiet: values.quiet === true,
    style: values.zdiff3 ? 'zdiff3' : values.diff3 ? 'diff3' : null,
    favor: values.union ? 'union' : values.theirs ? 'theirs' : values.ours ? 'ours' : null,
    markerSize: markerSize(values['marker-size']),
    labels: { ours: labels[0] ?? ours, base: labels[1] ?? base, theirs: labels[2] ?? theirs },
    objectId: values['object-id'] === true,
    json: values.json === true || values.repro === true,
    repro: values.repro === true,
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      strict: true,
      allowPositionals: true,
      options: {
        stdout: { type: 'boolean', short: 'p' },
        quiet: { type: 'boolean', short: 'q' },
        diff3: { type: 'boolean' },
        zdiff3: { type: 'boolean' },
        ours: { type: 'boolean' },
        theirs: { type: 'boolean' },
        union: { type: 'boolean' },
        label: { type: 'string', short: 'L', multiple: true },
        'marker-size': { type: 'string' },
        'object-id': { type: 'boolean' },
        'diff-algorithm': { type: 'string' },
        json: { type: 'boolean' },
        repro: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new MergeFileUsage(error instanceof Error ? error.message : String(error))
  }
}

/** Sizes that are no use are taken as git takes them: the default. */
function markerSize(text: string | undefined): number {
  if (text === undefined) return 7
  if (!/^\d{1,4}$/.test(text)) throw new MergeFileUsage(`--marker-size: ${text} is not a number`)
  return Number(text) > 0 ? Number(text) : 7
}
