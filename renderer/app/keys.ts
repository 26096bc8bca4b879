/** A key press, as far as commands care. */
export interface Press {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/**
 * Whether a press is the shortcut `keys`, such as `Mod+Shift+P`, `F7`, `v` or `?`. `Mod` is Ctrl or Cmd. For a single
 * character Shift is part of the character, so `V` is Shift with v and `?` is wherever the keyboard has it.
 */
export function pressIs(press: Press, keys: string): boolean {
  const parts = keys.split('+')
  const key = parts.at(-1) ?? ''
  const mod = parts.includes('Mod')
  if ((press.ctrlKey || press.metaKey) !== mod) return false
  if (press.altKey !== parts.includes('Alt')) return false
  if (key.length === 1 && !mod) return press.key === key
  return press.shiftKey === parts.includes('Shift') && press.key.toLowerCase() === key.toLowerCase()
}

/** Whether a shortcut is a bare character, which acts outside editable fields only. */
export const isBare = (keys: string): boolean => keys.length === 1

interface Target {
  readonly tagName: string
  readonly isContentEditable?: boolean
  readonly type?: string
  readonly className?: string
  closest?(selector: string): unknown
}

const TYPED = /^(?:text|search|number|url|email|password|tel|date|time)$/

/** Whether keys pressed here are text for a field or an editor. An editor that is only read is none. */
export function isEditable(target: Target | null): boolean {
  if (target === null) return false
  const input = target.tagName !== 'TEXTAREA' || target.className?.includes('inputarea') === true
  if (input && target.tagName !== 'INPUT' && target.closest?.('[data-read-only]')) return false
  if (target.tagName === 'TEXTAREA' || target.tagName === 'SELECT' || target.isContentEditable === true) return true
  if (target.tagName === 'INPUT') return TYPED.test(target.type ?? 'text')
  return Boolean(target.closest?.('.monaco-editor'))
}

/** Whether keys pressed here are the text of an editor, and not of a field that lies over it. */
export const isEditorText = (target: Target | null): boolean =>
  target?.className?.includes('inputarea') === true || target?.className?.includes('native-edit-context') === true
