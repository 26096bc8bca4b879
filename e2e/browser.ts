import { existsSync } from 'node:fs'

/** A Chromium that is on the machine: `CHROMIUM_PATH`, else Debian's; undefined means Playwright's own. */
export function chromiumPath(): string | undefined {
  const asked = process.env.CHROMIUM_PATH
  if (asked) return asked
  return existsSync('/usr/bin/chromium') ? '/usr/bin/chromium' : undefined
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
