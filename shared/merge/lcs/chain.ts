/** Pairs of positions that belong together, in rising order on both sides; the first `count` entries hold. */
export interface Anchors {
  readonly count: number
  readonly x: Int32Array
  readonly y: Int32Array
}

/**
 * The chain that ends on the last of `count` piles of patience sorting. `tops`: the node on top of each pile; `before`: the node
 * that each follows, -1 for none; `xs`, `ys`: the positions of a node.
 */
export function chainOf(
  count: number,
  tops: Int32Array,
  before: Int32Array,
  xs: ArrayLike<number>,
  ys: ArrayLike<number>,
): Anchors {
  const x = new Int32Array(count)
  const y = new Int32Array(count)
  let node = count > 0 ? (tops[count - 1] as number) : -1
  for (let i = count - 1; i >= 0; i--) {
    x[i] = xs[node] as number
    y[i] = ys[node] as number
    node = before[node] as number
  }
  return { count, x, y }
}
