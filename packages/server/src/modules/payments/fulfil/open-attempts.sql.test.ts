import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginAttempt } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, LEASE_MS, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import { FAILED, PENDING, SUCCEEDED } from '../../../testing/providers/scripted-provider.ts'
import { listChanges } from '../core/sql.ts'
import type { Payment, PaymentCode } from '../core/types.ts'
import type { Move } from '../outcomes/resolve.sql.ts'
import { resolvePayments } from '../outcomes/resolve.sql.ts'
import { beginAttempts } from './work.sql.ts'

// Rows of open attempts as the functions that resolve payments write them: which answers open one, and which close it.

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

/** Takes payments of one reseller, the first of them at another provider. */
async function payMany(count: number): Promise<Payment[]> {
  const reseller = await bench.newReseller(100_000n)
  const payments: Payment[] = []
  while (payments.length < count) {
    const provider = payments.length === 0 ? 'first' : 'scripted'
    payments.push(await payWith(node, reseller, { provider }))
  }
  return payments
}

async function pay(): Promise<Payment> {
  return (await payMany(1))[0] as Payment
}

async function beginSecond(...payments: Payment[]): Promise<void> {
  for (const { resellerId, id } of payments) {
    const work = { reseller_id: resellerId, payment_id: id, attempt: 1 }
    expect(await beginAttempt(bench.database, work, LEASE_MS, 'as a test')).toBeInstanceOf(Date)
  }
}

function report({ resellerId, id }: Payment, attempt: number, outcome = SUCCEEDED): Promise<boolean> {
  return node.resolver.submit({ resellerId, id, attempt, outcome, nextMs: 1_000 })
}

function move({ resellerId, id }: Payment, code: PaymentCode, attempt: number): Move {
  const nothing = { failure: null, serialNumber: null, expiry: null, note: null, sealedOutput: null }
  return { ...nothing, resellerId, id, code, attempt, nextMs: 1_000 }
}

/** Notes that a payment goes nowhere else after its first attempt, as a node does that finds no other provider. */
async function noteRoute({ resellerId, id: paymentId }: Payment): Promise<void> {
  const given = { resellerId, paymentId, attempt: 1, lease: 1, provider: null, isBegun: false }
  await bench.database.transaction((tx) =>
    beginAttempts(tx, [{ ...given, reason: 'nobody takes it' }], LEASE_MS),
  )
}

async function openOf({ resellerId, id }: Payment): Promise<number[]> {
  const { rows } = await bench.database.query<{ attempt: number }>(
    'select attempt from payment_open_attempts where reseller_id = $1 and payment_id = $2 order by attempt',
    [resellerId, id],
  )
  return rows.map(({ attempt }) => attempt)
}

async function lateOf({ resellerId, id }: Payment): Promise<string[]> {
  const changes = await listChanges(bench.database, resellerId, id, 100)
  return changes.filter(({ kind }) => kind === 'late').map(({ detail }) => detail)
}

const lateText = ({ id }: Payment, attempt: number) =>
  `attempt ${attempt} (W${id}-${attempt}) failed with 48; it was not the present one any more`

describe('the failure of an attempt that is not the present one', () => {
  it('closes that attempt of that payment alone, and is noted whatever other payments of the reseller have', async () => {
    const [payment, other, sold] = (await payMany(3)) as [Payment, Payment, Payment]
    await beginSecond(payment, other)
    for (const each of [payment, other]) {
      await report(each, 2, PENDING)
      await report(each, 1, PENDING)
    }
    await report(sold, 1)
    expect(await report(payment, 1, FAILED)).toBe(false)
    expect([await openOf(payment), await openOf(other)]).toEqual([[], [1]])
    expect([await lateOf(payment), await lateOf(other)]).toEqual([[lateText(payment, 1)], []])
    expect(await bench.codeOf(payment)).toBe(1)
  })

  it('keeps it closed when an undecided answer about it comes after its failure', async () => {
    const payment = await pay()
    await beginSecond(payment)
    for (const outcome of [PENDING, FAILED, PENDING]) await report(payment, 1, outcome)
    expect(await openOf(payment)).toEqual([])
    await report(payment, 2, FAILED)
    expect(await bench.codeOf(payment)).toBe(48)
  })

  it('is noted also when the same attempt was reported as a second success before', async () => {
    const payment = await pay()
    await beginSecond(payment)
    await report(payment, 1)
    await report(payment, 2)
    await report(payment, 2, FAILED)
    expect(await lateOf(payment)).toEqual([lateText(payment, 2)])
  })

  it('closes nothing when a node has only concluded it', async () => {
    const payment = await pay()
    await beginSecond(payment)
    await report(payment, 1, PENDING)
    const { moved } = await resolvePayments(bench.database, [{ ...move(payment, 47, 1), lease: 1 }])
    expect(moved.size).toBe(0)
    expect(await openOf(payment)).toEqual([1])
    expect(await lateOf(payment)).toEqual([])
  })
})

it('a void decides about no attempt, also beside an answer that does', async () => {
  const [voided, failed] = (await payMany(2)) as [Payment, Payment]
  await beginSecond(voided)
  await report(voided, 1)
  await report(failed, 1, FAILED)
  const { moved } = await resolvePayments(bench.database, [move(voided, 53, 2), move(failed, 48, 1)])
  expect([...moved.keys()]).toEqual([0])
  expect(await openOf(voided)).toEqual([2])
})

describe('an attempt that is undecided after the end of its payment', () => {
  it('is opened where a node concluded the failure, and not where the provider decided, at one reseller', async () => {
    const [sold, failed] = (await payMany(2)) as [Payment, Payment]
    for (const payment of [sold, failed]) await noteRoute(payment)
    await report(sold, 1)
    await resolvePayments(bench.database, [{ ...move(failed, 47, 1), lease: 1 }])
    expect(await bench.codeOf(failed)).toBe(47)
    for (const payment of [sold, failed]) await report(payment, 1, PENDING)
    expect([await openOf(sold), await openOf(failed)]).toEqual([[], [1]])
  })

  it('is opened when its repetition was not sent: it may have arrived the first time', async () => {
    const payment = await pay()
    const { resellerId, id: paymentId } = payment
    await beginSecond(payment)
    const command = { resellerId, paymentId, attempt: 2, lease: null, provider: null, isBegun: true }
    await bench.database.transaction((tx) =>
      beginAttempts(tx, [{ ...command, isRepeat: true, reason: 'as a test' }], LEASE_MS),
    )
    await bench.database.query('update payment_work set is_unsent = true where payment_id = $1', [paymentId])
    await report(payment, 1)
    expect(await openOf(payment)).toEqual([2])
  })

  it('is opened at its own provider, beside answers about the present attempts of other payments', async () => {
    const [other, waiting, late, crossed] = (await payMany(4)) as [Payment, Payment, Payment, Payment]
    await beginSecond(late, crossed)
    const { moved } = await resolvePayments(bench.database, [
      move(other, 1, 1),
      move(waiting, 1, 1),
      move(late, 1, 1),
      move(crossed, 20, 1),
    ])
    expect([...moved.keys()].sort()).toEqual([0, 1, 3])
    const { rows } = await bench.database.query(
      'select payment_id, attempt, provider from payment_open_attempts where reseller_id = $1 order by payment_id',
      [late.resellerId],
    )
    expect(rows).toEqual([
      { payment_id: late.id, attempt: 1, provider: 'scripted' },
      { payment_id: crossed.id, attempt: 2, provider: 'scripted' },
    ])
  })
})
