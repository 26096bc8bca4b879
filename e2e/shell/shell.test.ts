import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { ConflictList } from '../../shared/model/index.ts'
import { buildRepo } from '../support/index.ts'
import type { MenuEntry } from './double/state.ts'
import { type Launch, type LaunchOptions, launchShell, startChromium } from './launch.ts'

let browser: Browser
let folder: string
let running: Launch | null = null

beforeAll(async () => {
  browser = await startChromium()
})
afterAll(() => browser.close())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daybreak-shell-'))
})
afterEach(async () => {
  for (const window of running?.windows() ?? []) window.close()
  if (running?.state.first) await running.state.exited
  running = null
  rmSync(folder, { recursive: true })
})

const home = () => join(folder, 'home')

async function start(options: Partial<LaunchOptions> = {}): Promise<Launch> {
  running = await launchShell({ browser, home: home(), ...options })
  return running
}
/** The page, once it is loaded. */
async function shown(launch: Launch): Promise<Page> {
  const page = await launch.page()
  await vi.waitFor(() => expect(page.url()).toContain('app.localhost'))
  await page.waitForLoadState('load')
  return page
}

interface Bridge {
  invoke(method: string, params: unknown): Promise<unknown>
  subscribe(listener: (event: string, payload: unknown) => void): () => void
  pathOfFile(file: File): string
}
declare global {
  interface Window {
    heard?: unknown[]
    pathsOfDropped?: Record<string, string>
  }
}
const ask = (page: Page, method: string, params: unknown) =>
  page.evaluate(([name, given]) => (window as unknown as { daybreak: Bridge }).daybreak.invoke(name, given), [
    method,
    params,
  ] as const)
/** Collects events in the page; resolves the way to read them. */
async function listen(page: Page): Promise<() => Promise<unknown[]>> {
  await page.evaluate(() => {
    const heard: unknown[] = []
    window.heard = heard
    const { daybreak } = window as unknown as { daybreak: Bridge }
    daybreak.subscribe((event, payload) => heard.push({ event, payload }))
  })
  return () => page.evaluate(() => window.heard ?? [])
}
const entry = (menu: readonly MenuEntry[], label: string): MenuEntry | undefined => {
  for (const item of menu) {
    const found = item.label === label ? item : entry(item.submenu ?? [], label)
    if (found) return found
  }
  return undefined
}

test('as a merge tool it runs beside the app, ends once its file is resolved, and with 1 where its window was closed', async () => {
  const repo = buildRepo(undefined, { commits: [{ message: 'base', files: { 'a.txt': 'x\n' } }] })
  const file = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const call = { base: null, ours: file('o', 'ours\n'), theirs: file('t', 'theirs\n'), merged: join(repo.dir, 'a.txt') }
  for (const end of ['resolve', 'close'] as const) {
    process.env.DAYBREAK_MERGETOOL = JSON.stringify(call)
    const launch = await start({ argv: [repo.dir] })
    expect(process.env.DAYBREAK_MERGETOOL).toBeUndefined()
    const page = await shown(launch)
    expect(await ask(page, 'app.info', {})).toMatchObject({ result: { tool: true, initial: repo.dir } })
    if (end === 'close') {
      launch.window().close()
      expect(await launch.state.exited).toBe(1)
      continue
    }
    const opened = (await ask(page, 'repo.open', { path: repo.dir })) as { result: { id: string } }
    const repoId = opened.result.id
    const listed = (await ask(page, 'conflicts.list', { repoId })) as { result: ConflictList }
    const [item] = listed.result.sets[0]?.items ?? []
    const draft = { version: 1, lines: [{ take: 'theirs', by: 'mine' }], edits: [], choice: null, dropped: [] }
    const given = { repoId, source: { from: 'tool' }, item: item?.id, fingerprint: item?.fingerprint, draft }
    expect(await ask(page, 'conflicts.resolve', { ...given, overDisk: null })).toMatchObject({
      result: { resolved: true },
    })
    expect(await launch.state.exited).toBe(0)
    expect(readFileSync(call.merged, 'utf8')).toBe('theirs\n')
  }
})

