import type { Command } from '../../app/command.ts'
import type { App } from '../../state/app.ts'
import { setIncluded } from '../../state/reviews.ts'
import { hasText } from './model/changes.ts'
import { placeOf, setToTick, shownFile, stepChange, stepCommit, stepFile, viewedAndNext, walkTo } from './navigate.ts'

const needsReview = (app: App) => (placeOf(app) === null ? 'no changes are shown' : null)
const needsFile = (app: App) => (placeOf(app)?.file ? null : 'no file is shown')
const needsWholeRun = (app: App) =>
  needsFile(app) ?? (placeOf(app)?.session.commit === null ? null : 'ticks are for the whole run, not for one commit')

/** Goes from the memory's text to the raw lines and back. */
function toggleRaw(app: App): void {
  const { memoryView, rawView } = app.session.getState()
  app.session.setState({ memoryView: memoryView === 'text' ? rawView : 'text' })
}

/** What can be done in a review by name and by key. */
export const reviewCommands: readonly Command[] = [
  {
    id: 'review.viewedAndNext',
    label: 'Viewed and next',
    group: 'Review',
    icon: 'check',
    changes: true,
    keys: ['v'],
    refused: needsWholeRun,
    run: (app) => viewedAndNext(app),
  },
  {
    id: 'review.viewedAlike',
    label: 'Viewed, all that are alike or of the kind in focus',
    group: 'Review',
    icon: 'check',
    changes: true,
    keys: ['V'],
    refused: needsWholeRun,
    run: (app) => {
      const place = placeOf(app)
      const row = (document.activeElement as HTMLElement | null)?.dataset.row
      if (place) viewedAndNext(app, setToTick(place, row))
    },
  },
  {
    id: 'review.include',
    label: 'Include this file, or leave it out',
    group: 'Review',
    icon: 'check',
    changes: true,
    keys: ['x'],
    refused: (app) => {
      const file = placeOf(app)?.file
      return needsWholeRun(app) ?? (file?.cannotLeaveOut ? 'the store itself keeps this file' : null)
    },
    run: (app) => {
      const place = placeOf(app)
      if (place?.file) void setIncluded(app, place.review, [place.file.path], !place.file.included)
    },
  },
  {
    id: 'review.nextFile',
    label: 'Next file',
    group: 'Review',
    icon: 'down',
    keys: [']'],
    repeats: true,
    refused: needsFile,
    run: (app) => void stepFile(app, 1),
  },
  {
    id: 'review.previousFile',
    label: 'Previous file',
    group: 'Review',
    icon: 'up',
    keys: ['['],
    repeats: true,
    refused: needsFile,
    run: (app) => void stepFile(app, -1),
  },
  {
    id: 'review.nextChange',
    label: 'Next change',
    group: 'Review',
    icon: 'down',
    keys: ['n', 'F7'],
    repeats: true,
    refused: needsFile,
    run: (app) => stepChange(app, 1),
  },
  {
    id: 'review.previousChange',
    label: 'Previous change',
    group: 'Review',
    icon: 'up',
    keys: ['p', 'Shift+F7'],
    repeats: true,
    refused: needsFile,
    run: (app) => stepChange(app, -1),
  },
  {
    id: 'review.nextCommit',
    label: 'Walk to the next commit',
    group: 'Review',
    icon: 'right',
    keys: ['}'],
    refused: needsReview,
    run: (app) => stepCommit(app, 1),
  },
  {
    id: 'review.previousCommit',
    label: 'Walk to the previous commit',
    group: 'Review',
    icon: 'left',
    keys: ['{'],
    refused: needsReview,
    run: (app) => stepCommit(app, -1),
  },
  {
    id: 'review.allCommits',
    label: 'Show the whole run',
    group: 'Review',
    icon: 'undo',
    refused: (app) => (placeOf(app)?.session.commit ? null : 'the whole run is shown'),
    run: (app) => walkTo(app, null),
  },
  {
    id: 'review.raw',
    label: 'Memory text or raw lines',
    group: 'Review',
    icon: 'file',
    keys: ['r'],
    refused: (app) => {
      const place = placeOf(app)
      const shown = place ? shownFile(app, place) : null
      return shown && hasText(shown) ? null : 'this file is no memory'
    },
    run: toggleRaw,
  },
  {
    id: 'review.inline',
    label: 'Side by side or inline',
    group: 'Review',
    icon: 'file',
    keys: ['i'],
    refused: needsFile,
    run: (app) => {
      const { memoryView, rawView } = app.session.getState()
      const next = rawView === 'side' ? 'inline' : 'side'
      app.session.setState({ rawView: next, memoryView: memoryView === 'text' ? 'text' : next })
    },
  },
  {
    id: 'review.filter',
    label: 'Filter the changes',
    group: 'Review',
    icon: 'filter',
    keys: ['/'],
    refused: needsReview,
    run: () => {
      document.getElementById('filter-path')?.focus()
    },
  },
]
