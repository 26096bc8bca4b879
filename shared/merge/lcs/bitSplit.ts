const BITS = 30
const FULL = (1 << BITS) - 1

/** Room for a table of bits by symbol and word, in words. */
const DENSE_ROOM = 1 << 20

/** Scratch that is indexed by id: which symbol of the box an id is, -1 for none. All -1 between calls. */
export class Symbols {
  readonly of: Int32Array

  constructor(ids: number) {
    this.of = new Int32Array(ids).fill(-1)
  }
}

/** For each different id of a range of columns, the words in which it occurs and its bits there. */
interface Columns {
  readonly words: number
  readonly offsets: Int32Array
  readonly word: Int32Array
  readonly bits: Int32Array
}

/**
 * Cuts the box `a[a0..a1) × b[b0..b1)` at the middle row, at a column that a longest common subsequence passes: D. S.
 * Hirschberg's split (1975), each half by the bit-parallel row update of M. Crochemore et al. (2001) and H. Hyyrö
 * (2004), 30 columns to a word, visiting only words that hold the row's id or take a carry. Exact, memory linear in the
 * box. Gives the column, or -1 where it would take more than `limit` word operations; `cost.words` is what it takes.
 */
export function bitSplit(
  a: Int32Array,
  a0: number,
  a1: number,
  b: Int32Array,
  b0: number,
  b1: number,
  symbols: Symbols,
  limit: number,
  cost: { words: number },
): number {
  const m = b1 - b0
  const half = (a0 + a1) >> 1
  let known = 0
  for (let j = b0; j < b1; j++) {
    const id = b[j] as number
    if (symbols.of[id] === -1) symbols.of[id] = known++
  }
  const forget = () => {
    for (let j = b0; j < b1; j++) symbols.of[b[j] as number] = -1
  }
  cost.words = 0
  // Far too dear, by the words that a row of an even spread visits: no need to build the table.
  if (((a1 - a0) * Math.min(m / known, m / BITS)) / 16 > limit) {
    forget()
    return -1
  }
  const ahead = columns(b, b0, m, 1, symbols, known)
  const carryWay = 2 + m / (8 * BITS * BITS)
  cost.words = (m >> 2) + a1 - a0
  for (let i = a0; i < a1; i++) {
    const s = symbols.of[a[i] as number] as number
    // Its own words, and a carry's way through the groups of words.
    if (s >= 0) cost.words += (ahead.offsets[s + 1] as number) - (ahead.offsets[s] as number) + carryWay
  }
  let column = -1
  if (cost.words <= limit) {
    // Where most words hold most ids, visiting them all without asking is cheaper than following lists.
    const all = known * ahead.words
    const run = all <= DENSE_ROOM && ahead.word.length * 4 > all ? rowsDense : rows
    const first = run(a, a0, half - a0, 1, ahead, symbols)
    const second = run(a, a1 - 1, a1 - half, -1, columns(b, b1 - 1, m, -1, symbols, known), symbols)
    column = b0 + best(first, second, m)
  }
  forget()
  return column
}

function columns(b: Int32Array, from: number, m: number, step: 1 | -1, symbols: Symbols, known: number): Columns {
  const offsets = new Int32Array(known + 1)
  const last = new Int32Array(known).fill(-1)
  for (let j = 0; j < m; j++) {
    const s = symbols.of[b[from + step * j] as number] as number
    const w = (j / BITS) | 0
    if (last[s] !== w) {
      last[s] = w
      offsets[s + 1] = (offsets[s + 1] as number) + 1
    }
  }
  for (let s = 0; s < known; s++) offsets[s + 1] = (offsets[s + 1] as number) + (offsets[s] as number)
  const word = new Int32Array(offsets[known] as number)
  const bits = new Int32Array(offsets[known] as number)
  const next = offsets.slice(0, known)
  last.fill(-1)
  for (let j = 0; j < m; j++) {
    const s = symbols.of[b[from + step * j] as number] as number
    const w = (j / BITS) | 0
    if (last[s] !== w) {
      last[s] = w
      const at = next[s] as number
      next[s] = at + 1
      word[at] = w
    }
    const at = (next[s] as number) - 1
    bits[at] = (bits[at] as number) | (1 << (j - w * BITS))
  }
  return { words: Math.ceil(m / BITS), offsets, word, bits }
}