test('calls and events go both ways through the preload script', async () => {
  const page = await shown(await start())
  expect(await ask(page, 'app.info', {})).toMatchObject({ ok: true, result: { name: 'Daybreak', host: 'electron' } })
  expect(await ask(page, '__proto__', {})).toMatchObject({ ok: false, error: { code: 'ERR_BAD_REQUEST' } })
  const heard = await listen(page)
  running?.state.app?.emit('open-file', { preventDefault() {} }, '/some/repository')
  await vi.waitFor(async () =>
    expect(await heard()).toEqual([{ event: 'app.openRequested', payload: { path: '/some/repository' } }]),
  )
})

test('a frame that is not our page may ask nothing', async () => {
  const launch = await start()
  const page = await shown(launch)
  const answer = await page.evaluate(async () => {
    const frame = document.body.appendChild(document.createElement('iframe'))
    const inner = frame.contentWindow as unknown as { daybreak: Bridge }
    return inner.daybreak.invoke('app.info', {}).then(
      () => 'answered',
      (error: Error) => error.message,
    )
  })
  expect(answer).toContain('may not ask')
  const { invokeHandlers } = await import('./double/page.ts')
  const handler = invokeHandlers.get('daybreak:invoke')
  const own = launch.window().webContents
  const text = JSON.stringify({ method: 'app.info', params: {} })
  const call = async (event: unknown) => handler?.(event, text)
  await expect(call({ senderFrame: null, sender: own })).rejects.toThrow('may not ask')
  await expect(call({ senderFrame: { url: 'app://daybreak/' }, sender: own })).rejects.toThrow('may not ask')
  const stranger = { mainFrame: { url: 'app://daybreak/' } }
  await expect(call({ senderFrame: stranger.mainFrame, sender: stranger })).rejects.toThrow('may not ask')
  await expect(call({ senderFrame: own.mainFrame, sender: own })).resolves.toContain('"ok":true')
})

test('navigation away from the page is refused', async () => {
  const page = await shown(await start())
  const before = await page.title()
  for (const address of ['https://evil.example/', 'http://other.app.localhost/', 'http://localhost:1/']) {
    const refused = page.waitForEvent('requestfailed')
    await page.evaluate((to) => {
      location.href = to
    }, address)
    await refused
    expect(new URL(page.url()).origin).toBe('http://daybreak.app.localhost')
    expect(await page.title()).toBe(before)
  }
  expect(await ask(page, 'app.info', {})).toMatchObject({ ok: true })
})

test('no window is opened; only an address of the list goes to the browser', async () => {
  const launch = await start()
  const page = await shown(launch)
  const tried = [
    'https://evil.example/',
    'https://git-scm.com/docs',
    'file:///etc/passwd',
    'https://git-scm.com.evil.example/',
  ]
  for (const address of tried) await page.evaluate((to) => window.open(to), address)
  await vi.waitFor(() => expect(launch.state.openAnswers).toHaveLength(tried.length))
  expect(launch.state.openedOutside).toEqual(['https://git-scm.com/docs'])
  expect(launch.state.openAnswers).toEqual(tried.map(() => 'deny'))
  expect(launch.windows()).toHaveLength(1)
  expect(page.context().pages()).toHaveLength(1)
})

test('the folder dialog gives the chosen folder, or nothing when it is dismissed', async () => {
  const launch = await start()
  const page = await shown(launch)
  launch.state.dialogAnswers.push({ canceled: false, filePaths: ['/chosen'] }, { canceled: true, filePaths: [] })
  expect(await ask(page, 'repo.pick', {})).toEqual({ ok: true, result: { path: '/chosen' } })
  expect(await ask(page, 'repo.pick', {})).toEqual({ ok: true, result: { path: null } })
  expect(launch.state.dialogs).toEqual(Array(2).fill({ title: 'Open repository', properties: ['openDirectory'] }))
})

