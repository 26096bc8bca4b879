import { readFileSync } from 'node:fs'
import { markedText, merge, warmUp } from '../shared/merge/index.ts'

/** Warms the engine up, merges three files once, and prints how long the merge took, in milliseconds. */
const [ours, base, theirs] = process.argv.slice(2).map((path) => new Uint8Array(readFileSync(path))) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
for (const _ of warmUp());
// What the compiler still does in the background is over when a person has opened a file.
await new Promise((resolve) => setTimeout(resolve, 100))
const start = performance.now()
markedText(merge({ ours, base, theirs }))
console.log(performance.now() - start)
