import type { Theme } from '../../shared/model/index.ts'

export type Appearance = 'light' | 'dark' | 'high-contrast'

interface Os {
  readonly dark: boolean
  readonly moreContrast: boolean
}

/** What is shown for a setting; `system` follows the OS, and there the wish for contrast goes before dark. */
export function appearanceOf(theme: Theme, os: Os): Appearance {
  if (theme !== 'system') return theme
  if (os.moreContrast) return 'high-contrast'
  return os.dark ? 'dark' : 'light'
}

/** Shows a theme and follows the OS while it is `system`. Returns what stops that. */
export function followTheme(theme: Theme): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const contrast = matchMedia('(prefers-contrast: more)')
  const show = () => {
    const appearance = appearanceOf(theme, { dark: dark.matches, moreContrast: contrast.matches })
    if (document.documentElement.dataset.theme !== appearance) document.documentElement.dataset.theme = appearance
  }
  show()
  dark.addEventListener('change', show)
  contrast.addEventListener('change', show)
  return () => {
    dark.removeEventListener('change', show)
    contrast.removeEventListener('change', show)
  }
}