test('the menu opens a repository and runs commands of the page, with their shortcuts', async () => {
  const launch = await start()
  const page = await shown(launch)
  const heard = await listen(page)
  await vi.waitFor(() => expect(launch.state.menu).not.toEqual([]))
  const open = entry(launch.state.menu, 'Open repository…')
  expect(open).toMatchObject({ accelerator: 'CmdOrCtrl+O', registerAccelerator: false })
  open?.click?.()
  await vi.waitFor(async () =>
    expect(await heard()).toContainEqual({ event: 'app.command', payload: { command: 'repository.open' } }),
  )
  const palette = entry(launch.state.menu, 'Command palette…')
  expect(palette).toMatchObject({ accelerator: 'CmdOrCtrl+Shift+P', registerAccelerator: false })
  palette?.click?.()
  await vi.waitFor(async () =>
    expect(await heard()).toContainEqual({ event: 'app.command', payload: { command: 'palette.show' } }),
  )
})

test('a second instance hands its folder over and ends; the first comes to the front and shows it', async () => {
  const launch = await start()
  const page = await shown(launch)
  const heard = await listen(page)
  launch.window().minimized = true
  launch.state.app?.emit('second-instance', {}, [], '/', { folder: '/from/second' })
  await vi.waitFor(async () =>
    expect(await heard()).toEqual([{ event: 'app.openRequested', payload: { path: '/from/second' } }]),
  )
  expect(launch.window()).toMatchObject({ minimized: false, focused: true })
  launch.state.app?.emit('second-instance', {}, [], '/', { folder: 7 })
  launch.window().close()
  expect(await launch.state.exited).toBe(0)

  const second = await start({ first: false, argv: ['--some-switch', folder] })
  expect(await second.state.exited).toBe(0)
  expect(second.state.lockData).toEqual({ folder })
  expect(second.windows()).toEqual([])
})

test('a folder argument is what the app shows first', async () => {
  const page = await shown(await start({ argv: [folder] }))
  expect(await ask(page, 'app.info', {})).toMatchObject({ result: { initial: folder } })
})

test('a dropped folder has a path, and the page says that one can be dropped', async () => {
  const page = await shown(await start())
  await page.getByText('Or drop a folder anywhere in this window.').waitFor()
  const path = await page.evaluate(() => {
    window.pathsOfDropped = { notes: '/home/me/notes' }
    return (window as unknown as { daybreak: Bridge }).daybreak.pathOfFile(new File([], 'notes'))
  })
  expect(path).toBe('/home/me/notes')
})

test('a folder dropped on the window is opened, a file within one too, and what is none says so', async () => {
  const page = await shown(await start())
  const repo = buildRepo(undefined, { commits: [{ message: 'base', files: { 'notes/a.txt': 'x\n' } }] })
  const drop = (path: string) =>
    page.evaluate((dropped) => {
      window.pathsOfDropped = { dropped }
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([], 'dropped'))
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    }, path)
  await page.getByText('Or drop a folder').waitFor()
  for (const path of [join(repo.dir, 'notes'), join(repo.dir, 'notes/a.txt')]) {
    await page.evaluate(() => {
      location.hash = ''
    })
    await page.getByText('Or drop a folder').waitFor()
    await drop(path)
    await page.getByRole('navigation', { name: 'Inbox' }).waitFor()
    await vi.waitFor(async () => expect(await page.title()).toContain(basename(repo.dir)))
  }
  await drop(folder)
  await page
    .getByText(/is not inside a git repository/)
    .first()
    .waitFor()
})

