// The Chromium that the end-to-end tests drive. Plain JavaScript: it runs before anything is installed.
import { existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fitNode, root, run, SetupError } from './setup.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const PLACES = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) =>
    process.env[name] ? [join(process.env[name], 'Google', 'Chrome', 'Application', 'chrome.exe')] : [],
  ),
}
/** How long Playwright may take to fetch its own, in milliseconds. */
const FETCH_WITHIN = 300_000

const isFile = (file) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false

/** An installed Chromium or Chrome: `CHROMIUM_PATH`, else one on PATH or in its usual place; null where there is none. */
export function installedChromium(env = process.env, platform = process.platform) {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH
  const onPath = (env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [...(platform === 'win32' ? [] : onPath), ...(PLACES[platform] ?? [])].find(isFile) ?? null
}

/** Starts Playwright's own browser once; rejects where it is not there or does not run here. */
function tryOwn() {
  const script = "import('@playwright/test').then(async ({ chromium }) => (await chromium.launch()).close())"
  return run(fitNode(), ['-e', `${script}.catch(() => process.exit(1))`], { stdio: 'ignore', timeout: 60_000 })
}

const isDebian = () => existsSync('/etc/debian_version')
const isRoot = () => process.getuid?.() === 0

/**
 * Makes sure that there is a browser: an installed one, else Playwright's own, else the system's where root on Debian.
 * `debian`: whether apt-get may be asked.
 */
export async function ensureBrowser(debian = isDebian() && isRoot()) {
  if (installedChromium() !== null) return
  try {
    await tryOwn()
    return
  } catch {
    console.error('Getting a browser for the end-to-end tests…')
  }
  try {
    await run(fitNode(), [join(root, 'node_modules', '@playwright', 'test', 'cli.js'), 'install', 'chromium'], {
      timeout: FETCH_WITHIN,
    })
    await tryOwn()
    return
  } catch (error) {
    if (!debian) throw noBrowser(error)
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-q'], { env })
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { env })
}

const noBrowser = (error) =>
  new SetupError(
    `no browser for the end-to-end tests could be had (${error.message}). Install Chromium or Chrome, or name one in CHROMIUM_PATH.`,
  )
