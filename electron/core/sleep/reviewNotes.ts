import type { LineDiff } from '../../../shared/merge/lines.ts'
import type { FileSide } from '../../../shared/model/review.ts'
import { SUBMODULE, SYMLINK } from './reviewKinds.ts'

const count = (n: number, one: string) => `${n.toLocaleString('en-US')} ${one}${n === 1 ? '' : 's'}`

const ENCODINGS: Readonly<Record<FileSide['encoding'], string>> = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8 with a byte order mark',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  latin1: 'Latin-1',
  binary: 'bytes',
}
const EOLS: Readonly<Record<FileSide['eol'], string>> = { lf: 'LF', crlf: 'CRLF', mixed: 'mixed', none: 'none' }

/** What differs in modes, in words; empty where the modes are the same or one side is missing. */
export function modeNotes(oldMode: string | null, newMode: string | null): string[] {
  if (oldMode === null || newMode === null || oldMode === newMode) return []
  const what = (mode: string) => (mode === SYMLINK ? 'a symbolic link' : mode === SUBMODULE ? 'a submodule' : 'a file')
  if (what(oldMode) !== what(newMode)) return [`It was ${what(oldMode)} and is ${what(newMode)} now.`]
  if (newMode === '100755') return [`It is executable now (mode ${oldMode} → ${newMode}).`]
  if (oldMode === '100755') return [`It is not executable any more (mode ${oldMode} → ${newMode}).`]
  return [`Mode ${oldMode} → ${newMode}.`]
}

/** What a memory's fields do not show, in words. */
export function memoryNotes(fields: readonly string[]): string[] {
  if (fields.includes('markup')) return ['Its text is the same; the markup around it changed.']
  return fields.includes('formatting') ? ['Only the way it is written changed; what it says is the same.'] : []
}

/** What differs in encoding and final newline, in words. */
export function sideNotes(old: FileSide | null, now: FileSide | null): string[] {
  const notes = [...linkNotes(old, now), ...wideNotes(old, now)]
  const latin = [old, now].some((side) => side?.encoding === 'latin1')
  if (old && now && old.encoding !== now.encoding && old.encoding !== 'binary' && now.encoding !== 'binary')
    notes.push(`Encoding changed from ${ENCODINGS[old.encoding]} to ${ENCODINGS[now.encoding]}.`)
  if (latin) notes.push('Not valid UTF-8: shown as Latin-1, saved bytes stay as they are.')
  const links = old?.mode === SYMLINK || now?.mode === SYMLINK
  if (!links && old && now && old.text !== null && now.text !== null && old.text !== '' && now.text !== '') {
    if (old.finalNewline && !now.finalNewline) notes.push('The newline at the end of the file was removed.')
    if (!old.finalNewline && now.finalNewline) notes.push('A newline was added at the end of the file.')
  }
  if (now?.eol === 'mixed') notes.push('Its line endings are mixed.')
  return notes
}

/** Where a symbolic link leads, since what is shown as its text is that and no content. */
function linkNotes(old: FileSide | null, now: FileSide | null): string[] {
  const target = (side: FileSide | null) => (side?.mode === SYMLINK ? side.text : null)
  const [from, to] = [target(old), target(now)]
  if (from !== null && to !== null)
    return from === to ? [`Symbolic link to ${to}.`] : [`Symbolic link: ${from} → ${to}.`]
  if (to !== null) return [`Symbolic link to ${to}.`]
  return from === null ? [] : [`It was a symbolic link to ${from}.`]
}

/** Text in two bytes a character: not what the file's bytes look like. A change of encoding is said on its own. */
function wideNotes(old: FileSide | null, now: FileSide | null): string[] {
  const side = now ?? old
  if (side?.encoding !== 'utf-16le' && side?.encoding !== 'utf-16be') return []
  return [`${ENCODINGS[side.encoding]} text, shown decoded.`]
}

/** Why a file that is a memory by its name and metas is not shown as one. */
export function tooLargeNotes(large: boolean): string[] {
  return large ? ['This memory is too large to be read as one (over 2 MB or 50,000 lines): its lines are shown.'] : []
}

/** What a line diff shows badly: line endings and whitespace, in words. */
export function lineNotes(diff: LineDiff, old: FileSide, now: FileSide): string[] {
  const notes: string[] = []
  let ends = 0
  let onlyEnds = 0
  let onlyBlanks = 0
  for (const edit of diff.edits) {
    const gone = diff.old.slice(edit.oldStart, edit.oldEnd)
    const come = diff.now.slice(edit.newStart, edit.newEnd)
    if (lengthOf(gone) > LOOKED_AT || lengthOf(come) > LOOKED_AT) continue
    ends += changedEnds(gone, come)
    const [old, now] = [gone.join(''), come.join('')]
    if (sameBut(old, now, (code, next) => code === 13 && next === 10)) onlyEnds++
    else if (sameBut(old, now, isBlank)) onlyBlanks++
  }
  if (ends > 0) {
    const how = old.eol !== now.eol ? ` from ${EOLS[old.eol]} to ${EOLS[now.eol]}` : ''
    const only = onlyEnds === diff.edits.length ? '; nothing else did' : ''
    notes.push(`Line endings changed${how} (${count(ends, 'line')})${only}.`)
  }
  if (onlyBlanks > 0)
    notes.push(
      onlyBlanks === diff.edits.length
        ? `Only whitespace changed (${count(onlyBlanks, 'place')}).`
        : `${count(onlyBlanks, 'change')} of ${diff.edits.length} ${onlyBlanks === 1 ? 'is' : 'are'} whitespace only.`,
    )
  return notes
}

/** Longer changes, in characters, are not looked at for what of them is whitespace. */
const LOOKED_AT = 2_000_000
const lengthOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length, 0)

const isBlank = (code: number) =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff || (code >= 0x2000 && code <= 0x200a)

/** Whether two texts are the same but for characters that are passed over. Ends at the first that differs. */
function sameBut(a: string, b: string, over: (code: number, next: number) => boolean): boolean {
  const skip = (text: string, from: number) => {
    let at = from
    while (at < text.length && over(text.charCodeAt(at), text.charCodeAt(at + 1))) at++
    return at
  }
  let i = skip(a, 0)
  let j = skip(b, 0)
  while (i < a.length && j < b.length) {
    if (a.charCodeAt(i) !== b.charCodeAt(j)) return false
    i = skip(a, i + 1)
    j = skip(b, j + 1)
  }
  return i >= a.length && j >= b.length
}

/** How many lines are the same but for how they end. */
function changedEnds(gone: readonly string[], come: readonly string[]): number {
  const waiting = new Map<string, number>()
  const ended = (line: string) => line.endsWith('\n')
  const swapped = (line: string) => (line.endsWith('\r\n') ? `${line.slice(0, -2)}\n` : `${line.slice(0, -1)}\r\n`)
  for (const line of gone) if (ended(line)) waiting.set(line, (waiting.get(line) ?? 0) + 1)
  let found = 0
  for (const line of come) {
    if (!ended(line)) continue
    const left = waiting.get(swapped(line)) ?? 0
    if (left === 0) continue
    waiting.set(swapped(line), left - 1)
    found++
  }
  return found
}

/** A size for people. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return count(bytes, 'byte')
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
