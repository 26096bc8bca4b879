/** The four editors, with everything that they are made of: loaded once, when first asked for. */
export const loadMergeEditors = () => import('./MergeEditors.tsx')

let asked = false

/** Loads them ahead of the first conflict that is opened, once the page has nothing else to do. */
export function preloadMergeEditors(): void {
  if (asked) return
  asked = true
  // A load that fails is tried again, and told, by the page that needs it.
  const load = () => void loadMergeEditors().catch(() => {})
  if ('requestIdleCallback' in globalThis) requestIdleCallback(load, { timeout: 2000 })
  else setTimeout(load, 200)
}
