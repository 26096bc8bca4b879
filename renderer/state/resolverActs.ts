import { decide, editResult, layoutOf, type ResultEdit } from '../../shared/merge/draft/index.ts'
import { diffLines } from '../../shared/merge/index.ts'
import type { AuditRow, Draft, DroppedLine, LineDecision } from '../../shared/model/index.ts'
import { type App, say } from './app.ts'
import { act, redo, redoLabel, settle, undo, undoLabel } from './history.ts'
import { draftOf, hasChoice, isChecked, type OpenItem, type Place, type StateName, statesOf } from './resolver.ts'
import { checkSoon, openItem, patchItem, saveSoon } from './resolverItems.ts'
import { decisionWords } from './resolverWords.ts'

/** How long after a hand edit the next one begins an act of its own. */
const TYPING_MS = 800
const typing = new WeakMap<App, ReturnType<typeof setTimeout>>()

function changed(app: App, key: string): void {
  saveSoon(app, key)
  checkSoon(app, key)
}

/** Puts a draft into the history, from where it can be undone. */
function push(
  app: App,
  key: string,
  draft: Draft,
  label: string,
  more: Partial<OpenItem> = {},
  tag: string | null = null,
): void {
  const open = openItem(app, key)
  if (open === null || open.busy || open.resolution.item.state === 'resolved') return
  const history = act(open.history, draft, label, tag)
  patchItem(app, key, { ...more, history, refusal: null })
  if (history !== open.history) changed(app, key)
}

/** The conflict to go to after `from` that `wanted` takes, from the top again where none follows; null where there is none. */
export function nextWith(
  states: readonly StateName[],
  from: number,
  wanted: (state: StateName) => boolean,
): number | null {
  for (let step = 1; step <= states.length; step++) {
    const at = (from + step) % states.length
    if (wanted(states[at] as StateName)) return at
  }
  return null
}

/** Goes to the next open conflict after a decision, and says what was decided. */
function goOn(app: App, key: string, from: number, what: string): void {
  const open = openItem(app, key)
  if (open === null) return
  const states = statesOf(open)
  const next = nextWith(states, from, (state) => state === 'open')
  const done = `Conflict ${from + 1} of ${states.length}: ${what}.`
  if (next === null || next === from) {
    say(app, `${done} No conflict of this file is open.`)
    return
  }
  patchItem(app, key, { current: next, jump: open.jump + 1 })
  const left = states.filter((state) => state === 'open').length
  say(app, `${done} ${left} left. Now at conflict ${next + 1} of ${states.length}, open.`)
}

/** Decides a conflict in the lines, by default the current one, and goes on to the next open one. */
export function take(app: App, key: string, decision: LineDecision, conflict?: number): void {
  const open = openItem(app, key)
  if (open === null || open.model === null) return
  const at = conflict ?? open.current
  if (at >= open.model.conflicts.length) return
  const what = decisionWords(open.resolution, decision)
  push(app, key, decide(draftOf(open), at, decision), `conflict ${at + 1}: ${what}`, { current: at, changing: null })
  goOn(app, key, at, what)
}

/** Opens a decided conflict again. */
export function openAgain(app: App, key: string, conflict: number): void {
  const open = openItem(app, key)
  if (open === null || open.model === null || conflict >= open.model.conflicts.length) return
  const label = `conflict ${conflict + 1}: opened again`
  push(app, key, decide(draftOf(open), conflict, null), label, { current: conflict, changing: null })
  say(app, `Conflict ${conflict + 1} is open again.`)
}

/** Shows the buttons of a decided conflict, or puts them away. */
export function change(app: App, key: string, conflict: number): void {
  const open = openItem(app, key)
  if (open !== null) patchItem(app, key, { changing: open.changing === conflict ? null : conflict, current: conflict })
}

/** Takes one of the choices that are not a matter of lines. */
export function choose(app: App, key: string, id: string | null): void {
  const open = openItem(app, key)
  if (open === null || !hasChoice(open)) return
  const draft = draftOf(open)
  if (draft.choice === id) return
  const at = draft.lines.length
  const choice = open.resolution.item.choices.find((one) => one.id === id)
  if (id !== null && choice === undefined) return
  push(app, key, { ...draft, choice: id }, `choice: ${choice?.label ?? 'none'}`, { current: at })
  if (choice) goOn(app, key, at, choice.label)
}

