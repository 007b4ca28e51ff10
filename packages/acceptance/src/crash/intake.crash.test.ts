import { afterAll, beforeAll, it } from 'vitest'
import type { CrashBench } from './crash.ts'
import { crashAt, EVERY_KIND, expectDriftFound, openCrashBench } from './crash.ts'

let bench: CrashBench

beforeAll(async () => {
  bench = await openCrashBench()
})
afterAll(() => bench.close())

it('a process that dies before the commit has taken nothing, and its clients pay when they ask again', () =>
  crashAt(bench, 'intake.before:4'))

it('a process that dies after the commit and before the answer has taken each payment once, for its quote, and counted it for its key and its seller; a count that is wrong is found', () =>
  crashAt(bench, 'intake.committed:4', EVERY_KIND, (service) => expectDriftFound(bench, service)))
