import { type Browser, chromium, type Page } from '@playwright/test'
import { CHROMIUM_ARGS, chromiumPath, VIEWPORT } from '../e2e/browser.ts'
import { AppPage } from '../e2e/pages/app.ts'
import { startServer } from '../e2e/server.ts'
import { RUN, type TestRepo, withHome } from '../e2e/support/index.ts'

export interface OpenFigures {
  /** From the page's first byte to the frame that shows the inbox, in milliseconds. */
  readonly inboxMs: number
  /** From choosing the branch to the frame that shows its changes, in milliseconds. */
  readonly reviewMs: number
  /** Frames a second while the list of changes is scrolled from end to end. */
  readonly framesPerSecond: number
  /** The longest time between two frames of that, in milliseconds. */
  readonly longestFrameMs: number
}

/** Notes on the page when the first element that matches is painted. */
async function notePaint(page: Page, selector: string, as: string): Promise<void> {
  await page.addInitScript(
    ([wanted, name]) => {
      const look = () => {
        if (!document.querySelector(wanted as string)) return requestAnimationFrame(look)
        // The frame after the one in which it was found has been painted.
        return requestAnimationFrame(() => Reflect.set(window, name as string, performance.now()))
      }
      requestAnimationFrame(look)
    },
    [selector, as],
  )
}

/** Opens the app on a repository in a real browser and measures what a person waits for. */
export async function measureOpening(repo: TestRepo): Promise<OpenFigures> {
  const executablePath = chromiumPath()
  const browser = await chromium.launch({ args: [...CHROMIUM_ARGS], ...(executablePath ? { executablePath } : {}) })
  const server = await startServer(withHome(), repo.dir)
  try {
    return await measure(browser, server.url)
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function measure(browser: Browser, url: string): Promise<OpenFigures> {
  const page = await browser.newPage({ viewport: VIEWPORT, reducedMotion: 'reduce' })
  await notePaint(page, 'nav[aria-label="Inbox"] a[href*="sleep"]', 'inboxPainted')
  await page.goto(url)
  await page.waitForFunction(() => Reflect.has(window, 'inboxPainted'))
  const inboxMs = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    return Number(Reflect.get(window, 'inboxPainted')) - (navigation?.responseStart ?? 0)
  })
  const app = new AppPage(page)
  const started = Date.now()
  await app.item(RUN).click()
  const sleep = app.sleep(RUN)
  await sleep.rows.first().waitFor()
  const reviewMs = Date.now() - started
  // The widest group is opened so that the list holds every changed file.
  for (const shut of await sleep.changes.getByRole('button', { expanded: false }).all()) await shut.click()
  return { inboxMs, reviewMs, ...(await scrollChanges(page)) }
}

/** Scrolls the list of changes for three seconds, a screen every few frames, and counts the frames. */
export function scrollChanges(page: Page): Promise<Pick<OpenFigures, 'framesPerSecond' | 'longestFrameMs'>> {
  return page.evaluate(async () => {
    const list = document.querySelector('[data-list="changes"]')
    if (!list) throw new Error('there is no list of changes')
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
    const first = await frame()
    let [last, frames, longest, down] = [first, 0, 0, true]
    while (last - first < 3000) {
      const at = list.scrollTop
      list.scrollTop += down ? 160 : -160
      if (list.scrollTop === at) down = !down
      const now = await frame()
      longest = Math.max(longest, now - last)
      last = now
      frames += 1
    }
    return { framesPerSecond: (frames * 1000) / (last - first), longestFrameMs: longest }
  })
}
