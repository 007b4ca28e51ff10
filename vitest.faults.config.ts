import { defineConfig } from 'vitest/config'

/** True: payments through the packs of suppliers, which need no program of the service. */
const isOfPacks = process.env.FAULTS_PACK !== undefined

/** Body of `npm run test:faults`: one file, and a database server that nobody else uses. */
export default defineConfig({
  test: {
    include: isOfPacks
      ? ['packages/server/src/testing/providers/pack-faults-command.ts']
      : ['packages/acceptance/src/faults/command.ts'],
    globalSetup: [
      'packages/server/src/testing/cluster.ts',
      ...(isOfPacks ? [] : ['packages/acceptance/src/program.ts']),
    ],
    // The run ends by its own conditions.
    testTimeout: 24 * 3_600_000,
    hookTimeout: 400_000,
    pool: 'forks',
    disableConsoleIntercept: true,
    execArgv: ['--max-semi-space-size=64'],
  },
})
