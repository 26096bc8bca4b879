import 'monaco-editor/features/register.all'
import 'monaco-editor/languages/definitions/register.all'
import * as monaco from 'monaco-editor/editor'
import EditorWorker from 'monaco-editor/editor/editor.worker?worker'
import { themeOf } from './theme.ts'

const THEME = 'daybreak'

self.MonacoEnvironment = { getWorker: () => new EditorWorker() }

const applyTheme = () => {
  const style = getComputedStyle(document.documentElement)
  const appearance = document.documentElement.dataset.theme ?? 'light'
  monaco.editor.defineTheme(
    THEME,
    themeOf(appearance, (token) => style.getPropertyValue(token).trim()),
  )
  monaco.editor.setTheme(THEME)
}

applyTheme()
new MutationObserver(applyTheme).observe(document.documentElement, {
  attributes: true,
  attributeFilter: ['data-theme'],
})

export { monaco, THEME }
