import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Order, Outcome, QueryAnswer, SubmitOutcome } from '../../modules/providers/port/types.ts'
import type { Inability, ProviderBench } from './provider-bench.ts'
import { IC_NUMBER } from './provider-bench.ts'

// Helpers that the parts of the conformance suite share.

export type Suite = {
  bench(): ProviderBench
  can(what: Inability): boolean
}

export const never = () => new AbortController().signal

/** Time limit when a far side is silent and the test cannot see if it received anything. */
export const GIVE_UP_MS = 300

export async function submit(bench: ProviderBench, order: Order): Promise<SubmitOutcome> {
  return bench.provider.submit(order, never())
}

/** Submits, and gives up once the far side has received the order, if that can be seen. */
export async function submitUntilReceived(
  bench: ProviderBench,
  order: Order,
  countsActs: boolean,
): Promise<SubmitOutcome> {
  const deadline = new AbortController()
  const submitted = bench.provider.submit(order, deadline.signal)
  if (countsActs) await until('the order was received', async () => (await bench.countActs(order)) > 0)
  else await new Promise(setImmediate)
  deadline.abort()
  return submitted
}

const UNTIL_MS = 60_000

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + UNTIL_MS
  while (!(await holds())) {
    if (Date.now() > giveUpAt) throw new Error(`gave up waiting until ${what}`)
    await pause(5)
  }
}

export function expectSucceeded(
  outcome: SubmitOutcome | QueryAnswer,
): asserts outcome is Extract<Outcome, { kind: 'succeeded' }> {
  expect(outcome).toEqual({
    kind: 'succeeded',
    output: {
      serialNumber: expect.any(String),
      pin: expect.any(String),
      expiry: expect.stringMatching(/^(\d{8})?$/),
      voucherLink: expect.stringMatching(/^(https?:\/\/.+)?$/),
      note: expect.any(String),
    },
  })
}

export function expectNothingSecret(bench: ProviderBench, answer: unknown): void {
  const text = JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  for (const secret of [IC_NUMBER, ...bench.secrets]) expect(text).not.toContain(secret)
}

/** Freezes the process: nothing in it runs, not even its timers. */
export function freeze(ms: number): void {
  const endMs = performance.now() + ms
  while (performance.now() < endMs);
}
