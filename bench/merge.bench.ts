import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { markedText, merge, warmUp } from '../shared/merge/index.ts'
import { benchInputs } from './mergeInputs.ts'

const argument = (name: string) =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined
/** `--real DIR`: also every NAME.base, NAME.ours, NAME.theirs of a folder, all together against git. */
const real = argument('--real')
/** `--only WORDS`: only the inputs with these words in their name. */
const only = argument('--only') ?? ''
/** How long node-diff3 may take for one input. */
const PATIENCE_MS = 8000
/** How long each of the five rounds runs at the least; node-diff3 runs as long in all. */
const WARM_MS = 100
const AIM = { git: 0.75, dense: 4, worstMs: 1000, ordinary: 100, slower: 3, firstMs: 2, real: 10 }

const dir = mkdtempSync(join(tmpdir(), 'daybreak-bench-'))
const SIDES = ['ours', 'base', 'theirs'] as const
const paths = SIDES.map((side) => join(dir, side))
const failed: string[] = []
const rule = (holds: boolean, what: string) => {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`)
  if (!holds) failed.push(what)
}
const least = (runs: number, work: () => void) => {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < runs; i++) {
    const start = performance.now()
    work()
    best = Math.min(best, performance.now() - start)
  }
  return best
}
const gitMerge = (files: readonly string[]) =>
  spawnSync('git', ['merge-file', '-p', '--diff3', '-L', 'ours', '-L', 'base', '-L', 'theirs', ...files], {
    maxBuffer: 1 << 30,
  })

function readSides(files: readonly string[]) {
  const [ours, base, theirs] = files.map((path) => new Uint8Array(readFileSync(path))) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]
  return { ours, base, theirs }
}

/** As `least`, over as many runs as fit into `ms`, so that a short work is measured warm. */
const leastIn = (ms: number, work: () => void) => {
  const begun = performance.now()
  let best = Number.POSITIVE_INFINITY
  do best = Math.min(best, least(2, work))
  while (performance.now() - begun < ms)
  return best
}
/** The first merge of a text that the process has not seen, after the idle warm-up: the best of some processes. */
const inputs = [...benchInputs()]
const typical = inputs.find((input) => input.name.startsWith('2,000 lines'))
if (typical) {
  for (const [i, side] of SIDES.entries()) writeFileSync(paths[i] as string, typical[side])
  const program = join(import.meta.dirname, 'firstMerge.main.ts')
  const times = Array.from({ length: 5 }, () => Number(spawnSync(process.execPath, [program, ...paths]).stdout))
  const first = Math.min(...times)
  rule(
    first < AIM.firstMs,
    `first merge of 2,000 lines after the warm-up: ${first.toFixed(2)} ms (less than ${AIM.firstMs})`,
  )
}
for (const _ of warmUp());

console.log('least time of several, in ms; git: the whole process of git merge-file -p --diff3')
for (const input of inputs.filter(({ name }) => name.includes(only))) {
  for (const [i, side] of SIDES.entries()) writeFileSync(paths[i] as string, input[side])
  const sides = readSides(paths)
  let merged = merge(sides)
  // Interleaved, so that whatever else the machine does meets both.
  let own = Number.POSITIVE_INFINITY
  let git = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round++) {
    own = Math.min(
      own,
      leastIn(WARM_MS, () => {
        merged = merge(sides, { emptyBase: 'whole' })
        markedText(merged, { style: 'diff3' })
      }),
    )
    git = Math.min(
      git,
      least(1, () => gitMerge(paths)),
    )
  }
  const same = Buffer.from(markedText(merged, { style: 'diff3' }).bytes).equals(gitMerge(paths).stdout)
  const peer = spawnSync(process.execPath, [join(import.meta.dirname, 'nodeDiff3.main.ts'), ...paths], {
    timeout: PATIENCE_MS,
  })
  const other = peer.status === 0 ? Number(peer.stdout.toString()) : null
  const ratio = other === null ? null : other / own
  const figures = `${own.toFixed(2)} | git ${git.toFixed(1)} (${(own / git).toFixed(2)} x) | node-diff3 ${other === null ? 'does not end' : `${other.toFixed(1)} (${(other / own).toFixed(1)} times as long)`}`
  const limit = input.dense ? AIM.dense : AIM.git
  const holds =
    own / git <= limit &&
    own < AIM.worstMs &&
    (ratio === null || ratio >= 1 / AIM.slower) &&
    (!input.ordinary || ratio === null || ratio >= AIM.ordinary)
  rule(holds, `${input.name}: ${figures} | exact ${merged.exact} | text ${same ? 'as git' : 'differs'}`)
}

if (real !== undefined) {
  let own = 0
  let git = 0
  let files = 0
  for (const name of readdirSync(real).filter((file) => file.endsWith('.base'))) {
    const stem = join(real, name.slice(0, -'.base'.length))
    const triple = SIDES.map((side) => `${stem}.${side}`)
    const sides = readSides(triple)
    const start = performance.now()
    const merged = merge(sides)
    const between = performance.now()
    if (merged.conflicts.length === 0) continue
    const marked = performance.now()
    markedText(merged, { style: 'diff3' })
    own += between - start + performance.now() - marked
    git += least(1, () => gitMerge(triple))
    files++
  }
  rule(
    git / own >= AIM.real,
    `${files} real conflicted files: ${own.toFixed(0)} ms, git ${git.toFixed(0)} ms (${(git / own).toFixed(1)} times as long)`,
  )
}
rmSync(dir, { recursive: true, force: true })
process.exitCode = failed.length === 0 ? 0 : 1
