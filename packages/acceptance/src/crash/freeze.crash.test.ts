import { afterAll, beforeAll, it } from 'vitest'
import type { CrashBench } from './crash.ts'
import { freezeAt, openCrashBench } from './crash.ts'

// Two nodes on one database: one is frozen, as by SIGSTOP or a paused machine, and the other finishes its payments.

let bench: CrashBench

beforeAll(async () => {
  bench = await openCrashBench()
})
afterAll(() => bench.close())

it('a node that is frozen right before it sends an order sends nothing when it wakes up: no second fulfilment', () =>
  freezeAt(bench, 'dispatch.before:4'))

it('a node that is frozen before it writes down an answer changes nothing of what the other found', () =>
  freezeAt(bench, 'resolve.before:4'))

it('a node that is frozen anywhere leaves every payment to the other one, once', () =>
  freezeAt(bench, undefined))
