import { defineConfig } from 'vitest/config'

/** Test of a whole cluster, `npm run test:cluster`. It takes minutes and needs programs that npm does not bring. */
export default defineConfig({
  test: {
    include: ['packages/acceptance/src/cluster/*.cluster.ts'],
    globalSetup: ['packages/acceptance/src/program.ts', 'packages/acceptance/src/cluster/setup.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 900_000,
    // The tests follow each other on one cluster: after a failure the next ones say nothing.
    bail: 1,
    reporters: ['verbose'],
    disableConsoleIntercept: true,
  },
})
