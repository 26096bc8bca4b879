import type { App } from '../state/app.ts'
import type { IconName } from '../ui/Icon.tsx'

/** Something the app can do, by id: what the palette, the keyboard map, native menus and suggestions name. */
export interface Command {
  readonly id: string
  readonly label: string
  readonly group: 'Branch' | 'Conflicts' | 'Review' | 'Daybreak'
  readonly icon: IconName
  readonly keys?: readonly string[]
  /** Acts also while something lies over the page. */
  readonly over?: true
  /** Holding the key does it again. */
  readonly repeats?: true
  /** Its keys mean it only where this holds; elsewhere they are another command's. */
  readonly here?: (app: App) => boolean
  /** Acts also in the text of an editor, which has no such history of its own. */
  readonly inEditor?: true
  /** Changes something kept by the core: cannot be done while there is no connection to it. */
  readonly changes?: true
  /** Why it cannot be done now, null where it can, `hidden` where it makes no sense at all. */
  readonly refused?: (app: App) => string | null
  readonly run: (app: App) => void
}
