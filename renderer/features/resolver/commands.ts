import type { LineDecision } from '../../../shared/model/index.ts'
import type { Command } from '../../app/command.ts'
import { type App, go, say } from '../../state/app.ts'
import { findSet, setsOf } from '../../state/conflicts.ts'
import { canRedo, canUndo } from '../../state/history.ts'
import type { OpenItem } from '../../state/resolver.ts'
import {
  choose,
  dropLost,
  lostRows,
  redoAct,
  resolveSimple,
  simpleOnes,
  stepConflict,
  take,
  undoAct,
} from '../../state/resolverActs.ts'
import { shownItem } from '../../state/resolverItems.ts'
import { copyState, markResolved, proceed } from '../../state/resolverVerbs.ts'
import { firstChoice } from './model/choices.ts'
import { whyNotResolved } from './model/reasons.ts'

export const onConflicts = (app: App): boolean => app.session.getState().route.page === 'conflict'

const NONE = 'no conflict is shown'

const needsItem = (app: App): string | null => {
  const shown = shownItem(app)
  if (shown === null) return NONE
  return shown.open.resolution.item.state === 'resolved' ? 'it is resolved; open it again first' : null
}

const withItem = (run: (app: App, key: string, open: OpenItem) => void) => (app: App) => {
  const shown = shownItem(app)
  if (shown !== null) run(app, shown.key, shown.open)
}

/** The set that is shown; null where none is. */
export function shownSet(app: App) {
  const { route } = app.session.getState()
  return route.page === 'conflict' ? findSet(setsOf(app, route.repoId), route.source) : null
}

/** Whether the current conflict is the choice beside the lines. */
const atChoice = (open: OpenItem): boolean => open.model === null || open.current >= open.model.conflicts.length

/** Decides the current conflict: a conflict in the lines by text, the choice by its side. */
const decideBy = (decision: LineDecision, side: 'ours' | 'theirs' | 'both' | 'base') =>
  withItem((app, key, open) => {
    if (!atChoice(open)) return take(app, key, decision)
    const choice = firstChoice(open.resolution.item.choices, side)
    if (choice) choose(app, key, choice.id)
    else say(app, 'This conflict has no such choice.')
  })

/** Goes to the next or previous file of the set. */
export function stepItem(app: App, by: 1 | -1): void {
  const { route } = app.session.getState()
  const set = shownSet(app)
  if (route.page !== 'conflict' || set === null) return
  const at = set.items.findIndex((item) => item.id === route.item)
  const to = route.item === undefined ? (by > 0 ? set.items[0] : set.items.at(-1)) : set.items[at + by]
  if (to === undefined) {
    say(app, by > 0 ? 'This is the last file.' : 'This is the first file.')
    return
  }
  go(app, { page: 'conflict', repoId: route.repoId, source: route.source, item: to.id })
  say(app, `${to.path}. ${to.sentence}`)
}

const base = { group: 'Conflicts', here: onConflicts } as const

