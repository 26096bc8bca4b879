import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LineIds } from '../shared/merge/bytes/lineIds.ts'
import { decidedBytes, type MarkerStyle, markedText, merge, warningsOf } from '../shared/merge/index.ts'
import { compareWhole } from '../shared/merge/lcs/compare.ts'

/**
 * Compares the engine with `git merge-file` on the files that `realMerges.main.ts` wrote, and counts the warnings about
 * clean merges: `node bench/compareWithGit.main.ts DIR…`. Each file whose text differs from git's is told by its path with
 * the reason.
 */
const counts = new Map<string, number>()
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
/** Long markers: headings of real texts look like those of seven. */
const SIZE = 23

/** Lines between markers. */
function area(text: Uint8Array): number {
  let inside = false
  let lines = 0
  for (const line of Buffer.from(text).toString('latin1').split('\n')) {
    if (line.startsWith('<'.repeat(SIZE))) inside = true
    else if (line.startsWith('>'.repeat(SIZE))) inside = false
    else if (inside) lines++
  }
  return lines
}

/** In how many lines git's own comparison of two files differs, removed and added. */
function gitsEdits(from: string, to: string): number {
  const args = ['diff', '--no-index', '--no-ext-diff', '--text', '--numstat', '--diff-algorithm=myers']
  const out = spawnSync('git', [...args, '--', from, to]).stdout.toString()
  const [added = '0', removed = '0'] = out.split('\t')
  return Number(added) + Number(removed)
}

function ownEdits(from: Buffer, to: Buffer): number {
  const ids = new LineIds(8)
  const old = ids.add(from)
  const now = ids.add(to, 0, to.length, old)
  const { oldChanged, newChanged } = compareWhole(old.ids, now.ids, ids.count)
  const marked = (flags: Uint8Array, lines: number) => flags.subarray(0, lines).reduce((sum, one) => sum + one, 0)
  return marked(oldChanged, old.ids.length) + marked(newChanged, now.ids.length)
}

/** Why the merged text is another one than git's. `pairs`: base and each side. */
function reasonOf(pairs: readonly { readonly own: number; readonly git: number }[], conflictDiffers: boolean): string {
  if (conflictDiffers) return 'conflict here or there only'
  if (pairs.some(({ own, git }) => own > git)) return 'the comparison here is not the shortest'
  if (pairs.some(({ own, git }) => own < git)) return 'git’s comparison is not the shortest'
  return 'another one of several shortest comparisons'
}

for (const dir of process.argv.slice(2))
  for (const file of readdirSync(dir).filter((name) => name.endsWith('.base'))) {
    const stem = join(dir, file.slice(0, -'.base'.length))
    const names = (['ours', 'base', 'theirs'] as const).map((side) => `${stem}.${side}`)
    const [ours, base, theirs] = names.map((path) => readFileSync(path)) as [Buffer, Buffer, Buffer]
    // Git refuses these.
    if ([base, ours, theirs].some((bytes) => bytes.subarray(0, 8000).includes(0))) continue
    const merged = merge({ base, ours, theirs }, { emptyBase: 'whole' })
    count(merged.conflicts.length > 0 ? 'files in conflict' : 'files clean')
    if (!merged.exact) count('not exact')
    for (const style of ['merge', 'diff3', 'zdiff3'] as const satisfies readonly MarkerStyle[]) {
      const args = ['merge-file', '-p', `--marker-size=${SIZE}`, ...(style === 'merge' ? [] : [`--${style}`])]
      const labels = ['ours', 'base', 'theirs'].flatMap((label) => ['-L', label])
      const git = spawnSync('git', [...args, ...labels, ...names], { maxBuffer: 1 << 30 })
      const marked = markedText(merged, { style, markerSize: SIZE })
      if ((git.status ?? 0) > 0 !== marked.conflicts > 0) {
        count(`${style}: conflict or clean differs`)
        console.log(`${style}: git ${git.status}, here ${marked.conflicts}: ${stem}`)
      }
      if (git.stdout.equals(marked.bytes)) continue
      const [theirArea, ownArea] = [area(git.stdout), area(marked.bytes)]
      const size = ownArea < theirArea ? 'smaller' : ownArea > theirArea ? 'larger' : 'equal'
      count(`${style}: text differs, conflicts here ${size}`)
      const pairs = [
        { own: ownEdits(base, ours), git: gitsEdits(names[1] as string, names[0] as string) },
        { own: ownEdits(base, theirs), git: gitsEdits(names[1] as string, names[2] as string) },
      ]
      const reason = reasonOf(pairs, (git.status ?? 0) > 0 !== marked.conflicts > 0)
      count(`${style}: text differs, ${reason}`)
      const path = existsSync(`${stem}.path`) ? readFileSync(`${stem}.path`, 'utf8') : stem
      if (style === 'merge') console.log(`${path}: ${reason}; conflicts here ${size}`)
    }
    if (merged.conflicts.length > 0) continue
    const warnings = warningsOf(merged, decidedBytes(merged, []))
    if (warnings.length > 0) count('clean with warnings')
    for (const kind of new Set(warnings.map((warning) => warning.kind))) count(`warned of ${kind}`)
  }
for (const [what, number] of [...counts].sort(([a], [b]) => a.localeCompare(b))) console.log(`${number} ${what}`)
