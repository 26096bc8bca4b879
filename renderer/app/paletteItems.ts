import { leftIn } from '../features/sleep/model/groups.ts'
import { placeOf, viewedAndNext } from '../features/sleep/navigate.ts'
import type { App } from '../state/app.ts'
import { go } from '../state/app.ts'
import { setsOf } from '../state/conflicts.ts'
import type { IconName } from '../ui/Icon.tsx'
import { commands, onBranch, refusedNow } from './commands.ts'
import { conflictRows } from './conflictItems.ts'
import { sidebarItems } from './sidebarItems.ts'

export interface PaletteItem {
  readonly id: string
  readonly group: string
  readonly label: string
  readonly icon: IconName
  readonly keys: string | null
  readonly refused: string | null
  readonly run: () => void
}

/** Everything the palette can do now: the branch's acts, the inbox's items, then the app's commands. */
export function paletteItems(app: App): PaletteItem[] {
  const branch = onBranch(app)
  const { route } = app.session.getState()
  const inbox = route.page === 'landing' ? null : (app.mirror.getState().repos[route.repoId]?.inbox ?? null)
  const all = commands
    .filter((c) => c.id !== 'palette.show')
    .map(
      (c): PaletteItem => ({
        id: c.id,
        group: c.group === 'Branch' ? (branch?.branch ?? 'Sleep branch') : c.group,
        label: c.label,
        icon: c.icon,
        keys: c.keys?.[0] ?? null,
        refused: refusedNow(app, c),
        run: () => c.run(app),
      }),
    )
  const items = (inbox ? sidebarItems(inbox) : []).map(
    (item): PaletteItem => ({
      id: `open:${item.branch}`,
      group: 'Inbox',
      label: `Open ${item.branch}, ${item.number} left`,
      icon: item.tone === 'ok' ? 'ready' : item.tone === 'wait' ? 'needs' : 'cannot',
      keys: null,
      refused: null,
      run: () => {
        if (route.page !== 'landing') go(app, { page: 'sleep', repoId: route.repoId, branch: item.branch })
      },
    }),
  )
  const place = placeOf(app)
  const kinds = (place && place.session.commit === null ? place.groups : []).map(
    (group): PaletteItem => ({
      id: `tick:${group.kind}`,
      group: 'Review',
      label: `Viewed, all ${group.files.length} of ${group.name}`,
      icon: 'check',
      keys: null,
      refused: leftIn(group.files) === 0 ? 'all are viewed' : null,
      run: () => viewedAndNext(app, group.files),
    }),
  )
  const last = new Set(route.page === 'conflict' ? ['Review', 'Daybreak'] : ['Conflicts', 'Review', 'Daybreak'])
  const rest = all.filter((i) => !last.has(i.group))
  const first = [...rest.filter((i) => i.group === 'Conflicts'), ...rest.filter((i) => i.group !== 'Conflicts')]
  const conflicts = route.page === 'landing' ? [] : conflictItems(app, route.repoId)
  const of = (group: string) => all.filter((i) => i.group === group)
  const later = route.page === 'conflict' ? [] : of('Conflicts')
  return [...first, ...items, ...conflicts, ...of('Review'), ...kinds, ...later, ...of('Daybreak')]
}

/** The files in conflict, by path. */
function conflictItems(app: App, repoId: string): PaletteItem[] {
  return conflictRows(repoId, setsOf(app, repoId)).map((row) => ({
    id: `conflict:${row.kind} ${row.id}`,
    group: 'Inbox',
    label: `Open ${row.name}`,
    icon: 'overlap',
    keys: null,
    refused: null,
    run: () => go(app, row.route),
  }))
}

/** A stretch of a label, and whether it was typed. */
export interface Piece {
  /** Where it begins. */
  readonly at: number
  readonly text: string
  readonly hit: boolean
}

interface Match {
  readonly score: number
  readonly pieces: readonly Piece[]
}

/** The first letters of words count most, then stretches, then single letters in order; null where one is missing. */
export function matchLabel(label: string, typed: string): Match | null {
  const needle = typed.trim().toLowerCase()
  if (needle === '') return { score: 0, pieces: [{ at: 0, text: label, hit: false }] }
  const hay = label.toLowerCase()
  const whole = hay.indexOf(needle)
  const hits = new Set<number>()
  let score = 0
  if (whole >= 0) {
    for (let i = 0; i < needle.length; i++) hits.add(whole + i)
    score = 100 - whole + (whole === 0 || /\W/.test(hay[whole - 1] ?? '') ? 100 : 0)
  } else {
    let from = 0
    for (const letter of needle.replaceAll(' ', '')) {
      const at = hay.indexOf(letter, from)
      if (at < 0) return null
      hits.add(at)
      score += at === 0 || /\W/.test(hay[at - 1] ?? '') ? 3 : at === from ? 1 : 0
      from = at + 1
    }
  }
  const pieces: Piece[] = []
  for (let i = 0; i < label.length; i++) {
    const last = pieces.at(-1)
    const hit = hits.has(i)
    if (last && last.hit === hit) pieces[pieces.length - 1] = { ...last, text: last.text + label[i] }
    else pieces.push({ at: i, text: label[i] ?? '', hit })
  }
  return { score, pieces }
}

export interface Found {
  readonly item: PaletteItem
  readonly pieces: readonly Piece[]
}

/** The items that match, in their groups' order; within a group the best first, refused ones last. */
export function findItems(items: readonly PaletteItem[], typed: string): Found[] {
  const found = items.flatMap((item, index) => {
    const match = matchLabel(item.label, typed)
    return match ? [{ item, index, ...match }] : []
  })
  const groups = [...new Set(found.map((f) => f.item.group))]
  const order = (f: (typeof found)[number]) => (f.item.refused === null ? 0 : 1)
  return groups.flatMap((group) =>
    found
      .filter((f) => f.item.group === group)
      .sort((a, b) => order(a) - order(b) || b.score - a.score || a.index - b.index)
      .map(({ item, pieces }) => ({ item, pieces })),
  )
}
