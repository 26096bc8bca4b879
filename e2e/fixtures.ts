import { type Browser, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import { VIEWPORT } from './browser.ts'
import { AppPage } from './pages/app.ts'
import { type CliResult, runCli, type Server, startServer } from './server.ts'
import { type TestHome, type TestRepo, withHome } from './support/index.ts'

interface LaunchOptions {
  /** Another home than the test's own. */
  readonly home?: TestHome
  /** More environment for the server. */
  readonly env?: Record<string, string>
  readonly context?: BrowserContextOptions
  /** Runs on the page before it goes anywhere. */
  readonly before?: (page: Page) => Promise<void>
}

/** A running app in a window of its own. */
export interface RunningApp extends AppPage {
  readonly server: Server
  /** Closes the window and ends the server. */
  quit(): Promise<void>
}

interface Fixtures {
  readonly home: TestHome
  /** Starts `daybreak serve` on a repository or folder (null: none) and opens it in the browser. */
  readonly launch: (where: TestRepo | string | null, options?: LaunchOptions) => Promise<RunningApp>
  /** Runs the command line on a repository, on the same home as the app. */
  readonly cli: (repo: TestRepo, ...args: string[]) => Promise<CliResult>
  /** What a page complained of: script errors, console errors, CSP violations, requests to elsewhere. */
  readonly complaints: string[]
}

/** Notes everything that a sound page does not do. */
async function watch(page: Page, origin: string, complaints: string[]): Promise<void> {
  page.on('pageerror', (error) => complaints.push(`script error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !/^(?:data|blob):/.test(url)) complaints.push(`request to ${url}`)
  })
  await page.exposeFunction('cspViolated', (what: string) => complaints.push(`CSP violation: ${what}`))
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      const report = Reflect.get(window, 'cspViolated') as (what: string) => void
      report(`${event.violatedDirective} ${event.blockedURI}`)
    })
  })
}

async function newWindow(
  browser: Browser,
  server: Server,
  options: LaunchOptions,
  complaints: string[],
): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce', ...options.context })
  const page = await context.newPage()
  await watch(page, server.origin, complaints)
  await options.before?.(page)
  return page
}

export const test = base.extend<Fixtures>({
  home: async ({ browserName: _ }, use) => use(withHome()),
  complaints: [
    async ({ browserName: _ }, use) => {
      const complaints: string[] = []
      await use(complaints)
      expect(complaints, 'what the page complained of').toEqual([])
    },
    { auto: true },
  ],
  launch: async ({ browser, home, complaints }, use) => {
    const servers: Server[] = []
    await use(async (where, options = {}) => {
      const folder = where === null || typeof where === 'string' ? where : where.dir
      const server = await startServer(options.home ?? home, folder, options.env)
      servers.push(server)
      const page = await newWindow(browser, server, options, complaints)
      await page.goto(server.url)
      const quit = async () => {
        await page.context().close()
        await server.stop()
      }
      return Object.assign(new AppPage(page), { server, quit })
    })
    for (const context of browser.contexts()) await context.close()
    for (const server of servers) await server.stop()
  },
  cli: async ({ home }, use) => {
    await use((repo, ...args) => runCli(home, repo.dir, args))
  },
})

/**
 * One server and one window for all tests of a describe block: starting both takes longer than most tests. The
 * repository is built once; after a failed test everything is made anew for those that follow.
 */
export function shareApp<R extends TestRepo>(
  build: () => R,
): { readonly repo: R; readonly page: Page; readonly app: AppPage } {
  const complaints: string[] = []
  let running: { repo: R; server: Server; page: Page; app: AppPage } | null = null
  test.beforeAll(async ({ browser }) => {
    const repo = build()
    const server = await startServer(withHome(), repo.dir)
    const page = await newWindow(browser, server, {}, complaints)
    running = { repo, server, page, app: new AppPage(page) }
    await page.goto(server.url)
  })
  test.afterEach(() => {
    expect(complaints.splice(0), 'what the page complained of').toEqual([])
  })
  test.afterAll(async () => {
    await running?.page.context().close()
    await running?.server.stop()
    running = null
  })
  const now = () => {
    if (running === null) throw new Error('the app is shared by the tests of one describe block')
    return running
  }
  return {
    get repo() {
      return now().repo
    },
    get page() {
      return now().page
    },
    get app() {
      return now().app
    },
  }
}

export { expect } from '@playwright/test'
