import { copyRange } from '../bytes/ranges.ts'

/** Text put together from ranges of other texts: sized once, then copied. Neighbouring ranges of one text are one copy. */
export class Output {
  private readonly sources: Uint8Array[] = []
  private readonly froms: number[] = []
  private readonly tos: number[] = []
  /** Bytes so far. */
  size = 0

  add(source: Uint8Array, from = 0, to: number = source.length): void {
    if (from >= to) return
    this.size += to - from
    const last = this.sources.length - 1
    if (this.sources[last] === source && this.tos[last] === from) {
      this.tos[last] = to
      return
    }
    this.sources.push(source)
    this.froms.push(from)
    this.tos.push(to)
  }

  /** Whether what is there so far ends with a newline; true for nothing. */
  atLineStart(): boolean {
    const last = this.sources.length - 1
    const source = this.sources[last]
    return source === undefined || source[(this.tos[last] as number) - 1] === 10
  }

  bytes(): Uint8Array {
    const out = new Uint8Array(this.size)
    let at = 0
    for (let i = 0; i < this.sources.length; i++)
      at = copyRange(this.sources[i] as Uint8Array, this.froms[i] as number, this.tos[i] as number, out, at)
    return out
  }
}
