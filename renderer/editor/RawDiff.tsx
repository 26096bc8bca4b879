import './editor.css'
import { useEffect, useRef } from 'react'
import type { FileReview, FileSide } from '../../shared/model/index.ts'
import { useMirror } from '../state/react.ts'
import { languageOf } from './language.ts'
import { monaco } from './monaco.ts'
import { OneSide } from './OneSide.tsx'
import { codeFont, lineHeightOf, READING } from './options.ts'

interface Props {
  readonly file: FileReview
  readonly inline: boolean
  /** The change that is current, by its index among the file's raw changes. */
  readonly at: number
  readonly jump: number
}

/** How long a difference may be computed in the worker, in milliseconds; what is found by then is shown. */
const MAX_DIFF_MS = 3000
/** Files longer than this show only what is around their changes; the rest unfolds. */
const FOLD_FROM_LINES = 80

type DiffEditor = ReturnType<typeof monaco.editor.createDiffEditor>

/**
 * The text without its final newline, which an editor would show as one more empty line. Where only one side has one, the
 * file's notes say so.
 */
const shownText = (side: FileSide | null): string =>
  side === null || side.text === null ? '' : side.finalNewline ? side.text.replace(/\r?\n$/, '') : side.text

/** Where a hunk is to be shown: its first line in the new text, or the line before it where it only removes. */
function lineOf(file: FileReview, at: number): number {
  const change = file.raw[at]
  return change?.part === 'lines' ? Math.max(1, change.newStart) : 1
}

/** The raw text of a file: what changed in it, or all of it where the file is new or gone. */
export default function RawDiff(props: Props) {
  const { file, jump } = props
  const { path } = file.file
  const side = file.old === null ? file.new : file.new === null ? file.old : null
  if (side === null) return <Diff {...props} />
  return <OneSide path={path} text={shownText(side)} how={file.old === null ? 'created' : 'deleted'} jump={jump} />
}

/** Old and new text beside each other or in one column. Read only; Tab goes through, F7 steps through the changes. */
function Diff({ file, inline, at, jump }: Props) {
  const box = useRef<HTMLElement>(null)
  const editor = useRef<DiffEditor>(null)
  const fontSize = useMirror((m) => m.info?.settings.editorFontSize ?? 12)
  const path = file.file.path

  useEffect(() => {
    if (!box.current) return
    const made = monaco.editor.createDiffEditor(box.current, {
      ...READING,
      originalEditable: false,
      ignoreTrimWhitespace: false,
      diffAlgorithm: 'advanced',
      maxComputationTime: MAX_DIFF_MS,
      renderIndicators: true,
      renderOverviewRuler: true,
      // Its menus belong to files that can be changed, and outlive an editor that is closed at once.
      renderGutterMenu: false,
      renderMarginRevertIcon: false,
      diffWordWrap: 'on',
      useInlineViewWhenSpaceIsLimited: false,
      fontFamily: codeFont(),
    })
    editor.current = made
    return () => {
      made.dispose()
      editor.current = null
    }
  }, [])

  useEffect(() => {
    editor.current?.updateOptions({
      renderSideBySide: !inline,
      fontSize,
      lineHeight: lineHeightOf(fontSize),
    })
  }, [inline, fontSize])

  useEffect(() => {
    const now = editor.current
    if (!now) return
    const language = languageOf(path)
    const original = monaco.editor.createModel(shownText(file.old), language)
    const modified = monaco.editor.createModel(shownText(file.new), language)
    const long = Math.max(original.getLineCount(), modified.getLineCount()) > FOLD_FROM_LINES
    now.updateOptions({
      hideUnchangedRegions: { enabled: long, contextLineCount: 4 },
    })
    now.getOriginalEditor().updateOptions({ ariaLabel: `Before: ${path}` })
    now.getModifiedEditor().updateOptions({ ariaLabel: `After: ${path}` })
    now.setModel({ original, modified })
    return () => {
      // On leaving the page the editor is gone before its models.
      if (editor.current === now) now.setModel(null)
      original.dispose()
      modified.dispose()
    }
  }, [file.old, file.new, path])

  const first = useRef(jump)
  const line = lineOf(file, at)
  useEffect(() => {
    const now = editor.current
    if (!now) return
    const show = () => {
      now.getModifiedEditor().setPosition({ lineNumber: line, column: 1 })
      now.getModifiedEditor().revealLineInCenterIfOutsideViewport(line)
    }
    show()
    // Only a step that the person took moves the focus; a list that has it keeps it.
    if (first.current !== jump && !document.activeElement?.closest('[data-list]')) now.getModifiedEditor().focus()
    first.current = jump
    const once = now.onDidUpdateDiff(() => {
      show()
      once.dispose()
    })
    return () => once.dispose()
  }, [line, jump])

  return <section className="editor-slot" ref={box} data-read-only="" aria-label={`Differences of ${path}`} />
}
