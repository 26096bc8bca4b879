import './editor.css'
import { useEffect, useRef } from 'react'
import { useMirror } from '../state/react.ts'
import { languageOf } from './language.ts'
import { monaco } from './monaco.ts'
import { codeFont, lineHeightOf, READING } from './options.ts'

interface Props {
  readonly path: string
  readonly text: string
  /** Whether the file is new, or gone. */
  readonly how: 'created' | 'deleted'
  readonly jump: number
}

type Editor = ReturnType<typeof monaco.editor.create>

/**
 * A file that is new or gone as a whole: its lines, all added or all removed, and none of a side that it does not have. A
 * diff with nothing would show that nothing as an empty line.
 */
export function OneSide({ path, text, how, jump }: Props) {
  const box = useRef<HTMLElement>(null)
  const editor = useRef<Editor>(null)
  const fontSize = useMirror((m) => m.info?.settings.editorFontSize ?? 12)

  useEffect(() => {
    if (!box.current) return
    const made = monaco.editor.create(box.current, { ...READING, model: null, fontFamily: codeFont(), wordWrap: 'on' })
    editor.current = made
    return () => {
      made.dispose()
      editor.current = null
    }
  }, [])

  useEffect(() => editor.current?.updateOptions({ fontSize, lineHeight: lineHeightOf(fontSize) }), [fontSize])

  useEffect(() => {
    const now = editor.current
    if (!now) return
    const model = monaco.editor.createModel(text, languageOf(path))
    now.setModel(model)
    now.updateOptions({ ariaLabel: `${how === 'created' ? 'After' : 'Before'}: ${path}` })
    if (text !== '')
      now.createDecorationsCollection([
        {
          range: model.getFullModelRange(),
          options: {
            isWholeLine: true,
            className: how === 'created' ? 'line-insert' : 'line-delete',
            marginClassName: how === 'created' ? 'gutter-insert' : 'gutter-delete',
            linesDecorationsClassName: `whole-sign ${how === 'created' ? 'insert' : 'delete'}`,
          },
        },
      ])
    return () => {
      if (editor.current === now) now.setModel(null)
      model.dispose()
    }
  }, [text, path, how])

  // Only a step that the person took moves the focus; a list that has it keeps it.
  const first = useRef(jump)
  useEffect(() => {
    if (first.current !== jump && !document.activeElement?.closest('[data-list]')) editor.current?.focus()
    first.current = jump
  }, [jump])

  return <section className="editor-slot" ref={box} data-read-only="" aria-label={`Differences of ${path}`} />
}
