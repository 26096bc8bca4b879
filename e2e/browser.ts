import { installedChromium } from '../scripts/browser.mjs'

/** A Chromium that is on the machine: `CHROMIUM_PATH`, else an installed one; undefined means Playwright's own. */
export function chromiumPath(): string | undefined {
  return installedChromium() ?? undefined
}

/** Flags of a browser that does nothing of its own accord. */
export const CHROMIUM_ARGS: readonly string[] = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The window that the screens are drawn for. */
export const VIEWPORT = { width: 1280, height: 800 } as const
