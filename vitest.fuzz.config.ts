import { defineConfig } from 'vitest/config'

/** Body of `npm run test:fuzz`: one file, and a database server that nobody else uses. */
export default defineConfig({
  test: {
    include: ['packages/acceptance/src/fuzz/command.ts'],
    globalSetup: ['packages/server/src/testing/cluster.ts', 'packages/acceptance/src/program.ts'],
    // The run ends by its own conditions.
    testTimeout: 24 * 3_600_000,
    hookTimeout: 400_000,
    pool: 'forks',
    disableConsoleIntercept: true,
    execArgv: ['--max-semi-space-size=64'],
  },
})
