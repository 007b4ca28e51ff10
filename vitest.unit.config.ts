import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests that start nothing: no cluster is opened for them, and no service is bundled. */
export default defineConfig({
  test: {
    include: ['packages/{server,web}/src/**/*.test.ts'],
    testTimeout: 60_000,
    pool: 'threads',
    isolate: false,
    maxWorkers: availableParallelism(),
    reporters: ['./scripts/progress-reporter.js'],
  },
})
