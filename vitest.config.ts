import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'
import { STARTS_PROCESSES } from './packages/acceptance/src/starts-processes.ts'
import { listDeep, readTimes, TIER } from './tools/src/tests/tiers.ts'

const TESTS = ['packages/*/src/**/*.test.ts', 'tools/src/**/*.test.ts']
const DEEP_TESTS = listDeep()
const tier = process.env[TIER]

/**
 * Orders the test files: the ones that wait for processes come first, and among them the longest of the recorded run, so
 * that no core is idle at the end because of a file that was begun last.
 */
class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const times = readTimes()
    const secondsOf = ({ moduleId }: TestSpecification) =>
      times.get(relative(import.meta.dirname, moduleId)) ?? Number.MAX_SAFE_INTEGER
    const sorted = [...specifications].sort((a, b) => secondsOf(b) - secondsOf(a))
    const starts = ({ moduleId }: TestSpecification) => STARTS_PROCESSES.test(moduleId)
    return [...sorted.filter(starts), ...sorted.filter((each) => !starts(each))]
  }
}

export default defineConfig({
  test: {
    include: tier === 'deep' ? DEEP_TESTS : TESTS,
    ...(tier === 'every' && { exclude: [...configDefaults.exclude, ...DEEP_TESTS] }),
    globalSetup: [
      'packages/server/src/testing/cluster.ts',
      'packages/acceptance/src/program.ts',
      'packages/acceptance/src/dashboard/chromium.ts',
      'packages/acceptance/src/tools/setup.ts',
    ],
    setupFiles: ['packages/acceptance/src/shared-demo.ts'],
    // Each file has a database of its own; what waits, waits for a condition and gives up before this. A start alone may
    // take a minute and a half on a busy machine.
    testTimeout: 180_000,
    reporters: ['./tools/src/tests/progress-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // The first demo of a run is seeded in a hook, while the hooks of other files wait for it.
    hookTimeout: 400_000,
    // The default of a second is over too soon on a busy machine.
    expect: { poll: { timeout: 150_000 } },
    pool: 'forks',
    // A process for every file costs a third of the whole run; what a file opens it closes, and nothing is mocked.
    isolate: false,
    // Most files wait for processes and the database more than they compute.
    maxWorkers: availableParallelism() + 2,
    // A worker runs hundreds of files: short-lived objects die in a larger nursery before anybody has to move them.
    execArgv: ['--max-semi-space-size=64'],
  },
})
