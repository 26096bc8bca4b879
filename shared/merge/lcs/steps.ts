/** What a comparison may cost. All numbers count inner steps; a step is a nanosecond or two. */
export interface Limits {
  /** Steps of the search from both ends in one box; a box of n × m cells gets at most n·m/120, at least 500. */
  readonly search: number
  /** Word operations of the bit-parallel search in one box. */
  readonly words: number
  /** Steps of all boxes together; after that only what is cheap is still tried. */
  readonly total: number
}

export const LIMITS: Limits = { search: 500_000, words: 20_000_000, total: 120_000_000 }

/** Limits that force every fall-back, for tests. */
export const TINY_LIMITS: Limits = { search: 4, words: 0, total: 4000 }
