import { afterAll, beforeAll, it } from 'vitest'
import type { CrashBench } from './crash.ts'
import { crashAt, openCrashBench } from './crash.ts'

let bench: CrashBench

beforeAll(async () => {
  bench = await openCrashBench()
})
afterAll(() => bench.close())

it('a process that dies before sending: what was never sent is sent once', () =>
  crashAt(bench, 'dispatch.before:4'))

it('a process that dies after sending: what the provider did is found, not done again', () =>
  crashAt(bench, 'dispatch.sent:4'))
