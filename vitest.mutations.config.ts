import { relative } from 'node:path'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'
import { readPlan } from './tools/src/mutations/plan.ts'
import { withSwitches } from './tools/src/mutations/switch.ts'

const plan = readPlan()

/** Builds every mutant of a file into the file, behind switches. The files on the disk stay as they are. */
const mutants: Plugin = {
  name: 'warung:mutants',
  enforce: 'pre',
  transform(code, id) {
    const path = relative(plan.rootDir, id)
    const own = plan.mutants.filter((mutant) => mutant.path === path)
    return own.length === 0 ? undefined : { code: withSwitches(code, own), map: null }
  },
}

/** Keeps the order of the plan: cheap tests come first. */
class Planned extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => plan.tests.indexOf(relative(plan.rootDir, moduleId))
    return [...specifications].sort((a, b) => place(a) - place(b))
  }
}

/** Body of `npm run test:mutations`. */
export default defineConfig({
  plugins: [mutants],
  test: {
    include: plan.tests,
    runner: './tools/src/mutations/runner.ts',
    globalSetup: plan.needsDatabase ? ['packages/server/src/testing/cluster.ts'] : [],
    testTimeout: 180_000,
    hookTimeout: 400_000,
    pool: 'forks',
    // The modules stay loaded from one mutant to the next.
    isolate: false,
    maxWorkers: plan.workers,
    sequence: { sequencer: Planned },
    // A mutant may leave a promise behind that nobody waits for.
    dangerouslyIgnoreUnhandledErrors: true,
    reporters: ['default'],
    execArgv: ['--max-semi-space-size=64'],
  },
})