/** Takes over a hand edit of the result. What is typed in one go is one act, and so is an edit that is `further` of one. */
export function edit(app: App, key: string, one: ResultEdit, further = false): void {
  const open = openItem(app, key)
  if (open === null || open.model === null) return
  const draft = editResult(open.model, draftOf(open), one)
  const last = open.history.entries[open.history.at]?.tag ?? null
  const typed = one.end - one.start === 1 && one.lines.length === 1 ? `line ${one.start}` : `at ${one.start}`
  const tag = further && last !== null ? last : typed
  push(app, key, draft, `edit of line ${one.start + 1}`, {}, tag)
  const timer = typing.get(app)
  if (timer !== undefined) clearTimeout(timer)
  typing.set(
    app,
    setTimeout(() => {
      const now = openItem(app, key)
      if (now) patchItem(app, key, { history: settle(now.history) })
    }, TYPING_MS),
  )
}

/** Conflicts whose word edits do not overlap, open and with their combined text at hand. */
export const simpleOnes = (open: OpenItem): number[] =>
  draftOf(open).lines.flatMap((one, i) =>
    one === null && open.resolution.merge?.conflicts[i]?.combined != null ? [i] : [],
  )

/** Decides every simple conflict by rule, each an act of its own. */
export function resolveSimple(app: App, key: string): void {
  const before = openItem(app, key)
  if (before === null) return
  const simple = simpleOnes(before)
  if (simple.length === 0) return
  for (const at of simple) {
    const open = openItem(app, key)
    if (open === null) return
    const draft = decide(draftOf(open), at, { take: 'combined', by: 'rule' })
    push(app, key, draft, `conflict ${at + 1}: both word edits, by rule`, { changing: null })
  }
  const open = openItem(app, key)
  if (open === null) return
  patchItem(app, key, { current: simple[0] as number, jump: open.jump + 1 })
  const numbers = simple.map((at) => at + 1).join(', ')
  say(app, `${simple.length} decided by rule: ${simple.length === 1 ? 'conflict' : 'conflicts'} ${numbers}.`)
}

export function undoAct(app: App, key: string): void {
  const open = openItem(app, key)
  if (open === null || open.resolution.item.state === 'resolved') return
  step(app, key, open, undo(open.history), `Undone: ${undoLabel(open.history)}`)
}

export function redoAct(app: App, key: string): void {
  const open = openItem(app, key)
  if (open === null || open.resolution.item.state === 'resolved') return
  step(app, key, open, redo(open.history), `Done again: ${redoLabel(open.history)}`)
}

/** Shows what a step in the history changed. */
function step(app: App, key: string, open: OpenItem, history: OpenItem['history'], said: string): void {
  if (history === open.history) return
  const before = draftOf(open)
  const after = draftOf({ ...open, history })
  const line = after.lines.findIndex((one, i) => one !== before.lines[i])
  const at = line >= 0 ? line : after.choice !== before.choice ? after.lines.length : -1
  const where = at >= 0 ? { current: at, jump: open.jump + 1 } : {}
  patchItem(app, key, { history, changing: null, refusal: null, ...where })
  changed(app, key)
  say(app, `${said}.`)
}

/** Goes to the next or previous conflict, of those that the filter names where there is one. */
export function stepConflict(app: App, key: string, by: 1 | -1): void {
  const open = openItem(app, key)
  if (open === null) return
  const states = statesOf(open)
  const fits = (state: StateName | undefined) => open.filter === null || state === open.filter
  for (let at = open.current + by; at >= 0 && at < states.length; at += by)
    if (fits(states[at])) {
      goTo(app, key, at)
      return
    }
  const what = open.filter === null ? 'conflict' : `conflict that is ${open.filter}`
  say(app, by > 0 ? `This is the last ${what}.` : `This is the first ${what}.`)
}

export function goTo(app: App, key: string, conflict: number): void {
  const open = openItem(app, key)
  if (open === null) return
  const states = statesOf(open)
  patchItem(app, key, { current: conflict, jump: open.jump + 1 })
  say(app, `Conflict ${conflict + 1} of ${states.length}, ${states[conflict] ?? 'open'}`)
}

