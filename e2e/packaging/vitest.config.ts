import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Packs the app for Linux with a stand-in for the Electron binary and looks at what is inside. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: { include: ['e2e/packaging/*.test.ts'], testTimeout: 60_000, hookTimeout: 300_000, pool: 'forks' },
})
