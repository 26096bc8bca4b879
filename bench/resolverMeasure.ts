import type { Browser, Page } from '@playwright/test'
import { VIEWPORT } from '../e2e/browser.ts'
import { ResolverPage } from '../e2e/pages/resolver.ts'
import type { Server } from '../e2e/server.ts'

/** What a person waits for on the page of one conflict, in milliseconds. */
export interface ResolverFigures {
  /** From the navigation of a new window to the editors' code being loaded ahead of their first use. */
  readonly loadMs: number
  /** From the arrival of its data to the frame that shows the editors with the current conflict. */
  readonly openMs: number
  /** From asking for the end of the result to the frame that shows it. */
  readonly scrollMs: number
  /** From a pressed key to the frame that shows its letter in the result. */
  readonly keyMs: number
}

/** Notes when an answer with a merge arrived, and when something that was asked for is painted. */
async function watchPage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const found = { arrived: 0 }
    Reflect.set(window, 'resolverWatch', found)
    const note = ({ data }: MessageEvent) => {
      if (found.arrived === 0 && typeof data === 'string' && data.includes('"regions":'))
        found.arrived = performance.now()
    }
    Reflect.set(
      window,
      'WebSocket',
      class extends WebSocket {
        constructor(url: string | URL) {
          super(url)
          this.addEventListener('message', note)
        }
      },
    )
  })
}

/** The time at which a text is first painted in a region, from now on. */
const paintOf = (page: Page, text: string, selector = '[aria-label="Editor Result"] .view-line') =>
  page.evaluate(
    ([wanted, where]) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const lines = [...document.querySelectorAll(where as string)]
          if (!lines.some((line) => line.textContent?.replaceAll('\u00a0', ' ').includes(wanted as string)))
            return requestAnimationFrame(look)
          // The frame after the one in which it was found has been painted.
          return requestAnimationFrame(() => resolve(performance.now()))
        }
        look()
      }),
    [text, selector],
  )

/**
 * Waits until the editors' code is loaded and run, which the app does by itself while a conflict waits, and until the
 * page has nothing to do. The time at which it was there.
 */
const loadedEditors = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (!performance.getEntriesByType('resource').some((one) => one.name.includes('MergeEditors')))
            return requestAnimationFrame(look)
          const rules = [...document.styleSheets].some((sheet) => (sheet.href ?? '').includes('MergeEditors'))
          if (!rules) return requestAnimationFrame(look)
          return requestIdleCallback(() => requestIdleCallback(() => resolve(performance.now())))
        }
        look()
      }),
  )

const now = (page: Page) => page.evaluate(() => performance.now())

export interface Asked {
  readonly title: string
  readonly path: string
  /** Name of the conflict whose bar shows that the page is there. */
  readonly conflict: string
  /** A text in what is seen of the result's end. */
  readonly end: string
}

/** Opens a conflict in a new window and measures what a person waits for. */
export async function measureResolver(browser: Browser, server: Server, asked: Asked): Promise<ResolverFigures> {
  const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce' })
  const page = await context.newPage()
  try {
    await watchPage(page)
    await page.goto(server.url)
    const resolver = new ResolverPage(page)
    await resolver.overview(asked.title)
    const loadMs = await loadedEditors(page)
    const painted = paintOf(page, asked.conflict, '.merge-bar')
    await resolver.file(asked.path).click()
    const shown = await painted
    const arrived = await page.evaluate(() => (Reflect.get(window, 'resolverWatch') as { arrived: number }).arrived)
    if (arrived === 0 || arrived > shown) throw new Error('the arrival of the data was not seen')
    await resolver.checked()

    await resolver.result.focus()
    const beganScroll = await now(page)
    const end = paintOf(page, asked.end)
    await page.keyboard.press('ControlOrMeta+End')
    const scrollMs = (await end) - beganScroll

    const typed = paintOf(page, '§')
    const beganKey = await now(page)
    await page.keyboard.insertText('§')
    const keyMs = (await typed) - beganKey
    return { loadMs, openMs: shown - arrived, scrollMs, keyMs }
  } finally {
    await context.close()
  }
}
