import { EventEmitter } from 'node:events'
import type { Frame, Page } from '@playwright/test'
import { doubleState } from './state.ts'

/** `app://daybreak/…` as Chromium can show it, which cannot be taught a scheme from outside. */
export const shownAs = (address: string) => address.replace(/^app:\/\/([^/]+)/, 'http://$1.app.localhost')
const meantBy = (address: string) => address.replace(/^http:\/\/([^/]+)\.app\.localhost/, 'app://$1')

export type SchemeHandler = (request: Request) => Promise<Response>
type InvokeHandler = (event: unknown, ...args: unknown[]) => unknown
type OpenHandler = (details: { url: string }) => { action: 'allow' | 'deny' }

export const schemes = new Map<string, SchemeHandler>()
export const invokeHandlers = new Map<string, InvokeHandler>()

/** A frame as Electron tells of it: the same object for the same frame. */
class FrameMain {
  readonly #frame: Frame
  constructor(frame: Frame) {
    this.#frame = frame
  }
  get url(): string {
    return meantBy(this.#frame.url())
  }
}

/** One page of Chromium, as a WebContents. */
export class WebContents extends EventEmitter {
  #page: Page | null = null
  #openHandler: OpenHandler = () => ({ action: 'allow' })
  readonly #frames = new Map<Frame, FrameMain>()
  readonly ready: Promise<Page>

  constructor() {
    super()
    this.ready = this.#start()
  }

  async #start(): Promise<Page> {
    const { browser, preload } = doubleState()
    const page = await browser.newPage()
    this.#page = page
    await page.exposeBinding('electronInvoke', async ({ frame }, channel: string, args: unknown[]) => {
      const handler = invokeHandlers.get(channel)
      if (!handler) throw new Error(`Error invoking remote method '${channel}': No handler registered`)
      return handler({ senderFrame: this.#frameMain(frame), sender: this }, ...args)
    })
    await page.exposeBinding('electronOpen', (_source, url: string) => {
      doubleState().openAnswers.push(this.#openHandler({ url }).action)
    })
    await page.addInitScript(`(() => { const preload = (require) => {${preload}\n}; (${runtime})(preload) })()`)
    await page.route('**/*', async (route) => {
      const request = route.request()
      const address = meantBy(request.url())
      if (request.isNavigationRequest() && request.frame() === page.mainFrame() && page.url() !== 'about:blank') {
        let prevented = false
        this.emit('will-navigate', { url: address, preventDefault: () => (prevented = true) })
        if (prevented) return route.abort('aborted')
      }
      const handler = schemes.get(new URL(address).protocol.slice(0, -1))
      if (!handler) return route.abort('failed')
      const answer = await handler(new Request(address, { method: request.method() }))
      return route.fulfill({
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: Buffer.from(await answer.arrayBuffer()),
      })
    })
    page.on('load', () => this.emit('did-finish-load'))
    return page
  }

  #frameMain(frame: Frame): FrameMain {
    const known = this.#frames.get(frame) ?? new FrameMain(frame)
    this.#frames.set(frame, known)
    return known
  }

  get mainFrame(): FrameMain | null {
    return this.#page === null ? null : this.#frameMain(this.#page.mainFrame())
  }

  getURL(): string {
    return this.#page === null ? '' : meantBy(this.#page.url())
  }

  isDestroyed(): boolean {
    return this.#page?.isClosed() ?? false
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler
  }

  send(channel: string, ...args: unknown[]): void {
    const tell = ([name, given]: [string, unknown[]]) =>
      dispatchEvent(new CustomEvent(`electron:${name}`, { detail: given }))
    // A page that is going away hears nothing, as in Electron.
    void this.#page?.evaluate(tell, [channel, args] as [string, unknown[]]).catch(() => {})
  }
}

/** What the preload script finds in the page. Sent to the page as text. */
const runtime = `(preload) => {
  const fail = (error) => { throw new Error(String(error.message).replace(/^.*?Error: /, 'Error invoking remote method: ')) }
  const heard = new Map()
  const electron = {
    contextBridge: { exposeInMainWorld: (name, api) => Object.defineProperty(window, name, { value: Object.freeze(api) }) },
    ipcRenderer: {
      invoke: (channel, ...args) => window.electronInvoke(channel, args).catch(fail),
      on: (channel, listener) => {
        const hear = (event) => listener({}, ...event.detail)
        heard.set(listener, hear)
        addEventListener('electron:' + channel, hear)
      },
      removeListener: (channel, listener) => removeEventListener('electron:' + channel, heard.get(listener)),
    },
    webUtils: { getPathForFile: (file) => window.pathsOfDropped?.[file.name] ?? '' },
  }
  window.open = (url) => { void window.electronOpen(new URL(url, location.href).href); return null }
  preload((name) => { if (name === 'electron') return electron; throw new Error('no ' + name + ' in a sandbox') })
}`
