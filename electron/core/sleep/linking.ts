import { decodePath } from '../git/bytes.ts'
import type { Git } from '../git/process.ts'
import { linkedPaths } from './links.ts'

/** Target → the files that link to it; sorted. Targets that nothing links to are left out. */
export type Linking = ReadonlyMap<string, readonly string[]>

/** Whole lines with their paths, whatever is configured for looking by hand. */
const GREP = [
  'grep',
  '-a',
  '-z',
  '-F',
  '-H',
  '--full-name',
  '--no-color',
  '--no-textconv',
  '--no-line-number',
  '--no-column',
].concat(['--no-heading', '--no-break', '--no-recurse-submodules'])

const isPage = (path: string) => /\.html?$/i.test(path)

/**
 * Which pages link to these paths, by root-absolute addresses: pages of a tree, or the merged entries of the index where
 * `git` runs. Only targets that are pages themselves are looked for. `env`: e.g. scratch objects to read from.
 */
export async function linksTo(
  git: Git,
  where: 'index' | { readonly tree: string; readonly env?: Readonly<Record<string, string>> },
  targets: readonly string[],
): Promise<Linking> {
  const wanted = new Set(targets.filter((path) => isPage(path) && !/[\r\n]/.test(path)))
  const found = new Map<string, Set<string>>()
  if (wanted.size === 0) return new Map()
  const input = [...new Set([...wanted].map(plainPart))].join('\n')
  const place = where === 'index' ? ['--cached'] : [where.tree]
  const { stdout } = await git.run(
    [...GREP, '-f', '-', ...place, '--', '*.htm*'],
    // Here the path is a pattern on purpose.
    { input, ok: [0, 1], env: { GIT_LITERAL_PATHSPECS: '0', ...(where === 'index' ? {} : where.env) } },
  )
  const prefix = where === 'index' ? 0 : where.tree.length + 1
  for (let at = 0; at < stdout.length; ) {
    const zero = stdout.indexOf(0, at)
    const newline = zero === -1 ? -1 : stdout.indexOf(10, zero)
    if (zero === -1) break
    const path = decodePath(stdout.subarray(at + prefix, zero))
    const line = stdout.subarray(zero + 1, newline === -1 ? stdout.length : newline)
    at = newline === -1 ? stdout.length : newline + 1
    for (const target of linkedPaths(line.toString('utf8')))
      if (target !== path && wanted.has(target)) found.set(target, (found.get(target) ?? new Set()).add(path))
  }
  return new Map([...found].map(([target, paths]) => [target, [...paths].sort()]))
}

/** The longest part of a path that every address spells alike, whatever it escapes. */
const plainPart = (path: string): string =>
  (path.match(/[\w./-]+/g) ?? ['.htm']).reduce((longest, one) => (one.length > longest.length ? one : longest))
