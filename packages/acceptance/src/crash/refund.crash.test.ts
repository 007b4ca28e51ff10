import { afterAll, beforeAll, it } from 'vitest'
import type { CrashBench } from './crash.ts'
import { crashAt, EVERY_KIND, FAILS, openCrashBench } from './crash.ts'

let bench: CrashBench

beforeAll(async () => {
  bench = await openCrashBench()
})
afterAll(() => bench.close())

const OFTEN_FAILS = [FAILS, ...EVERY_KIND] as const

it('a process that dies before it gives the money back: it is given back once', () =>
  crashAt(bench, 'refund.before:3', OFTEN_FAILS))

it('a process that dies after it gave the money back: it is not given back again', () =>
  crashAt(bench, 'refund.committed:3', OFTEN_FAILS))
