import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/** The shell's tests: `electron` is the double. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['e2e/shell/*.test.ts'],
    alias: { electron: resolve(import.meta.dirname, 'double/electron.ts') },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    fileParallelism: false,
  },
})
