import { defineConfig } from 'vitest/config'
import { scratchEnvironment } from './scripts/scratch.mjs'

export default defineConfig({
  test: {
    include: ['{shared,electron,renderer,scripts,e2e/support}/**/*.test.{ts,tsx}'],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // Two wait for git most of the time: a third uses the cores meanwhile.
    maxWorkers: 3,
    // A process is forked for each call of git, and that takes as long as the heap of the one that forks is large.
    execArgv: ['--max-semi-space-size=1'],
    // Files share what they import: no test replaces a module or changes the process it runs in.
    isolate: false,
    experimental: { fsModuleCache: true },
    env: scratchEnvironment(),
  },
})