/** After the rows: a zero bit at each column at which the longest common subsequence grows by one. */
function rows(a: Int32Array, from: number, count: number, step: 1 | -1, table: Columns, symbols: Symbols): Int32Array {
  const { words, offsets, word, bits } = table
  const v = new Int32Array(words).fill(FULL)
  // One bit for each word that is not full: a carry runs through full words and ends in the next other one.
  const open = new Int32Array(Math.ceil(words / BITS))
  for (let i = 0; i < count; i++) {
    const s = symbols.of[a[from + step * i] as number] as number
    if (s < 0) continue
    const end = offsets[s + 1] as number
    let carry = 0
    let after = 0
    for (let at = offsets[s] as number; at < end; at++) {
      const w = word[at] as number
      if (carry !== 0 && after < w && fillNext(v, open, after, w)) carry = 0
      const old = v[w] as number
      const mask = bits[at] as number
      const sum = old + (old & mask) + carry
      const now = (sum & FULL) | (old & ~mask)
      carry = sum >>> BITS
      v[w] = now
      if (old === FULL) {
        if (now !== FULL) setBit(open, w)
      } else if (now === FULL) clearBit(open, w)
      after = w + 1
    }
    if (carry !== 0 && after < words) fillNext(v, open, after, words)
  }
  return v
}

/** The same as `rows`, over all words of each row. */
function rowsDense(a: Int32Array, from: number, count: number, step: 1 | -1, table: Columns, symbols: Symbols) {
  const { words, offsets, word, bits } = table
  const known = offsets.length - 1
  const masks = new Int32Array(known * words)
  for (let s = 0; s < known; s++)
    for (let at = offsets[s] as number; at < (offsets[s + 1] as number); at++)
      masks[s * words + (word[at] as number)] = bits[at] as number
  const v = new Int32Array(words).fill(FULL)
  for (let i = 0; i < count; i++) {
    const s = symbols.of[a[from + step * i] as number] as number
    if (s >= 0) updateRow(v, masks, s * words, words)
  }
  return v
}

function updateRow(v: Int32Array, masks: Int32Array, row: number, words: number): void {
  let carry = 0
  for (let w = 0; w < words; w++) {
    const old = v[w] as number
    const both = old & (masks[row + w] as number)
    const sum = old + both + carry
    v[w] = (sum & FULL) | (old - both)
    carry = sum >>> BITS
  }
}

/** Sets the lowest zero bit of the first word of `from..to` that has one; false where all are full. */
function fillNext(v: Int32Array, open: Int32Array, from: number, to: number): boolean {
  const last = ((to - 1) / BITS) | 0
  let group = (from / BITS) | 0
  let left = (open[group] as number) & ~((1 << (from - group * BITS)) - 1)
  while (left === 0 && group < last) left = open[++group] as number
  if (left === 0) return false
  const w = group * BITS + 31 - Math.clz32(left & -left)
  if (w >= to) return false
  const old = v[w] as number
  const now = old | (old + 1)
  v[w] = now
  if (now === FULL) clearBit(open, w)
  return true
}

function setBit(open: Int32Array, w: number): void {
  const group = (w / BITS) | 0
  open[group] = (open[group] as number) | (1 << (w - group * BITS))
}

function clearBit(open: Int32Array, w: number): void {
  const group = (w / BITS) | 0
  open[group] = (open[group] as number) & ~(1 << (w - group * BITS))
}

/** The column at which what the first rows get before it and the last rows after it is most; the last of such. */
function best(first: Int32Array, second: Int32Array, m: number): number {
  const behind = new Int32Array(m + 1)
  let count = 0
  for (let j = 1; j <= m; j++) {
    const w = ((j - 1) / BITS) | 0
    if ((((second[w] as number) >>> (j - 1 - w * BITS)) & 1) === 0) count++
    behind[j] = count
  }
  let column = 0
  let most = behind[m] as number
  count = 0
  for (let j = 1; j <= m; j++) {
    const w = ((j - 1) / BITS) | 0
    if ((((first[w] as number) >>> (j - 1 - w * BITS)) & 1) === 0) count++
    const all = count + (behind[m - j] as number)
    if (all >= most) {
      most = all
      column = j
    }
  }
  return column
}
