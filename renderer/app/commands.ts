import { resolverCommands } from '../features/resolver/commands.ts'
import { requestApprove } from '../features/sleep/approving.ts'
import { reviewCommands } from '../features/sleep/commands.ts'
import { currentVerdict } from '../features/sleep/current.ts'
import { type App, go, openOverlay, showToast } from '../state/app.ts'
import { findSet, routeOfSet, setsOf } from '../state/conflicts.ts'
import { LOST_SHORT } from '../state/connection.ts'
import { branchKey } from '../state/mirror.ts'
import { openSample, pickRepository, refreshHistory } from '../state/repositories.ts'
import { refreshReview } from '../state/reviews.ts'
import { changeSettings, refreshVisible } from '../state/start.ts'
import { abort, applyMarks, bringMainIn, cancelRunning, undoLast } from '../state/verbs.ts'
import type { Command } from './command.ts'

const here = (app: App) => {
  const { route } = app.session.getState()
  return route.page === 'landing' ? null : route
}

export const onBranch = (app: App) => {
  const route = here(app)
  return route?.page === 'sleep' ? route : null
}

const needsBranch = (app: App) => (onBranch(app) === null ? 'no sleep branch is shown' : null)
const needsRepository = (app: App) => (here(app) === null ? 'no repository is open' : null)
const needsRemoteless = (app: App) => {
  const route = onBranch(app)
  if (route === null) return 'no sleep branch is shown'
  const review = app.mirror.getState().reviews[branchKey(route.repoId, route.branch)]?.review
  return review?.run.remote ? `it is on the remote ${review.run.remote}` : null
}

const withBranch = (act: (app: App, repoId: string, branch: string) => void) => (app: App) => {
  const route = onBranch(app)
  if (route) act(app, route.repoId, route.branch)
}

const whyNotBring = (app: App) => {
  const steps = currentVerdict(app)?.steps ?? []
  if (steps.includes('bring-main-in')) return null
  return steps.includes('resolve-conflicts') ? 'its conflicts are resolved first' : 'main has not moved'
}

/** The conflicts to show: those of the sleep branch that is shown, else the first. */
const setToShow = (app: App, repoId: string) => {
  const sets = setsOf(app, repoId)
  const branch = onBranch(app)
  const own = branch === null ? null : findSet(sets, { from: 'branch', branch: branch.branch })
  return own ?? sets[0] ?? null
}

const marksLeft = (app: App) => {
  const route = here(app)
  const waiting = route ? app.mirror.getState().repos[route.repoId]?.inbox?.marksWaiting : undefined
  return waiting?.[0] ?? null
}

const theme = (id: 'system' | 'light' | 'dark' | 'high-contrast', label: string): Command => ({
  id: `appearance.${id}`,
  label: `Appearance: ${label}`,
  group: 'Daybreak',
  icon: 'theme',
  run: (app) => void changeSettings(app, { theme: id }),
})

