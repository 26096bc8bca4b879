import { rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { chromium } from '@playwright/test'
import { CHROMIUM_ARGS, chromiumPath } from '../e2e/browser.ts'
import { startServer } from '../e2e/server.ts'
import { buildConflict, type Sides, withHome } from '../e2e/support/index.ts'
import { type Asked, measureResolver, type ResolverFigures } from './resolverMeasure.ts'

/** The page of a conflict in a real browser: how long its texts take from their arrival to the eye, and a key. */
const ROUNDS = 5
const OPEN_MS = 300
const LARGE_MS = 1000
/** Before anyone opens a conflict: no sentence of its own, and no more than what a person takes to choose a file. */
const LOAD_MS = 5000
const TITLE = 'Merging infra/pg17 into main'

/** A file of so many lines in which each side changed every line that is in conflict, and the other lines are the same. */
function file(lines: number, every: number, side: string | null): string {
  const text: string[] = []
  for (let at = 1; at <= lines; at++)
    text.push(side !== null && at % every === 10 ? `${side} wrote line ${at}` : `Line ${at} says what it says.`)
  return `${text.join('\n')}\n`
}

/** One line of 600 KB: words with a number each; the sides changed the same word in its middle. */
function single(side: string): string {
  const words: string[] = []
  for (let at = 0, size = 0; size < 600_000; at++) {
    const word = at === 25_000 ? side : `word${at}`
    words.push(word)
    size += word.length + 1
  }
  return `${words.join(' ')}\n`
}

const sides: Sides = {
  base: {
    'usual.md': file(2000, 50, null),
    'long.md': file(100_000, 2500, null),
    'single.json': `first\n${single('base')}last line\n`,
  },
  ours: {
    'usual.md': file(2000, 50, 'ours'),
    'long.md': file(100_000, 2500, 'ours'),
    'single.json': `first\n${single('ours')}last line\n`,
  },
  theirs: {
    'usual.md': file(2000, 50, 'theirs'),
    'long.md': file(100_000, 2500, 'theirs'),
    'single.json': `first\n${single('theirs')}last line\n`,
  },
}

interface Case extends Asked {
  readonly what: string
  readonly limits: ResolverFigures
}

const large = { loadMs: LOAD_MS, openMs: LARGE_MS, scrollMs: LARGE_MS, keyMs: LARGE_MS }
const cases: readonly Case[] = [
  {
    what: '2,000 lines with 40 conflicts',
    title: TITLE,
    path: 'usual.md',
    conflict: 'Conflict 1 of 40',
    end: 'Line 2000 says',
    limits: { ...large, openMs: OPEN_MS },
  },
  {
    what: '100,000 lines with 40 conflicts',
    title: TITLE,
    path: 'long.md',
    conflict: 'Conflict 1 of 40',
    end: 'Line 100000 says',
    limits: large,
  },
  {
    what: 'a single line of 600 KB',
    title: TITLE,
    path: 'single.json',
    conflict: 'Conflict 1 of 1',
    end: 'last line',
    limits: large,
  },
]

const middle = (list: readonly number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

const repo = buildConflict(sides)
const executablePath = chromiumPath()
const browser = await chromium.launch({ args: [...CHROMIUM_ARGS], ...(executablePath ? { executablePath } : {}) })
let held = true
try {
  for (const one of cases) {
    const rounds: ResolverFigures[] = []
    for (let round = 0; round < ROUNDS; round++) {
      // The link opens the app once.
      const server = await startServer(withHome(), repo.dir)
      try {
        rounds.push(await measureResolver(browser, server, one))
      } finally {
        await server.stop()
      }
    }
    for (const [name, words] of [
      ['loadMs', 'editors loaded ahead, after a window was opened'],
      ['openMs', 'shown after its data arrived, no other file opened before'],
      ['scrollMs', 'scrolled to its end'],
      ['keyMs', 'a key in the result shown'],
    ] as const) {
      const figures = rounds.map((round) => round[name])
      const holds = middle(figures) <= one.limits[name]
      held &&= holds
      const load = loadavg()[0]?.toFixed(1)
      console.log(
        `${holds ? 'ok  ' : 'FAIL'} ${one.what}: ${words}: median ${Math.round(middle(figures))} ms (${Math.round(Math.min(...figures))} to ${Math.round(Math.max(...figures))}), at most ${one.limits[name]}; load ${load}`,
      )
    }
  }
} finally {
  await browser.close()
  rmSync(repo.dir, { recursive: true, force: true })
}
process.exitCode = held ? 0 : 1