test('recent repositories are in the menu, the dock and the jump list, those that are gone are not', async () => {
  const launch = await start()
  const page = await shown(launch)
  const heard = await listen(page)
  await vi.waitFor(() => expect(entry(launch.state.menu, 'Open recent')).toMatchObject({ enabled: false, submenu: [] }))
  const repos = [0, 1].map(() => buildRepo(undefined, { commits: [{ message: 'base', files: { 'a.txt': 'x\n' } }] }))
  const paths = repos.map((repo) => repo.dir)
  for (const path of paths) expect(await ask(page, 'repo.open', { path })).toMatchObject({ ok: true })
  const system = process.platform
  const lookedAt = (platform: NodeJS.Platform) => {
    Object.defineProperty(process, 'platform', { value: platform })
    launch.window().focus()
  }
  const recent = () => entry(launch.state.menu, 'Open recent')?.submenu ?? []
  try {
    lookedAt('win32')
    await vi.waitFor(() => expect(recent().map((one) => one.label)).toEqual([...paths].reverse()))
    recent()[1]?.click?.()
    await vi.waitFor(async () =>
      expect(await heard()).toContainEqual({ event: 'app.openRequested', payload: { path: paths[0] } }),
    )
    const list = launch.state.jumpList as { type: string; name: string; items: object[] }[]
    expect(list).toMatchObject([{ type: 'custom', name: 'Recent repositories' }])
    expect(list[0]?.items).toEqual(
      [...paths].reverse().map((path) => ({
        type: 'task',
        title: basename(path),
        description: path,
        program: process.execPath,
        args: `"${process.cwd()}" "${path}"`,
      })),
    )
    expect(launch.state.dock).toEqual([])

    rmSync(paths[1] ?? '', { recursive: true })
    lookedAt('darwin')
    await vi.waitFor(() => expect(launch.state.dock.map((one) => one.label)).toEqual([paths[0]]))
    expect(recent().map((one) => one.label)).toEqual([paths[0]])
  } finally {
    Object.defineProperty(process, 'platform', { value: system })
  }
})

test('closing the last window ends the app, the core first, and remembers where the window was', async () => {
  const launch = await start()
  const page = await shown(launch)
  expect(await ask(page, 'app.info', {})).toMatchObject({ ok: true })
  launch.window().close()
  expect(await launch.state.exited).toBe(0)
  const { invokeHandlers } = await import('./double/page.ts')
  expect(invokeHandlers.size).toBe(0)
  const state = JSON.parse(readFileSync(join(home(), 'electron', 'window.json'), 'utf8'))
  expect(state).toEqual({ x: 320, y: 140, width: 1280, height: 800, maximized: false })
  // SQLite removes its side files when the last connection has been closed.
  expect(existsSync(join(home(), 'app.db-wal'))).toBe(false)
})

test('a window that was on a display which is gone opens on one that is there', async () => {
  mkdirSync(join(home(), 'electron'), { recursive: true })
  const saved = { x: 5000, y: 3000, width: 1600, height: 1200, maximized: true }
  writeFileSync(join(home(), 'electron', 'window.json'), JSON.stringify(saved))
  const launch = await start({ displays: [{ id: 1, workArea: { x: 0, y: 25, width: 1440, height: 800 } }] })
  expect(launch.window().options).toMatchObject({ x: 0, y: 25, width: 1440, height: 800 })
  expect(launch.window().maximized).toBe(true)
})

test('the page has no Node, its own world, the policy, and no permission', async () => {
  const launch = await start()
  const page = await shown(launch)
  expect(launch.window().options.webPreferences).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  })
  const answer = await page.reload()
  expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
  const outcome = (address: string) =>
    page.evaluate((to) => fetch(to).then((r) => r.status), address).catch(() => 'refused')
  expect(await outcome('/nothing')).toBe(404)
  expect(await outcome('/..%2fpackage.json')).toBe(404)
  expect(await outcome('https://evil.example/')).toBe('refused')

  const { permissionRequest, permissionCheck } = launch.state
  for (const permission of ['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal', 'fileSystem']) {
    const answers: boolean[] = []
    permissionRequest?.({ getURL: () => 'app://daybreak/' }, permission, (allowed) => answers.push(allowed))
    expect(answers).toEqual([false])
    expect(permissionCheck?.(null, permission, 'app://daybreak/')).toBe(false)
  }
  expect(permissionCheck?.(null, 'clipboard-sanitized-write', 'app://daybreak/')).toBe(true)
  expect(permissionCheck?.(null, 'clipboard-sanitized-write', 'https://evil.example/')).toBe(false)
})
