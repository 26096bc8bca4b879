// Finds the Chromium that the end-to-end tests drive. Plain JavaScript: it runs before anything is installed.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const PLACES = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    join(process.env.PROGRAMFILES ?? 'C:\\Program Files', 'Google', 'Chrome', 'Application', 'chrome.exe'),
    join(
      process.env['PROGRAMFILES(X86)'] ?? 'C:\\Program Files (x86)',
      'Google',
      'Chrome',
      'Application',
      'chrome.exe',
    ),
  ],
}

/** An installed Chromium or Chrome: `DAYBREAK_CHROMIUM`, else one on PATH or in its usual place; null where there is none. */
export function installedChromium(env = process.env, platform = process.platform) {
  if (env.DAYBREAK_CHROMIUM) return env.DAYBREAK_CHROMIUM
  const onPath = (env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  const places = platform === 'win32' ? [] : onPath
  return [...places, ...(PLACES[platform] ?? [])].find((file) => existsSync(file)) ?? null
}
