/** What every editor that only shows a file has alike. Tab goes through it. */
export const READING = {
  readOnly: true,
  domReadOnly: true,
  automaticLayout: true,
  renderLineHighlight: 'none',
  lineDecorationsWidth: 20,
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
  overviewRulerLanes: 0,
  overviewRulerBorder: false,
  hideCursorInOverviewRuler: true,
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  contextmenu: false,
  links: false,
  tabFocusMode: true,
  lineNumbersMinChars: 3,
  fontLigatures: false,
  unicodeHighlight: { ambiguousCharacters: false },
  stickyScroll: { enabled: false },
  folding: false,
  glyphMargin: false,
  padding: { top: 8, bottom: 8 },
} as const

/** The height of a line for a size of letters, both in pixels. */
export const lineHeightOf = (fontSize: number): number => Math.round(fontSize * 1.67)

/** The code font as the page's tokens have it. */
export const codeFont = (): string => getComputedStyle(document.documentElement).getPropertyValue('--font-code')
