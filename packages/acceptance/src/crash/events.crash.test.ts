import { afterAll, beforeAll, it } from 'vitest'
import type { CrashBench } from './crash.ts'
import { crashAt, openCrashBench } from './crash.ts'

let bench: CrashBench

beforeAll(async () => {
  bench = await openCrashBench()
})
afterAll(() => bench.close())

it('a process that dies before it numbers what happened: its successor does', () =>
  crashAt(bench, 'events.before:4'))

it('a process that dies right after: nothing is numbered again', () => crashAt(bench, 'events.committed:4'))
