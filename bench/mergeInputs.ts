/** Made-up three-way merges, from ordinary to hostile; the same at every run. */
export interface BenchInput {
  readonly name: string
  readonly base: string
  readonly ours: string
  readonly theirs: string
  /** An ordinary text of 1,000 lines or more, by which libraries are compared. */
  readonly ordinary?: boolean
  /** Random lines over a handful of words, unrelated: the one kind for which more time is allowed. */
  readonly dense?: boolean
}

type Random = () => number

/** Numbers from 0 to 2^32 - 1: the SplitMix32 generator. */
function randomFrom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return (z ^ (z >>> 15)) >>> 0
  }
}

const WORDS =
  'alpha beta gamma delta return self value item index config token parse render template request response session cookie header'.split(
    ' ',
  )
const list = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i))
const pick = <T>(random: Random, from: ArrayLike<T>): T => from[random() % from.length] as T
const text = (lines: readonly string[]) => `${lines.join('\n')}\n`

function codeLine(random: Random): string {
  const words = list(3 + (random() % 7), () => pick(random, WORDS))
  return `${'    '.repeat(random() % 5)}${words.join(' ')}${random() % 10_000}`
}

/** A line of a source file as they are: about a third of the lines repeat. */
function sourceLine(random: Random): string {
  const kind = random() % 100
  if (kind < 18) return ''
  if (kind < 26) return '    }'
  if (kind < 30) return '}'
  if (kind < 35) return '        return self'
  return codeLine(random)
}

/** Replaces, inserts and deletes at `count` places. */
function edit(lines: readonly string[], count: number, random: Random, make: (random: Random) => string): string[] {
  const places = new Map<number, number>()
  while (places.size < count) places.set(random() % lines.length, random() % 3)
  return lines.flatMap((line, i) => {
    const what = places.get(i)
    if (what === undefined) return [line]
    return what === 0 ? [make(random)] : what === 1 ? [make(random), line] : []
  })
}

function edited(
  name: string,
  base: readonly string[],
  count: number,
  make: (random: Random) => string,
  more: Partial<BenchInput> = {},
): BenchInput {
  const ours = text(edit(base, count, randomFrom(101), make))
  return { name, base: text(base), ours, theirs: text(edit(base, count, randomFrom(202), make)), ...more }
}

function unrelated(name: string, lines: number, make: (random: Random) => string, more: Partial<BenchInput> = {}) {
  const side = (seed: number) =>
    text(
      list(
        lines,
        (
          (random) => () =>
            make(random)
        )(randomFrom(seed)),
      ),
    )
  return { name, base: side(1), ours: side(2), theirs: side(3), ...more }
}

const letters = (alphabet: string) => (random: Random) => pick(random, alphabet)
const sources = (lines: number, seed: number) =>
  list(
    lines,
    (
      (random) => () =>
        sourceLine(random)
    )(randomFrom(seed)),
  )
const codes = (lines: number, seed: number) =>
  list(
    lines,
    (
      (random) => () =>
        codeLine(random)
    )(randomFrom(seed)),
  )

/** Every `step`-th line from `first` on, changed. */
const everyLine = (lines: readonly string[], step: number, first: number, change: (line: string) => string) =>
  lines.map((line, i) => (i % step === first ? change(line) : line))

