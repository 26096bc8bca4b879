import { monaco } from '../monaco.ts'

export type Editor = ReturnType<typeof monaco.editor.create>
export type Model = ReturnType<typeof monaco.editor.createModel>
export type Decorations = ReturnType<Editor['createDecorationsCollection']>

/** Texts with more lines or characters than this, or one longer line, are shown without syntax and other costly help. */
const LIGHT = { lines: 20_000, characters: 2_000_000, line: 10_000 }
/** Of a longer line only so many characters are drawn at once. */
const DRAWN_CHARACTERS = 100_000

/** Whether a text is too large for what costs time in proportion to it. */
export function isLarge(text: string): boolean {
  if (text.length > LIGHT.characters) return true
  let lines = 0
  let at = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
    if (end - at > LIGHT.line || ++lines > LIGHT.lines) return true
    at = end + 1
  }
  return text.length - at > LIGHT.line
}

/** How an editor looks and what it is called. */
export interface Looks {
  /** In pixels. */
  readonly fontSize: number
  readonly label: string
}

/** 20 px for the usual 12. */
export const lineHeightOf = (fontSize: number): number => Math.round((fontSize * 5) / 3)

/** An editor as the merge uses it: no help that writes or moves text of its own accord, Tab goes on to the next control. */
export function createEditor(host: HTMLElement, readOnly: boolean, { fontSize, label }: Looks): Editor {
  return monaco.editor.create(host, {
    model: null,
    ariaLabel: label,
    fontSize,
    lineHeight: lineHeightOf(fontSize),
    readOnly,
    domReadOnly: readOnly,
    automaticLayout: true,
    tabFocusMode: true,
    minimap: { enabled: false },
    scrollBeyondLastLine: false,
    contextmenu: false,
    links: false,
    folding: false,
    glyphMargin: true,
    lineNumbersMinChars: 4,
    lineDecorationsWidth: 16,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-code'),
    fontLigatures: false,
    wordWrap: 'off',
    stopRenderingLineAfter: DRAWN_CHARACTERS,
    unusualLineTerminators: 'off',
    renderLineHighlight: 'none',
    occurrencesHighlight: 'off',
    selectionHighlight: false,
    matchBrackets: 'never',
    bracketPairColorization: { enabled: false },
    guides: { indentation: false, bracketPairs: false },
    stickyScroll: { enabled: false },
    quickSuggestions: false,
    suggestOnTriggerCharacters: false,
    wordBasedSuggestions: 'off',
    parameterHints: { enabled: false },
    hover: { enabled: 'off' },
    codeLens: false,
    colorDecorators: false,
    inlineSuggest: { enabled: false },
    autoClosingBrackets: 'never',
    autoClosingQuotes: 'never',
    autoSurround: 'never',
    autoIndent: 'keep',
    formatOnPaste: false,
    formatOnType: false,
    trimAutoWhitespace: false,
    detectIndentation: false,
    dragAndDrop: false,
    dropIntoEditor: { enabled: false },
    pasteAs: { enabled: false },
    overviewRulerLanes: readOnly ? 0 : 2,
    overviewRulerBorder: false,
    hideCursorInOverviewRuler: true,
    scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
    unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: false, nonBasicASCII: false },
  })
}

/** A model of a text with `\n` endings, whatever the system's own are; without syntax. */
export function createModel(text: string): Model {
  const model = monaco.editor.createModel(text, 'plaintext')
  model.setEOL(monaco.editor.EndOfLineSequence.LF)
  model.updateOptions({ trimAutoWhitespace: false })
  return model
}

/** One history: what Monaco would undo by itself is the page's to undo. */
export function leaveUndoToPage(): void {
  const { CtrlCmd, Shift } = monaco.KeyMod
  const { KeyY, KeyZ } = monaco.KeyCode
  monaco.editor.addKeybindingRules(
    [CtrlCmd | KeyZ, CtrlCmd | KeyY, CtrlCmd | Shift | KeyZ].map((keybinding) => ({ keybinding, command: null })),
  )
}
