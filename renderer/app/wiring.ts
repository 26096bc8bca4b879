import { useEffect, useState } from 'react'
import { type App, arrive, showToast } from '../state/app.ts'
import { openRepository } from '../state/repositories.ts'
import { routeOf } from '../state/route.ts'
import { refreshVisible } from '../state/start.ts'
import type { Command } from './command.ts'
import { commandOf, commands, runCommand } from './commands.ts'
import { isBare, isEditable, isEditorText, pressIs } from './keys.ts'

/** Back and Forward, and links, change the page. */
export function useHash(app: App): void {
  useEffect(() => {
    const follow = () => arrive(app, routeOf(location.hash))
    addEventListener('hashchange', follow)
    addEventListener('popstate', follow)
    return () => {
      removeEventListener('hashchange', follow)
      removeEventListener('popstate', follow)
    }
  }, [app])
}

/** Whether keys pressed in a field or an editor are a command's: text has its own undo, but for that of the resolver. */
const actsIn = (command: Command, keys: string, target: HTMLElement | null): boolean => {
  if (isBare(keys)) return false
  if (command.inEditor === true) return isEditorText(target)
  return keys !== 'Mod+z'
}

/** The keyboard map: every command with keys, single characters outside editable fields only. */
export function useKeyboard(app: App): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const editable = isEditable(event.target as HTMLElement | null)
      for (const command of commands) {
        for (const keys of command.keys ?? []) {
          if (!pressIs(event, keys)) continue
          if (editable && !actsIn(command, keys, event.target as HTMLElement | null)) continue
          if (command.here?.(app) === false) continue
          const { overlay } = app.overlays.getState()
          if (overlay !== null && command.over !== true) continue
          event.preventDefault()
          event.stopPropagation()
          if (!event.repeat || command.repeats === true) runCommand(app, command)
          return
        }
      }
    }
    // Before the editor sees it, which has its own use for some of these keys.
    addEventListener('keydown', press, true)
    return () => removeEventListener('keydown', press, true)
  }, [app])
}

/** Entries of the native menu run the command of their id. */
export function useNativeCommands(app: App): void {
  useEffect(
    () =>
      app.client.on('app.command', ({ command }) => {
        const known = commandOf(command)
        if (known) runCommand(app, known)
      }),
    [app],
  )
}

/** Coming back to the window reads again what is shown. */
export function useRefreshOnFocus(app: App): void {
  useEffect(() => {
    const again = () => {
      const { route } = app.session.getState()
      if (document.visibilityState === 'visible' && route.page !== 'landing') refreshVisible(app, route.repoId)
    }
    addEventListener('focus', again)
    document.addEventListener('visibilitychange', again)
    return () => {
      removeEventListener('focus', again)
      document.removeEventListener('visibilitychange', again)
    }
  }, [app])
}

/** The path of a dropped folder: what the desktop app's bridge says, else a `file:` address that the drop carries. */
export function droppedPath(data: Pick<DataTransfer, 'getData' | 'files'>): string | null {
  const [file] = data.files
  const told = file === undefined ? undefined : window.daybreak?.pathOfFile?.(file)
  if (told) return told
  const uri = data
    .getData('text/uri-list')
    .split(/\r?\n/)
    .find((line) => line.startsWith('file:'))
  if (uri === undefined) return null
  try {
    const path = decodeURIComponent(new URL(uri).pathname)
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path
  } catch {
    return null
  }
}

/** Folders dropped anywhere on the window are opened. True while something is dragged over it. */
export function useDrop(app: App): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const drag = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files') && !event.dataTransfer?.types.includes('text/uri-list')) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      if (event.dataTransfer === null) return
      event.preventDefault()
      const path = droppedPath(event.dataTransfer)
      if (path !== null) void openRepository(app, path)
      else showToast(app, 'A browser does not say where a dropped folder is. Open it by its path.', 'plain')
    }
    addEventListener('dragover', drag)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', drag)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [app])
  return over
}
