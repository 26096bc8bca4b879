import 'monaco-editor/features/register.all'
import 'monaco-editor/languages/definitions/register.all'
import * as monaco from 'monaco-editor/editor'
import EditorWorker from 'monaco-editor/editor/editor.worker?worker'
import { themeOf } from './theme.ts'

self.MonacoEnvironment = { getWorker: () => new EditorWorker() }

/** Shows the appearance of the page. Each has a theme of its own: one that is defined anew keeps its old inks in part. */
const applyTheme = () => {
  const style = getComputedStyle(document.documentElement)
  const appearance = document.documentElement.dataset.theme ?? 'light'
  const name = `daybreak-${appearance}`
  monaco.editor.defineTheme(
    name,
    themeOf(appearance, (token) => style.getPropertyValue(token).trim()),
  )
  monaco.editor.setTheme(name)
}

applyTheme()
new MutationObserver(applyTheme).observe(document.documentElement, {
  attributes: true,
  attributeFilter: ['data-theme'],
})

export { monaco }
