/** Two texts are one file renamed where this much of the larger is in both, in percent, as git has it. */
const ALIKE = 50

/** How much of the larger file is, line by line, in the other one as well: 0 to 100. */
export function similarity(a: Buffer, b: Buffer): number {
  const larger = Math.max(a.length, b.length)
  if (larger === 0 || a.equals(b)) return 100
  const lines = (bytes: Buffer) => bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? []
  const left = new Map<string, number>()
  for (const line of lines(a)) left.set(line, (left.get(line) ?? 0) + 1)
  let same = 0
  for (const line of lines(b)) {
    const count = left.get(line) ?? 0
    if (count === 0) continue
    left.set(line, count - 1)
    same += line.length
  }
  return Math.floor((same * 100) / larger)
}

export interface Candidate {
  readonly path: string
  readonly oid: string
}

/**
 * Which of the old files each new one was: first those with the same bytes, of several the one with the same name, else in
 * the order of their paths; then the most alike. Each old file is taken once. New path → old path.
 */
export function pairByContent(
  olds: readonly Candidate[],
  news: readonly Candidate[],
  bytes: (oid: string) => Buffer | null,
): Map<string, string> {
  const pairs = new Map<string, string>()
  const free = new Map(olds.map((one) => [one.path, one]))
  const take = (now: Candidate, old: Candidate | undefined) => {
    if (old === undefined) return
    pairs.set(now.path, old.path)
    free.delete(old.path)
  }
  const name = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  const same = (now: Candidate, named: boolean) =>
    [...free.values()].find((old) => old.oid === now.oid && (!named || name(old.path) === name(now.path)))
  for (const named of [true, false]) for (const now of news) if (!pairs.has(now.path)) take(now, same(now, named))
  const scores = news
    .filter((now) => !pairs.has(now.path))
    .flatMap((now) => {
      const text = bytes(now.oid)
      return [...free.values()].flatMap((old) => {
        const before = bytes(old.oid)
        const score = text === null || before === null ? 0 : similarity(before, text)
        return score >= ALIKE ? [{ now, old, score }] : []
      })
    })
  for (const { now, old } of scores.sort((a, b) => b.score - a.score))
    if (!pairs.has(now.path) && free.has(old.path)) take(now, old)
  return pairs
}
