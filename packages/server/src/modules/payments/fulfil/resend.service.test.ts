import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  beginAttempt,
  dispatcherAmong,
  dispatchOf,
  recoveryAt,
} from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, LEASE_MS, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import type { Script } from '../../../testing/providers/scripted-provider.ts'
import {
  createScriptedProvider,
  NOT_ACTED,
  PENDING,
  providersOf,
  SUCCEEDED,
  UNKNOWN,
} from '../../../testing/providers/scripted-provider.ts'
import type { Provider, QueryAnswer } from '../../providers/port/types.ts'
import { listChanges } from '../core/sql.ts'
import type { Payment } from '../core/types.ts'
import type { Recovery } from './recovery.jobs.ts'

let bench: PaymentsBench
let node: Node
const started: Recovery[] = []

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.database.query(`update payment_work set next_at = now() + interval '1 day'`)
  await bench.database.query(`update payment_open_attempts set next_at = now() + interval '1 day'`)
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((recovery) => recovery.stop()))
  await expectSoundMoney(bench.database)
})

const DUE_S = 10
/** The supplier took the order and found our wallet with it empty. */
const REFUSED: QueryAnswer = { kind: 'not_acted', code: 45, reason: 'the wallet is empty' }

const pay = async (): Promise<Payment> => payWith(node, await bench.newReseller(10_000n))
const named = (
  code: string,
  submit: Parameters<typeof createScriptedProvider>[0],
  query: QueryAnswer | Script['query'],
) => createScriptedProvider(submit, query, { code })

async function askAbout(payment: Payment, ...providers: readonly Provider[]): Promise<void> {
  await bench.age(payment, DUE_S)
  const recovery = recoveryAt(bench, providersOf(...providers))
  started.push(recovery)
  await recovery.runOnce()
}

async function payAt(...providers: readonly Provider[]): Promise<Payment> {
  const payment = await pay()
  await dispatcherAmong(node, providersOf(...providers)).send(dispatchOf(payment))
  return payment
}

const stepsOf = async ({ resellerId, id }: Payment) =>
  (await listChanges(bench.database, resellerId, id, 20)).map(({ kind, detail }) => `${kind}: ${detail}`)

describe('an order that its supplier accepted and then took nothing for', () => {
  it('goes to the next supplier, and to none that the payment was moved away from', async () => {
    const away = named('scripted', NOT_ACTED, UNKNOWN)
    const poor = named('second', PENDING, REFUSED)
    const third = named('third', SUCCEEDED, UNKNOWN)
    const payment = await payAt(away, poor, third)
    await askAbout(payment, away, poor, third)
    const sent = (provider: typeof away) => provider.submitted.map(({ reference }) => reference)
    expect([sent(away), sent(poor), sent(third)]).toEqual([
      [`W${payment.id}-1`],
      [`W${payment.id}-2`],
      [`W${payment.id}-3`],
    ])
    expect(await bench.codeOf(payment)).toBe(20)
    expect(await stepsOf(payment)).toContainEqual(
      expect.stringContaining(
        'attempt 3 at third instead of second: second did nothing: the wallet is empty',
      ),
    )
  })

  it('fails with the code of that word when nobody is left, and the money goes back', async () => {
    const away = named('scripted', NOT_ACTED, UNKNOWN)
    const poor = named('second', PENDING, REFUSED)
    const payment = await payAt(away, poor)
    await askAbout(payment, away, poor)
    expect([away.submitted.length, poor.submitted.length]).toEqual([1, 1])
    expect(await bench.codeOf(payment)).toBe(45)
    expect(await bench.balanceOf(payment.resellerId)).toBe(10_000n)
  })

  it('is moved by one node alone, when several look at once', async () => {
    const poor = named('scripted', PENDING, REFUSED)
    const second = named('second', SUCCEEDED, UNKNOWN)
    const payment = await payAt(poor, second)
    await Promise.all(Array.from({ length: 4 }, () => askAbout(payment, poor, second)))
    expect(second.submitted).toHaveLength(1)
    expect(await bench.codeOf(payment)).toBe(20)
  })

  it('after a restore goes nowhere, and does not fail: a forgotten attempt may have been carried out', async () => {
    const poor = named('scripted', PENDING, REFUSED)
    const second = named('second', SUCCEEDED, UNKNOWN)
    const payment = await payAt(poor, second)
    await bench.database.query('update payment_work set is_ask_only = true where payment_id = $1', [
      payment.id,
    ])
    await askAbout(payment, poor, second)
    expect(second.submitted).toEqual([])
    expect(await bench.codeOf(payment)).toBe(1)
  })

  it('waits where another attempt of the payment is undecided', async () => {
    const poor = named('scripted', PENDING, REFUSED)
    const second = named('second', SUCCEEDED, UNKNOWN)
    const payment = await payAt(poor, second)
    const { resellerId, id } = payment
    await beginAttempt(
      bench.database,
      { reseller_id: resellerId, payment_id: id, attempt: 1 },
      LEASE_MS,
      'tested',
    )
    await node.resolver.submit({ resellerId, id, attempt: 1, outcome: PENDING, nextMs: 86_400_000 })
    await bench.age(payment, LEASE_MS / 1_000 + 1)
    await askAbout(payment, poor, second)
    expect(second.submitted).toEqual([])
    expect([0, 1]).toContain(await bench.codeOf(payment))
  })

  it('closes an attempt that is not the present one, like a failure', async () => {
    const poor = named('scripted', PENDING, REFUSED)
    const payment = await payAt(poor)
    const { resellerId, id } = payment
    await beginAttempt(
      bench.database,
      { reseller_id: resellerId, payment_id: id, attempt: 1 },
      LEASE_MS,
      'tested',
    )
    await node.resolver.submit({ resellerId, id, attempt: 1, outcome: PENDING, nextMs: 0 })
    const recovery = recoveryAt(bench, providersOf(poor))
    started.push(recovery)
    await recovery.runOnce()
    const { rows } = await bench.database.query('select from payment_open_attempts where payment_id = $1', [
      id,
    ])
    expect(rows).toEqual([])
    expect(await stepsOf(payment)).toContainEqual(
      `late: attempt 1 (W${id}-1) failed with 45; it was not the present one any more`,
    )
  })
})
