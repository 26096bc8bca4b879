import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { EVENT, INVOKE } from './shell/channels.ts'

contextBridge.exposeInMainWorld('daybreak', {
  invoke: async (method: string, params: unknown): Promise<unknown> =>
    JSON.parse(await ipcRenderer.invoke(INVOKE, JSON.stringify({ method, params }))),
  subscribe: (listener: (event: string, payload: unknown) => void): (() => void) => {
    const hear = (_event: unknown, text: string) => {
      const { event, payload } = JSON.parse(text)
      listener(event, payload)
    }
    ipcRenderer.on(EVENT, hear)
    return () => ipcRenderer.removeListener(EVENT, hear)
  },
  /** The path of a file or folder that was dropped on the page. */
  pathOfFile: (file: File): string => webUtils.getPathForFile(file),
})
