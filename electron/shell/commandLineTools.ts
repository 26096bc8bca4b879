import { existsSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

export interface ToolsPlace {
  /** Where the command is to be: `<home>/.local/bin/daybreak`. */
  readonly link: string
  /** The command that ships with the app. */
  readonly target: string
}

export type InstallOutcome =
  | { readonly installed: true; readonly link: string; readonly onPath: boolean }
  /** Something else has that name; it was left alone. */
  | { readonly installed: false; readonly why: 'taken'; readonly link: string }
  /** The command that ships with the app is in a place that does not last. */
  | { readonly installed: false; readonly why: 'no-lasting-place'; readonly link: string }

/**
 * Links the shipped command into the person's own folder of programs. Only a link is ever replaced; a file of that name is
 * somebody's. `lasting`: false for an AppImage, whose files are there only while it runs.
 */
export function installCommandLine(place: ToolsPlace, path: string, lasting: boolean): InstallOutcome {
  const { link, target } = place
  if (!lasting || !existsSync(target)) return { installed: false, why: 'no-lasting-place', link }
  const there = lstatSync(link, { throwIfNoEntry: false })
  if (there && !there.isSymbolicLink()) return { installed: false, why: 'taken', link }
  if (!there || readlinkSync(link) !== target) {
    mkdirSync(dirname(link), { recursive: true })
    rmSync(link, { force: true })
    symlinkSync(target, link)
  }
  return { installed: true, link, onPath: path.split(delimiter).includes(dirname(link)) }
}

/** Where things are, for a home folder and the folder that holds the shipped `bin/`. */
export function toolsPlace(home: string, shipped: string): ToolsPlace {
  return { link: join(home, '.local', 'bin', 'daybreak'), target: join(shipped, 'bin', 'daybreak') }
}

/** The outcome in words, for the dialog. */
export function installMessage(outcome: InstallOutcome): { message: string; detail: string } {
  if (outcome.installed)
    return {
      message: 'The command daybreak is installed.',
      detail: outcome.onPath
        ? `It is ${outcome.link}.`
        : `It is ${outcome.link}. Add that folder to your PATH to call it by its name.`,
    }
  return outcome.why === 'taken'
    ? {
        message: 'Nothing was installed.',
        detail: `${outcome.link} is there already and is not Daybreak's. It was left alone.`,
      }
    : {
        message: 'Nothing was installed.',
        detail:
          'This copy of Daybreak runs from a place that does not last. Install it, for example from its .deb, first.',
      }
}