export function* benchInputs(): Generator<BenchInput> {
  yield edited('200 lines, 3 edits a side', sources(200, 1), 3, sourceLine)
  yield edited('1,000 lines, 10 edits', sources(1000, 2), 10, sourceLine, { ordinary: true })
  yield edited('2,000 lines, 20 edits', sources(2000, 3), 20, sourceLine, { ordinary: true })
  yield edited('5,000 lines, 50 edits', sources(5000, 4), 50, sourceLine, { ordinary: true })
  yield edited('20,000 lines, 200 edits', codes(20_000, 5), 200, codeLine)
  yield edited('100,000 lines, 1,000 edits', codes(100_000, 6), 1000, codeLine)
  const alphabet = 'abcdefghijklmnopqrstuvwxyz'
  const oneLetter = list(
    524_288,
    (
      (random) => () =>
        pick(random, alphabet)
    )(randomFrom(7)),
  )
  yield edited('1 MiB of one-letter lines, 1 %', oneLetter, 5243, letters(alphabet))
  const fourLetters = list(
    262_144,
    (
      (random) => () =>
        pick(random, 'acgt')
    )(randomFrom(8)),
  )
  yield edited('262,144 lines of 4 letters, 1 %', fourLetters, 2621, letters('acgt'))
  yield unrelated('20,000 lines, unrelated', 20_000, codeLine)
  yield unrelated('20,000 lines over 20 words, unrelated', 20_000, (random) => pick(random, WORDS), { dense: true })
  yield unrelated('20,000 lines of 2 letters, unrelated', 20_000, letters('ab'), { dense: true })
  yield* oneLine()
  const five = codes(5000, 12)
  const oursFive = everyLine(five, 250, 0, (line) => `OURS ${line}`)
  const theirsFive = everyLine(five, 250, 125, (line) => `THEIRS ${line}`)
  yield {
    name: '5,000 lines, CRLF on one side',
    base: text(five),
    ours: text(oursFive),
    theirs: `${theirsFive.join('\r\n')}\r\n`,
  }
  yield {
    name: '5,000 lines, no last newline',
    base: five.join('\n'),
    ours: `${oursFive.join('\n')}\nours tail`,
    theirs: text(theirsFive),
  }
  const sparse = randomFrom(13)
  const blank = list(60_000, () => (sparse() % 20 === 0 ? codeLine(sparse) : ''))
  yield edited('60,000 lines, 95 % blank', blank, 600, (random) => (random() % 2 ? '' : codeLine(random)))
  yield {
    name: '50,000 blank lines',
    base: '\n'.repeat(50_000),
    ours: '\n'.repeat(52_000),
    theirs: '\n'.repeat(49_000),
  }
  const two = list(50_000, (i) => (i % 2 ? 'b' : 'a'))
  yield {
    name: '50,000 lines alternating, halves moved',
    base: text(two),
    ours: text([...two.slice(25_000), 'x', ...two.slice(0, 25_000)]),
    theirs: text(['y', ...two.toReversed()]),
  }
  const twenty = codes(20_000, 16)
  const moved = text([...twenty.slice(10_000), ...twenty.slice(0, 10_000)])
  yield {
    name: '20,000 lines, half of them moved',
    base: text(twenty),
    ours: moved,
    theirs: text(edit(twenty, 200, randomFrom(17), codeLine)),
  }
  const shuffled = (seed: number) => {
    const random = randomFrom(seed)
    return text(
      twenty
        .map((line) => [random(), line] as const)
        .sort(([x], [y]) => x - y)
        .map(([, line]) => line),
    )
  }
  yield { name: '20,000 lines, shuffled', base: text(twenty), ours: shuffled(18), theirs: shuffled(19) }
  yield {
    name: '20,000 lines, 5,000 conflicts',
    base: text(twenty),
    ours: text(everyLine(twenty, 4, 0, (line) => `${line} OURS`)),
    theirs: text(everyLine(twenty, 4, 0, (line) => `${line} THEIRS`)),
  }
  const random = randomFrom(20)
  const paragraphs = list(1000, () => list(150, () => pick(random, WORDS)))
  const withWord = (at: number, word: string) =>
    text(paragraphs.map((words, i) => words.map((w, j) => (i % 2 === 0 && j === at ? word : w)).join(' ')))
  yield {
    name: '1,000 paragraphs of one line, 500 conflicts',
    base: text(paragraphs.map((words) => words.join(' '))),
    ours: withWord(20, 'OURS'),
    theirs: withWord(120, 'THEIRS'),
  }
}

function* oneLine(): Generator<BenchInput> {
  const random = randomFrom(11)
  const records = list(40_000, (id) => ({
    id,
    name: list(4, () => pick(random, WORDS)).join(' '),
    score: random() / 2 ** 32,
  }))
  const json = (first: number, name: string | null) =>
    `${JSON.stringify(records.map((r) => (name !== null && r.id % 2000 === first ? { ...r, name } : r)))}\n`
  yield { name: '3 MB of JSON in one line', base: json(0, null), ours: json(0, 'ours'), theirs: json(1000, 'theirs') }
}
