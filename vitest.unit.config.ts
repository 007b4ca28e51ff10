import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests that start nothing: no cluster is opened for them, and no service is bundled. */
export default defineConfig({
  // Nothing is compiled for these tests: the command finds the SDK in its source.
  resolve: { alias: { '@warung/sdk': fileURLToPath(new URL('packages/sdk/src/index.ts', import.meta.url)) } },
  test: {
    include: ['packages/{server,web,forms,checkout,sdk,cli,docs}/src/**/*.test.ts'],
    testTimeout: 60_000,
    pool: 'threads',
    isolate: false,
    // Some files wait for time to pass; the others use the cores meanwhile.
    maxWorkers: availableParallelism() + 2,
    reporters: ['./tools/src/tests/progress-reporter.ts'],
  },
})
