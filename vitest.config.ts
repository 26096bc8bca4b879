import { defineConfig } from 'vitest/config'
import { scratchEnvironment } from './scripts/scratch.mjs'

export default defineConfig({
  test: {
    include: ['{shared,electron,renderer,scripts,e2e/support}/**/*.test.{ts,tsx}'],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 2,
    // Files share what they import: no test replaces a module or changes the process it runs in.
    isolate: false,
    env: scratchEnvironment(),
  },
})
