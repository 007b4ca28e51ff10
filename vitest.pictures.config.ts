import { defineConfig } from 'vitest/config'

/** Body of `npm run pictures`: the browser and the programs of the tests, and no database server of theirs. */
export default defineConfig({
  test: {
    include: ['packages/acceptance/src/pictures/command.ts'],
    globalSetup: ['packages/acceptance/src/program.ts', 'packages/acceptance/src/dashboard/chromium.ts'],
    testTimeout: 400_000,
    hookTimeout: 400_000,
    pool: 'forks',
    disableConsoleIntercept: true,
  },
})