/** What can be done about conflicts by name and by key. */
export const resolverCommands: readonly Command[] = [
  {
    ...base,
    id: 'conflict.next',
    label: 'Next conflict',
    icon: 'down',
    keys: ['n', 'F7'],
    repeats: true,
    refused: needsItem,
    run: withItem((app, key) => stepConflict(app, key, 1)),
  },
  {
    ...base,
    id: 'conflict.previous',
    label: 'Previous conflict',
    icon: 'up',
    keys: ['p', 'Shift+F7'],
    repeats: true,
    refused: needsItem,
    run: withItem((app, key) => stepConflict(app, key, -1)),
  },
  {
    ...base,
    id: 'conflict.ours',
    label: 'Accept the first side',
    icon: 'left',
    keys: ['1', 'Alt+1'],
    refused: needsItem,
    run: decideBy({ take: 'ours', by: 'mine' }, 'ours'),
  },
  {
    ...base,
    id: 'conflict.theirs',
    label: 'Accept the second side',
    icon: 'right',
    keys: ['2', 'Alt+2'],
    refused: needsItem,
    run: decideBy({ take: 'theirs', by: 'mine' }, 'theirs'),
  },
  {
    ...base,
    id: 'conflict.both',
    label: 'Accept both',
    icon: 'merge',
    keys: ['3', 'Alt+3'],
    refused: needsItem,
    run: decideBy({ take: 'ours-then-theirs', by: 'mine' }, 'both'),
  },
  {
    ...base,
    id: 'conflict.bothTheirsFirst',
    label: 'Accept both, the second side first',
    icon: 'swap',
    refused: needsItem,
    run: withItem((app, key) => take(app, key, { take: 'theirs-then-ours', by: 'mine' })),
  },
  {
    ...base,
    id: 'conflict.base',
    label: 'Keep base',
    icon: 'history',
    keys: ['0', 'Alt+0'],
    refused: needsItem,
    run: decideBy({ take: 'base', by: 'mine' }, 'base'),
  },
  {
    ...base,
    id: 'conflict.simple',
    label: 'Resolve simple conflicts',
    icon: 'wand',
    keys: ['s'],
    refused: (app) => {
      const shown = shownItem(app)
      return needsItem(app) ?? (shown && simpleOnes(shown.open).length > 0 ? null : 'no open conflict is simple')
    },
    run: withItem((app, key) => resolveSimple(app, key)),
  },
  {
    ...base,
    id: 'conflict.undo',
    label: 'Undo in this file',
    icon: 'undo',
    keys: ['Mod+z'],
    repeats: true,
    inEditor: true,
    here: (app) => {
      const shown = shownItem(app)
      return shown !== null && needsItem(app) === null && canUndo(shown.open.history)
    },
    refused: (app) => {
      const shown = shownItem(app)
      return needsItem(app) ?? (shown && canUndo(shown.open.history) ? null : 'nothing was done in this file')
    },
    run: withItem((app, key) => undoAct(app, key)),
  },
  {
    ...base,
    id: 'conflict.redo',
    label: 'Redo in this file',
    icon: 'redo',
    keys: ['Mod+Shift+Z', 'Mod+y'],
    repeats: true,
    inEditor: true,
    refused: (app) => {
      const shown = shownItem(app)
      return needsItem(app) ?? (shown && canRedo(shown.open.history) ? null : 'nothing was undone in this file')
    },
    run: withItem((app, key) => redoAct(app, key)),
  },
  {
    ...base,
    id: 'conflict.dropLost',
    label: 'Drop all lost lines on purpose',
    icon: 'check',
    keys: ['d'],
    refused: (app) => {
      const shown = shownItem(app)
      return needsItem(app) ?? (shown && lostRows(shown.open).length > 0 ? null : 'no line is lost')
    },
    run: withItem((app, key) => dropLost(app, key)),
  },
  {
    ...base,
    id: 'conflict.foldBase',
    label: 'Fold or unfold base',
    icon: 'file',
    keys: ['b'],
    refused: (app) => needsItem(app) ?? (shownItem(app)?.open.model === null ? 'no editors are shown' : null),
    run: (app) => app.resolver.setState(({ baseFolded }) => ({ baseFolded: !baseFolded })),
  },
  {
    ...base,
    id: 'conflict.resolve',
    label: 'Mark resolved',
    icon: 'check',
    changes: true,
    keys: ['Mod+Enter'],
    here: (app) => shownItem(app) !== null,
    refused: (app) => {
      const shown = shownItem(app)
      return shown === null ? NONE : whyNotResolved(shown.open)
    },
    run: withItem((app, key) => void markResolved(app, key)),
  },
  {
    ...base,
    id: 'conflict.nextFile',
    label: 'Next file in conflict',
    icon: 'down',
    keys: [']'],
    repeats: true,
    refused: (app) => (shownSet(app) === null ? 'no conflicts are shown' : null),
    run: (app) => stepItem(app, 1),
  },
  {
    ...base,
    id: 'conflict.previousFile',
    label: 'Previous file in conflict',
    icon: 'up',
    keys: ['['],
    repeats: true,
    refused: (app) => (shownSet(app) === null ? 'no conflicts are shown' : null),
    run: (app) => stepItem(app, -1),
  },
  {
    ...base,
    id: 'conflict.overview',
    label: 'Show all files in conflict',
    icon: 'overlap',
    refused: (app) => (onConflicts(app) ? null : 'no conflicts are shown'),
    run: (app) => {
      const { route } = app.session.getState()
      if (route.page === 'conflict') go(app, { page: 'conflict', repoId: route.repoId, source: route.source })
    },
  },
  {
    ...base,
    id: 'conflict.continue',
    label: 'Continue what git stopped in',
    icon: 'merge',
    changes: true,
    keys: ['Mod+Enter'],
    here: (app) => onConflicts(app) && shownItem(app) === null,
    refused: (app) => {
      const set = shownSet(app)
      return set === null ? 'no conflicts are shown' : set.proceed.able ? null : set.proceed.why
    },
    run: (app) => {
      const { route } = app.session.getState()
      const set = shownSet(app)
      if (set !== null && route.page === 'conflict') void proceed(app, route.repoId, set)
    },
  },
  {
    ...base,
    id: 'conflict.copyState',
    label: 'Copy state as JSON',
    icon: 'copy',
    refused: (app) => (shownItem(app) === null ? NONE : null),
    run: withItem((app, key) => void copyState(app, key)),
  },
]
