import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Takes three-way merges out of a repository's history: `node bench/realMerges.main.ts REPO OUT [MOST]`. For each merge
 * commit of two parents with one merge base: the files that both sides changed, as OUT/N.base, N.ours and N.theirs, and the path in OUT/N.path.
 */
const [repo, out, most = '500'] = process.argv.slice(2)
if (repo === undefined || out === undefined) throw new Error('usage: node bench/realMerges.main.ts REPO OUT [MOST]')
mkdirSync(out, { recursive: true })
const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { maxBuffer: 1 << 30 })

/** Changed regular files by path: blob before and after. */
function changed(from: string, to: string): Map<string, readonly [string, string]> {
  const fields = git('diff-tree', '-r', '-z', '--no-renames', from, to).toString('latin1').split('\0')
  const files = new Map<string, readonly [string, string]>()
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [oldMode, newMode, oldId, newId, kind] = (fields[i] as string).split(' ')
    if (kind === 'M' && oldMode?.startsWith(':100') && newMode?.startsWith('100'))
      files.set(fields[i + 1] as string, [oldId as string, newId as string])
  }
  return files
}

const seen = new Set<string>()
const merges = git('rev-list', '--all', '--merges', '--min-parents=2', '--max-parents=2', '--parents', '--date-order')
for (const line of merges.toString().trim().split('\n')) {
  const [, ours, theirs] = line.split(' ') as [string, string, string]
  let bases: string[]
  try {
    bases = git('merge-base', '--all', ours, theirs).toString().trim().split('\n')
  } catch {
    continue
  }
  if (bases.length !== 1) continue
  const inTheirs = changed(bases[0] as string, theirs)
  for (const [path, [base, now]] of changed(bases[0] as string, ours)) {
    const other = inTheirs.get(path)?.[1]
    const key = `${base} ${now} ${other}`
    if (other === undefined || other === now || seen.has(key) || seen.size >= Number(most)) continue
    const name = join(out, String(seen.size).padStart(5, '0'))
    seen.add(key)
    writeFileSync(`${name}.path`, Buffer.from(path, 'latin1'))
    for (const [side, blob] of Object.entries({ base, ours: now, theirs: other }))
      writeFileSync(`${name}.${side}`, git('cat-file', 'blob', blob))
  }
  if (seen.size >= Number(most)) break
}
console.log(`${seen.size} merges of files`)