/** Shows a line of one of the texts. */
export function goToLine(app: App, key: string, side: Place['side'], line: number, conflict: number | null): void {
  const open = openItem(app, key)
  if (open === null) return
  patchItem(app, key, {
    place: { side, line, jump: (open.place?.jump ?? 0) + 1 },
    ...(conflict === null ? {} : { current: conflict }),
  })
}

const droppedOf = (row: AuditRow): DroppedLine | null =>
  row.side === 'result' ? null : { side: row.side, text: row.text }

/** Gives lines up on purpose, recorded in the draft. */
export function dropLines(app: App, key: string, rows: readonly AuditRow[]): void {
  const open = openItem(app, key)
  if (open === null) return
  const more = rows.flatMap((row) => droppedOf(row) ?? [])
  const draft = draftOf(open)
  const label = more.length === 1 ? 'a line dropped on purpose' : `${more.length} lines dropped on purpose`
  push(app, key, { ...draft, dropped: [...draft.dropped, ...more] }, label)
  say(app, `${label.charAt(0).toUpperCase()}${label.slice(1)}.`)
}

/** Lines that the result lacks without anyone's decision, as far as the draft is checked. */
export const lostRows = (open: OpenItem): readonly AuditRow[] =>
  isChecked(open) ? (open.check?.value.audit.filter((row) => row.needs) ?? []) : []

/** Gives up every line that is lost without a decision. */
export function dropLost(app: App, key: string): void {
  const open = openItem(app, key)
  if (open !== null && lostRows(open).length > 0) dropLines(app, key, lostRows(open))
}

/** Takes a given-up line back: it is listed as lost again. */
export function undrop(app: App, key: string, row: AuditRow): void {
  const open = openItem(app, key)
  if (open === null) return
  const draft = draftOf(open)
  const at = draft.dropped.findIndex((one) => one.side === row.side && one.text === row.text)
  if (at < 0) return
  push(app, key, { ...draft, dropped: draft.dropped.filter((_, i) => i !== at) }, 'a dropped line taken back')
}

/** Puts a lost line back into the result, where it would stand. */
export function putBack(app: App, key: string, row: AuditRow): void {
  const open = openItem(app, key)
  if (open === null || open.model === null || row.resultLine === null) return
  const draft = draftOf(open)
  const { lines } = layoutOf(open.model, draft)
  const at = Math.min(row.resultLine, lines.at(-1) === '' ? lines.length - 1 : lines.length)
  const next = editResult(open.model, draft, { start: at, end: at, lines: [row.text] })
  push(app, key, next, `put back: ${row.text.trim()}`)
  goToLine(app, key, 'result', at, row.conflict)
  say(app, 'The line is in the result again.')
}

/** Makes the whole result the text that lies in the file. */
export function takeOverDisk(app: App, key: string): void {
  const open = openItem(app, key)
  const text = open?.resolution.onDisk.text
  if (open === null || open.model === null || text === null || text === undefined) return
  const { model } = open
  const { lines } = layoutOf(model, draftOf(open))
  const { edits, now } = diffLines(lines.join('\n'), text)
  const inFile = text.split('\n')
  // From the end on, so that the places of those before stay right. The empty line after a final newline is no line here.
  const next = edits.reduceRight((draft, { oldStart, oldEnd, newStart, newEnd }) => {
    const toEnd = newEnd === now.length
    const end = toEnd && oldEnd === lines.length - 1 && lines.at(-1) === '' ? lines.length : oldEnd
    const put = toEnd && end === lines.length ? inFile.slice(newStart) : inFile.slice(newStart, newEnd)
    return editResult(model, draft, { start: oldStart, end, lines: put })
  }, draftOf(open))
  push(app, key, next, 'what is in the file taken over', { changed: [] })
  say(app, 'The result is what is in the file.')
}

/** Puts away what was told of changes under the page. */
export function clearChanged(app: App, key: string): void {
  const open = openItem(app, key)
  if (open !== null) patchItem(app, key, { changed: [], refusal: null, diskSeen: open.resolution.onDisk.digest })
}
