import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{shared,electron,renderer,scripts,e2e/support}/**/*.test.{ts,tsx}'],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
