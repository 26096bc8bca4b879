/** The parts of a Monaco theme that are set here. */
export interface EditorTheme {
  base: 'vs' | 'vs-dark' | 'hc-black'
  inherit: boolean
  rules: { token: string; foreground?: string; fontStyle?: string }[]
  colors: Record<string, string>
}

const bases = { light: 'vs', dark: 'vs-dark', 'high-contrast': 'hc-black' } as const

/** `#rrggbb` of a token's hex colour, also from the short form; Monaco understands nothing else. */
export function hex(colour: string): string {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(colour)
  if (short)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`
  return /^#[0-9a-f]{6}(?:[0-9a-f]{2})?$/i.test(colour) ? colour : '#808080'
}

interface Inks {
  readonly plain: string
  readonly quiet: string
  readonly name: string
  readonly text: string
}

/** Markup languages whose tokens the base theme colours by name, so that they are named here too. */
const MARKUP = ['', '.html', '.xml', '.md'] as const

/** Syntax in four inks: colour is for what changed, not for what kind of word it is. */
const rulesOf = (inks: Inks): EditorTheme['rules'] => [
  { token: '', foreground: inks.plain },
  { token: 'comment', foreground: inks.quiet },
  { token: 'string', foreground: inks.text },
  { token: 'keyword', foreground: inks.plain, fontStyle: 'bold' },
  { token: 'number', foreground: inks.plain },
  { token: 'type', foreground: inks.plain },
  ...MARKUP.flatMap((language) => [
    { token: `tag${language}`, foreground: inks.name },
    { token: `metatag${language}`, foreground: inks.quiet },
    { token: `metatag.content${language}`, foreground: inks.quiet },
    { token: `delimiter${language}`, foreground: inks.quiet },
    { token: `attribute.name${language}`, foreground: inks.name },
    { token: `attribute.value${language}`, foreground: inks.text },
    { token: `comment${language}`, foreground: inks.quiet },
    { token: `string${language}`, foreground: inks.text },
    { token: `keyword${language}`, foreground: inks.plain, fontStyle: 'bold' },
  ]),
]

/** The editor's theme for an appearance, from the tokens that `read` gives. */
export function themeOf(appearance: string, read: (token: string) => string): EditorTheme {
  const of = (token: string) => hex(read(token))
  const bare = (token: string) => of(token).slice(1)
  return {
    base: bases[appearance as keyof typeof bases] ?? 'vs',
    inherit: true,
    rules: rulesOf({ plain: bare('--ink-1'), quiet: bare('--ink-3'), name: bare('--ink-2'), text: bare('--link') }),
    colors: {
      ...(appearance === 'high-contrast'
        ? { 'diffEditor.insertedTextBorder': of('--add-bar'), 'diffEditor.removedTextBorder': of('--del-bar') }
        : {}),
      'editor.background': of('--bg-canvas'),
      'editor.foreground': of('--ink-1'),
      'editorLineNumber.foreground': of('--ink-3'),
      'editorLineNumber.activeForeground': of('--ink-1'),
      'editor.selectionBackground': of('--bg-selected'),
      'editor.lineHighlightBorder': of('--line'),
      'editorWidget.background': of('--bg-subtle'),
      'editorWidget.border': of('--line-strong'),
      'editorGutter.background': of('--bg-canvas'),
      'scrollbar.shadow': of('--bg-canvas'),
      'editorOverviewRuler.warningForeground': of('--wait'),
      'editorOverviewRuler.infoForeground': of('--line-control'),
      focusBorder: of('--focus'),
      'diffEditor.insertedLineBackground': of('--add-bg'),
      'diffEditor.insertedTextBackground': of('--add-word'),
      'diffEditor.removedLineBackground': of('--del-bg'),
      'diffEditor.removedTextBackground': of('--del-word'),
      'diffEditorGutter.insertedLineBackground': of('--add-bg'),
      'diffEditorGutter.removedLineBackground': of('--del-bg'),
      'diffEditorOverview.insertedForeground': of('--add-bar'),
      'diffEditorOverview.removedForeground': of('--del-bar'),
      'diffEditor.diagonalFill': of('--line'),
      'diffEditor.border': of('--line'),
      'diffEditor.unchangedRegionBackground': of('--bg-subtle'),
      'diffEditor.unchangedRegionForeground': of('--ink-2'),
      'diffEditor.unchangedRegionShadow': of('--line'),
    },
  }
}
