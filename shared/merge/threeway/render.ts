import { encodeText } from '../bytes/text.ts'
import { type Chunk, chunksOf, type MarkerStyle } from './chunks.ts'
import { endingAt } from './endings.ts'
import type { Merge } from './merge.ts'
import { Output } from './output.ts'
import type { LineRange, Region } from './regions.ts'
import { offsetOf, type Side } from './side.ts'

export interface MarkerOptions {
  readonly style?: MarkerStyle
  /** What follows the markers; none where empty. Default `ours`, `base`, `theirs`. */
  readonly labels?: { readonly ours?: string; readonly base?: string; readonly theirs?: string }
  /** Default 7. */
  readonly markerSize?: number
  /** Takes a side, or both in a row, in each conflict, and writes no marker. */
  readonly favor?: 'ours' | 'theirs' | 'union'
}

export interface MarkedText {
  readonly bytes: Uint8Array
  /** Conflicts between markers; 0 where a side is favoured. */
  readonly conflicts: number
}

/**
 * The merged text with its conflicts between markers, as `git merge-file` writes it. Markers end with CRLF where the
 * text around them does; a last line without newline gets one inside a conflict only.
 */
export function markedText(merge: Merge, options: MarkerOptions = {}): MarkedText {
  const style = options.style ?? 'merge'
  const chunks = chunksOf(merge, style)
  const out = new Output()
  const markers = markersOf(options)
  let next = 0
  let at = 0
  const addChunksBefore = (place: Pick<Region, 'ours' | 'theirs'> | null) => {
    for (let chunk = chunks[next]; chunk && (place === null || precedes(chunk, place)); chunk = chunks[++next]) {
      addLines(out, merge.ours, at, chunk.ours.start)
      addChunk(out, merge, chunk, markers, style, options.favor)
      at = chunk.ours.end
    }
  }
  // Outside the chunks and what theirs alone changed, ours holds what is to be written.
  for (const region of merge.regions) {
    if (region.kind !== 'theirs') continue
    addChunksBefore(region)
    addLines(out, merge.ours, at, region.ours.start)
    addLines(out, merge.theirs, region.theirs.start, region.theirs.end)
    at = region.ours.end
  }
  addChunksBefore(null)
  addLines(out, merge.ours, at, merge.ours.lines)
  return { bytes: out.bytes(), conflicts: options.favor === undefined ? chunks.length : 0 }
}

function precedes(chunk: Chunk, place: Pick<Region, 'ours' | 'theirs'>): boolean {
  if (chunk.ours.start !== place.ours.start) return chunk.ours.start < place.ours.start
  return chunk.theirs.start < place.theirs.start
}

interface Markers {
  readonly ours: Uint8Array
  readonly base: Uint8Array
  readonly middle: Uint8Array
  readonly theirs: Uint8Array
}

function markersOf({ labels = {}, markerSize = 7 }: MarkerOptions): Markers {
  const line = (char: string, label: string) => encodeText(char.repeat(markerSize) + (label === '' ? '' : ` ${label}`))
  return {
    ours: line('<', labels.ours ?? 'ours'),
    base: line('|', labels.base ?? 'base'),
    middle: line('=', ''),
    theirs: line('>', labels.theirs ?? 'theirs'),
  }
}

function addChunk(
  out: Output,
  merge: Merge,
  { base, ours, theirs }: Chunk,
  markers: Markers,
  style: MarkerStyle,
  favor: MarkerOptions['favor'],
): void {
  const ending = endingAt(merge, ours, theirs)
  if (favor !== undefined) {
    if (favor !== 'theirs') addLines(out, merge.ours, ours.start, ours.end)
    if (favor === 'union' && !out.atLineStart()) out.add(ending)
    if (favor !== 'ours') addLines(out, merge.theirs, theirs.start, theirs.end)
    return
  }
  const section = (side: Side, range: LineRange) => {
    addLines(out, side, range.start, range.end)
    if (!out.atLineStart()) out.add(ending)
  }
  const marker = (bytes: Uint8Array) => {
    out.add(bytes)
    out.add(ending)
  }
  marker(markers.ours)
  section(merge.ours, ours)
  if (style !== 'merge') {
    marker(markers.base)
    section(merge.base, base)
  }
  marker(markers.middle)
  section(merge.theirs, theirs)
  marker(markers.theirs)
}

function addLines(out: Output, side: Side, start: number, end: number): void {
  if (start < end) out.add(side.bytes, offsetOf(side, start), offsetOf(side, end))
}
