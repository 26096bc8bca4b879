const mac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')
const words: Readonly<Record<string, string>> = mac
  ? { Mod: '⌘', Shift: '⇧', Alt: '⌥', Enter: '↩' }
  : { Mod: 'Ctrl', Shift: 'Shift', Alt: 'Alt', Enter: 'Enter' }

/** The keys of `Mod+Shift+P`, as they are called on this machine. */
export const keyNames = (keys: string): string[] =>
  keys.split('+').map((key) => words[key] ?? (key.length === 1 && keys.includes('+') ? key.toUpperCase() : key))

/** `Control+Shift+P`, the form of aria-keyshortcuts. */
export const ariaKeys = (keys: string): string => keys.replace('Mod', mac ? 'Meta' : 'Control')

/** Keys drawn as keys. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className="keys" aria-hidden="true">
      {keyNames(keys).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}