/** Every command, once. */
export const commands: readonly Command[] = [
  ...resolverCommands,
  {
    id: 'sleep.approve',
    label: 'Approve sleep merge',
    group: 'Branch',
    icon: 'check',
    changes: true,
    keys: ['Mod+Enter'],
    refused: (app) => needsBranch(app) ?? currentVerdict(app)?.refused ?? null,
    run: withBranch((app, repoId, branch) => requestApprove(app, repoId, branch, false)),
  },
  {
    id: 'sleep.bringMainInAndApprove',
    label: 'Bring main in and approve',
    group: 'Branch',
    icon: 'merge',
    changes: true,
    refused: (app) =>
      needsRemoteless(app) ??
      (currentVerdict(app)?.steps.includes('bring-main-in-and-approve')
        ? null
        : 'main has not moved, or changed files of this night'),
    run: withBranch((app, repoId, branch) => requestApprove(app, repoId, branch, true)),
  },
  {
    id: 'sleep.bringMainIn',
    label: 'Bring main in',
    group: 'Branch',
    icon: 'merge',
    changes: true,
    refused: (app) => needsRemoteless(app) ?? whyNotBring(app),
    run: withBranch((app, repoId, branch) => void bringMainIn(app, repoId, branch)),
  },
  {
    id: 'sleep.abort',
    label: 'Abort sleep branch',
    group: 'Branch',
    icon: 'cannot',
    changes: true,
    refused: needsRemoteless,
    run: withBranch((app, repoId, branch) => void abort(app, repoId, branch)),
  },
  {
    id: 'sleep.applyMarks',
    label: 'Apply marks again',
    group: 'Branch',
    icon: 'moon',
    changes: true,
    refused: (app) => (marksLeft(app) === null ? 'no mark is left to apply' : null),
    run: (app) => {
      const route = here(app)
      const marks = marksLeft(app)
      if (route && marks) void applyMarks(app, route.repoId, marks.branch)
    },
  },
  {
    id: 'operation.cancel',
    label: 'Cancel what runs',
    group: 'Branch',
    icon: 'close',
    refused: (app) => {
      const route = here(app)
      const running = route ? app.mirror.getState().running[route.repoId] : undefined
      return running?.cancellable ? null : 'nothing runs that can be cancelled'
    },
    run: (app) => {
      const route = here(app)
      if (route) void cancelRunning(app, route.repoId)
    },
  },
  {
    id: 'show-conflicts',
    label: 'Show conflicts',
    group: 'Conflicts',
    icon: 'overlap',
    refused: (app) => {
      const route = here(app)
      return route !== null && setToShow(app, route.repoId) !== null ? null : 'nothing is in conflict'
    },
    run: (app) => {
      const route = here(app)
      const set = route === null ? null : setToShow(app, route.repoId)
      if (route !== null && set !== null) go(app, routeOfSet(route.repoId, set))
    },
  },
  ...reviewCommands,
  {
    id: 'review.reload',
    label: 'Read the changes again',
    group: 'Review',
    icon: 'undo',
    refused: needsBranch,
    run: withBranch((app, repoId, branch) => void refreshReview(app, repoId, branch)),
  },
  {
    id: 'edit.undo',
    label: 'Undo',
    group: 'Daybreak',
    icon: 'undo',
    changes: true,
    keys: ['Mod+z'],
    refused: (app) => (app.overlays.getState().undo.length === 0 ? 'nothing was done here yet' : null),
    run: (app) => void undoLast(app),
  },
  {
    id: 'inbox.show',
    label: 'Inbox',
    group: 'Daybreak',
    icon: 'moon',
    refused: needsRepository,
    run: (app) => {
      const route = here(app)
      if (route) go(app, { page: 'home', repoId: route.repoId })
    },
  },
  {
    id: 'history.show',
    label: 'History',
    group: 'Daybreak',
    icon: 'history',
    refused: needsRepository,
    run: (app) => {
      const route = here(app)
      if (!route) return
      go(app, { page: 'history', repoId: route.repoId })
      void refreshHistory(app, route.repoId)
    },
  },
  {
    id: 'repository.open',
    label: 'Open repository…',
    group: 'Daybreak',
    icon: 'folder',
    keys: ['Mod+o'],
    run: (app) => void pickRepository(app),
  },
  {
    id: 'repository.sample',
    label: 'Try the sample repository',
    group: 'Daybreak',
    icon: 'folder',
    run: (app) => void openSample(app),
  },
  {
    id: 'repository.retry',
    label: 'Read the repository again',
    group: 'Daybreak',
    icon: 'undo',
    refused: needsRepository,
    run: (app) => {
      const route = here(app)
      if (route) refreshVisible(app, route.repoId)
    },
  },
  {
    id: 'trust.show',
    label: "This repository's commands…",
    group: 'Daybreak',
    icon: 'shield',
    refused: needsRepository,
    run: (app) => {
      const route = here(app)
      if (route) openOverlay(app, { kind: 'trust', repoId: route.repoId, branch: null })
    },
  },
  {
    id: 'palette.show',
    label: 'Command palette',
    group: 'Daybreak',
    icon: 'search',
    keys: ['Mod+Shift+P'],
    run: (app) => openOverlay(app, { kind: 'palette' }),
  },
  {
    id: 'shortcuts.show',
    label: 'Keyboard shortcuts',
    group: 'Daybreak',
    icon: 'help',
    keys: ['?', 'Mod+/'],
    run: (app) => openOverlay(app, { kind: 'shortcuts' }),
  },
  {
    id: 'settings.show',
    label: 'Settings…',
    group: 'Daybreak',
    icon: 'gear',
    keys: ['Mod+,'],
    run: (app) => openOverlay(app, { kind: 'settings' }),
  },
  theme('system', 'as the system'),
  theme('light', 'light'),
  theme('dark', 'dark'),
  theme('high-contrast', 'high contrast'),
  {
    id: 'app.about',
    label: 'About Daybreak',
    group: 'Daybreak',
    icon: 'sun',
    run: (app) => openOverlay(app, { kind: 'about' }),
  },
  {
    id: 'app.reload',
    label: 'Reload the page',
    group: 'Daybreak',
    icon: 'undo',
    run: () => location.reload(),
  },
]

export const commandOf = (id: string): Command | undefined => commands.find((c) => c.id === id)

/** Why a command cannot be run now, null where it can. */
export const refusedNow = (app: App, command: Command): string | null =>
  command.changes && !app.mirror.getState().connected ? LOST_SHORT : (command.refused?.(app) ?? null)

/** Runs a command, or says why not. */
export function runCommand(app: App, command: Command): void {
  const refused = refusedNow(app, command)
  if (refused === null) command.run(app)
  else if (command.id !== 'operation.cancel') showToast(app, `${command.label}: ${refused}`, 'plain')
}
