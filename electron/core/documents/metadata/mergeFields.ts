import { isDeepStrictEqual } from 'node:util'
import { fieldTextOf } from './fieldTexts.ts'

/** The sides of a document, as they are to be merged by line. */
export interface FieldSides {
  readonly base: Buffer | null
  readonly ours: Buffer
  readonly theirs: Buffer
}

/**
 * Merges the fields (front matter, metas) of three versions one by one, so that edits of different fields never meet as
 * lines. Theirs stays as it is; base gets theirs' fields, ours gets theirs' with what ours itself changed. A field that
 * both changed differently keeps base's value in base, and so becomes a conflict. Ours without any fields keeps theirs'.
 */
export function mergeFields(path: string, sides: FieldSides): FieldSides {
  const text = fieldTextOf(path)
  if (text === null) return sides
  const base = sides.base ?? Buffer.alloc(0)
  const [b, o, t] = [text.read(base), text.read(sides.ours), text.read(sides.theirs)]
  if (b === null || o === null || t === null) return sides
  if (isDeepStrictEqual(o, t))
    return sides.base === null ? sides : { ...sides, base: text.takeFrom(base, sides.theirs) }
  if (Object.keys(t).length === 0) return sides
  const ours: Record<string, unknown> = {}
  const before: Record<string, unknown> = {}
  if (Object.keys(o).length > 0)
    for (const name of new Set([...Object.keys(b), ...Object.keys(o), ...Object.keys(t)])) {
      const [was, mine, other] = [b[name] ?? null, o[name] ?? null, t[name] ?? null]
      if (isDeepStrictEqual(mine, was) || isDeepStrictEqual(mine, other)) continue
      ours[name] = mine
      if (!isDeepStrictEqual(other, was)) before[name] = was
    }
  return {
    base: sides.base === null ? null : text.set(text.takeFrom(base, sides.theirs), before, base),
    ours: text.set(text.takeFrom(sides.ours, sides.theirs), ours, sides.ours),
    theirs: sides.theirs,
  }
}
