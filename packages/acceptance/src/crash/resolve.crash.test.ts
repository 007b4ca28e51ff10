import { afterAll, beforeAll, it } from 'vitest'
import type { CrashBench } from './crash.ts'
import { crashAt, openCrashBench } from './crash.ts'

let bench: CrashBench

beforeAll(async () => {
  bench = await openCrashBench()
})
afterAll(() => bench.close())

it('a process that dies before it writes down an outcome: it is found', () =>
  crashAt(bench, 'resolve.before:4'))

it('a process that dies after it wrote down an outcome: it stays', () =>
  crashAt(bench, 'resolve.committed:4'))
