/** An installed Chromium or Chrome; null where there is none (Playwright's own is used then). */
export function installedChromium(env?: NodeJS.ProcessEnv, platform?: NodeJS.Platform): string | null
