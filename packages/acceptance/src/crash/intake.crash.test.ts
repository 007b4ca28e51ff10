import { afterAll, beforeAll, it } from 'vitest'
import type { CrashBench } from './crash.ts'
import { crashAt, openCrashBench } from './crash.ts'

let bench: CrashBench

beforeAll(async () => {
  bench = await openCrashBench()
})
afterAll(() => bench.close())

it('a process that dies before the commit has taken nothing, and its clients pay when they ask again', () =>
  crashAt(bench, 'intake.before:4'))

it('a process that dies after the commit and before the answer has taken each payment once', () =>
  crashAt(bench, 'intake.committed:4'))
