import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.js'],
    globalSetup: [
      'packages/server/src/testing/cluster.ts',
      'packages/acceptance/src/program.ts',
      'packages/acceptance/src/dashboard/chromium.ts',
    ],
    // Each file has a database of its own; what waits, waits for a condition and gives up long before this.
    testTimeout: 60_000,
    reporters: ['./scripts/progress-reporter.js'],
    hookTimeout: 240_000,
    // The default of a second is over too soon on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // A process for every file costs a third of the whole run; what a file opens it closes, and nothing is mocked.
    isolate: false,
    // Most files wait for processes and the database more than they compute.
    maxWorkers: availableParallelism() + 1,
  },
})
