import type { DraftModel } from '../../../shared/merge/draft/index.ts'
import { NO_MARKS, type WordMarks } from './wordMarks.ts'
import WordsWorker from './words.worker.ts?worker'

/** How long one region may take, in milliseconds; then it stays without marks. */
const WITHIN = 1000
/** What a new worker gets on top, in milliseconds, to be loaded. */
const TO_START = 4000
/** A region with more characters is not looked at. */
const MOST_CHARACTERS = 2_000_000

/**
 * Word-level changes of the regions that are drawn, computed in a worker one after the other, the last asked for first. A
 * worker that takes too long is ended.
 */
export class Words {
  private readonly model: DraftModel
  private readonly arrived: () => void
  private readonly known = new Map<number, WordMarks>()
  private readonly waiting: number[] = []
  private worker: Worker | null = null
  private current: number | null = null
  private deadline: ReturnType<typeof setTimeout> | undefined

  constructor(model: DraftModel, arrived: () => void) {
    this.model = model
    this.arrived = arrived
  }

  /** The marks of a region, null while they are not there yet. */
  readonly of = (region: number): WordMarks | null => {
    const known = this.known.get(region)
    if (known !== undefined) return known
    if (region !== this.current) {
      const at = this.waiting.indexOf(region)
      if (at >= 0) this.waiting.splice(at, 1)
      this.waiting.push(region)
      this.next()
    }
    return null
  }

  dispose(): void {
    this.waiting.length = 0
    clearTimeout(this.deadline)
    this.worker?.terminate()
    this.worker = null
  }

  private next(): void {
    if (this.current !== null) return
    const region = this.waiting.pop()
    const row = region === undefined ? undefined : this.model.view.regions[region]
    if (region === undefined || row === undefined) return
    const [kind, b0, b1, o0, o1, t0, t1] = row
    const asked = {
      kind,
      base: this.model.base.slice(b0, b1).join(''),
      ours: this.model.ours.slice(o0, o1).join(''),
      theirs: this.model.theirs.slice(t0, t1).join(''),
    }
    this.current = region
    if (asked.base.length + asked.ours.length + asked.theirs.length > MOST_CHARACTERS) {
      this.finish(NO_MARKS)
      return
    }
    const within = this.worker === null ? WITHIN + TO_START : WITHIN
    this.worker ??= this.start()
    this.deadline = setTimeout(() => {
      this.worker?.terminate()
      this.worker = null
      this.finish(NO_MARKS)
    }, within)
    this.worker.postMessage(asked)
  }

  private start(): Worker {
    const worker = new WordsWorker()
    worker.onmessage = ({ data }: MessageEvent<WordMarks>) => this.finish(data)
    worker.onerror = () => this.finish(NO_MARKS)
    return worker
  }

  private finish(marks: WordMarks): void {
    clearTimeout(this.deadline)
    if (this.current !== null) this.known.set(this.current, marks)
    this.current = null
    this.next()
    if (this.current === null || this.known.size % 20 === 0) this.arrived()
  }
}
