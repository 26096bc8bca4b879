/** Pictures of a carriage return, the first of which no side holds is taken. */
const MARKS = ['\u240d', '\u21b5', '\u23ce', '\ue00d', '\ue01d', '\ue02d']

/** The character that stands for a carriage return within a line: editors would break the line there. */
export function markFor(texts: readonly Uint8Array[]): string {
  const holds = (mark: string) => texts.some((bytes) => buffer(bytes).includes(mark))
  return MARKS.find((mark) => !holds(mark)) ?? '\ue00d'
}

const buffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
