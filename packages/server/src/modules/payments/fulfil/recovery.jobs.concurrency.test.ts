import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { recoveryAt } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  LEASE_MS,
  openPaymentsBench,
  payWith,
  takeTogether,
  until,
} from '../../../testing/payments/payments.ts'
import {
  createScriptedProvider,
  PENDING,
  providersOf,
  SUCCEEDED,
} from '../../../testing/providers/scripted-provider.ts'
import type { Payment } from '../core/types.ts'
import { createQuestions } from './recovery.jobs.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
beforeEach(async () => {
  // Work that another test left must not be found by this one.
  await bench.database.query(`update payment_work set next_at = now() + interval '1 day'`)
})
afterAll(() => expectSoundMoney(bench.database))

const LEASE_S = LEASE_MS / 1_000

async function pay(): Promise<Payment> {
  return payWith(node, await bench.newReseller(10_000n))
}

it('a provider that hangs does not keep the questions to the others waiting, however many it has', async () => {
  const reseller = await bench.newReseller(10_000_000n)
  const taken = await takeTogether(
    node,
    Array.from({ length: 450 }, () => commandFor(reseller, { provider: 'hanging' })),
  )
  for (const result of taken) expect(result.verdict).toBe('created')
  // This work is due long before the payment that matters.
  await bench.database.query(
    'update payment_work set next_at = now() - interval $$1 hour$$ where reseller_id = $1',
    [reseller],
  )
  const payment = await pay()
  await bench.age(payment, LEASE_S + 1)
  let letGo = () => {}
  const held = new Promise<typeof PENDING>((resolve) => {
    letGo = () => resolve(PENDING)
  })
  const hanging = createScriptedProvider(PENDING, () => held, { code: 'hanging' })
  const quick = createScriptedProvider(SUCCEEDED, SUCCEEDED)
  const recovery = recoveryAt(bench, providersOf(hanging, quick), { everyMs: 5, patienceMs: 20 })
  await until('the other one is answered', async () => (await bench.codeOf(payment)) === 20)
  // The provider that hangs has answered nothing, and it has no more questions than the limit.
  expect(hanging.asked.length).toBeLessThanOrEqual(200)
  letGo()
  await recovery.stop()
})

it('a provider that has questions left is waited for once, and again when it has none', async () => {
  const providers = providersOf(createScriptedProvider(PENDING, PENDING, { code: 'hanging' }))
  const questions = createQuestions(providers)
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const ask = (provider: string, see: () => Promise<void>) =>
    questions.begin({ provider, see }, Number.POSITIVE_INFINITY)
  const first = ask('hanging', () => held)
  expect(first).toBeInstanceOf(Promise)
  questions.leaveBehind()
  let isSeen = false
  expect(
    ask('hanging', async () => {
      isSeen = true
    }),
  ).toBeUndefined()
  expect(ask('quick', async () => {})).toBeInstanceOf(Promise)
  letGo()
  await questions.settled()
  expect(isSeen).toBe(true)
  expect(ask('hanging', async () => {})).toBeInstanceOf(Promise)
  await questions.settled()
})

it('a provider has a quarter of its places for questions at most, and the others wait their turn', async () => {
  const payments = await Promise.all(Array.from({ length: 7 }, pay))
  for (const payment of payments) await bench.age(payment, LEASE_S + 1)
  let underway = 0
  let most = 0
  const provider = createScriptedProvider(
    SUCCEEDED,
    async () => {
      underway += 1
      most = Math.max(most, underway)
      await new Promise((resolve) => setImmediate(resolve))
      underway -= 1
      return SUCCEEDED
    },
    { concurrencyMax: 8 },
  )
  const recovery = recoveryAt(bench, providersOf(provider))
  expect(await recovery.runOnce()).toBe(payments.length)
  await recovery.stop()
  expect(most).toBe(2)
  for (const payment of payments) expect(await bench.codeOf(payment)).toBe(20)
})

it('looks by itself, and has finished what it began when it is stopped', async () => {
  const payment = await pay()
  await bench.age(payment, LEASE_S + 1)
  let begun = () => {}
  const asked = new Promise<void>((resolve) => {
    begun = resolve
  })
  const provider = createScriptedProvider(SUCCEEDED, async () => {
    begun()
    await new Promise((resolve) => setImmediate(resolve))
    return SUCCEEDED
  })
  const recovery = recoveryAt(bench, providersOf(provider), { everyMs: 10 })
  await asked
  await recovery.stop()
  expect(await bench.codeOf(payment)).toBe(20)
})
