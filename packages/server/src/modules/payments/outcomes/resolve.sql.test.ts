import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Queryable } from '../../../db/database.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import { listAlerts } from '../../alerts/alert/service.ts'
import { listChanges } from '../payment/sql.ts'
import type { Payment } from '../payment/types.ts'
import type { ResolveCommand } from './resolve.service.ts'
import { createResolver } from './resolve.service.ts'

// Answers that contradict a final state: noted once, reported to an operator, and without any effect on money.

let bench: PaymentsBench
let node: Node
const told: ResolveCommand[] = []

beforeAll(async () => {
  bench = await openPaymentsBench()
  const opened = bench.openNode()
  const { database } = opened
  const { vault } = bench
  const resolver = createResolver({
    database,
    vault,
    failpoint: () => {},
    onContradiction: (command) => told.push(command),
  })
  node = { ...opened, resolver }
})
afterAll(() => bench.close())
afterEach(() => expectSoundMoney(bench.database))

const SUCCEEDED = {
  kind: 'succeeded',
  output: { serialNumber: 'SN', pin: '', expiry: '', voucherLink: '', note: '' },
} as const
const FAILED = { kind: 'failed', code: 48, reason: 'Rejected' } as const
const UNAVAILABLE = { kind: 'failed', code: 47, reason: 'Service_Unavailable' } as const
const PENDING = { kind: 'pending' } as const
const VOIDED = { kind: 'voided' } as const

type Message = readonly [outcome: ResolveCommand['outcome'], attempt?: number]

async function pay(): Promise<Payment> {
  return payWith(node, await bench.newReseller(100_000n))
}

async function say({ resellerId, id }: Payment, ...words: Message[]): Promise<void> {
  for (const [outcome, attempt] of words) {
    const command = { resellerId, id, outcome, nextMs: 5_000 }
    await node.resolver.submit(attempt === undefined ? command : { ...command, attempt })
  }
}

async function contradictionsOf(payment: Payment): Promise<string[]> {
  const changes = await listChanges(bench.database, payment.resellerId, payment.id, 100)
  return changes.filter(({ kind }) => kind === 'contradiction').map(({ detail }) => detail)
}

async function alertOf(payment: Payment) {
  const alerts = await listAlerts(bench.database, { limit: 1_000, withCleared: false })
  return alerts.find(({ kind, subject }) => kind === 'payment_contradiction' && subject === `${payment.id}`)
}

describe('a contradiction', () => {
  it.each<[string, Message[], string]>([
    [
      'success of a payment that failed',
      [
        [FAILED, 1],
        [SUCCEEDED, 1],
      ],
      'attempt 1 is reported as succeeded, but the payment failed with 48',
    ],
    [
      'failure of the attempt that succeeded',
      [
        [SUCCEEDED, 1],
        [FAILED, 1],
      ],
      'attempt 1 is reported as failed with 48, but attempt 1 succeeded',
    ],
    [
      'success of a second attempt',
      [
        [SUCCEEDED, 2],
        [SUCCEEDED, 1],
      ],
      'attempt 1 is reported as succeeded, but attempt 2 succeeded',
    ],
    [
      'failure of a payment that somebody said had succeeded',
      [[SUCCEEDED], [FAILED, 1]],
      'attempt 1 is reported as failed with 48, but the payment succeeded',
    ],
    [
      'failure of a payment as such after its success',
      [[SUCCEEDED, 1], [FAILED]],
      'the payment is reported as failed with 48, but attempt 1 succeeded',
    ],
  ])('%s is on the timeline once, raises an alert and moves no money', async (_, words, text) => {
    const payment = await pay()
    const [first, second] = words as [Message, Message]
    await say(payment, first)
    const before = { code: await bench.codeOf(payment), entries: await bench.entriesOf(payment.resellerId) }
    told.length = 0
    await say(payment, second, second, second)
    expect(await contradictionsOf(payment)).toEqual([text])
    expect(await alertOf(payment)).toMatchObject({
      severity: 'critical',
      times: 1n,
      text: expect.stringContaining(text),
    })
    expect(told).toMatchObject([{ id: payment.id }])
    expect({
      code: await bench.codeOf(payment),
      entries: await bench.entriesOf(payment.resellerId),
    }).toEqual(before)
  })

  it('a contradiction of another kind is another row of the timeline, and the same alert', async () => {
    const payment = await pay()
    await say(payment, [SUCCEEDED, 1], [FAILED, 1], [UNAVAILABLE, 1], [SUCCEEDED, 2])
    expect(await contradictionsOf(payment)).toHaveLength(3)
    expect(await alertOf(payment)).toMatchObject({ times: 3n })
  })

  it('is not what a node concludes that was away until another one had ended the payment', async () => {
    const payment = await pay()
    await say(payment, [SUCCEEDED, 1])
    told.length = 0
    const { resellerId, id } = payment
    const concluded = {
      resellerId,
      id,
      attempt: 1,
      lease: 1,
      outcome: UNAVAILABLE,
      isConcluded: true,
      nextMs: 0,
    }
    expect(await node.resolver.submit(concluded)).toBe(false)
    expect(await contradictionsOf(payment)).toEqual([])
    expect(await alertOf(payment)).toBeUndefined()
    expect(told).toEqual([])
    expect(await bench.codeOf(payment)).toBe(20)
  })

  it('names where it was heard', async () => {
    const payment = await pay()
    await say(payment, [FAILED, 1])
    await node.resolver.submit({
      resellerId: payment.resellerId,
      id: payment.id,
      outcome: SUCCEEDED,
      nextMs: 0,
      attempt: 1,
      evidence: 'callback 77',
    })
    expect(await contradictionsOf(payment)).toEqual([expect.stringMatching(/failed with 48; callback 77$/)])
  })
})

describe('no contradiction is', () => {
  it.each<[string, Message[]]>([
    ['the same success again', [[SUCCEEDED, 1], [SUCCEEDED, 1], [SUCCEEDED]]],
    ['a failure again, with another code too', [[FAILED, 1], [FAILED, 1], [UNAVAILABLE, 1], [FAILED]]],
    [
      'the late failure of an attempt that another one made up for',
      [
        [SUCCEEDED, 2],
        [FAILED, 1],
      ],
    ],
    ['what is pending after the end', [[SUCCEEDED, 1], [PENDING, 1], [PENDING]]],
    [
      'a void, or anything about a payment that was voided',
      [[SUCCEEDED, 1], [VOIDED], [VOIDED], [FAILED, 1]],
    ],
    ['a void of what failed', [[FAILED, 1], [VOIDED]]],
  ])('%s', async (_, words) => {
    const payment = await pay()
    told.length = 0
    await say(payment, ...words)
    expect(await contradictionsOf(payment)).toEqual([])
    expect(await alertOf(payment)).toBeUndefined()
    expect(told).toEqual([])
  })
})

it('the evidence of an outcome stands on the timeline', async () => {
  const payment = await pay()
  const said = { resellerId: payment.resellerId, id: payment.id, nextMs: 0, attempt: 1 }
  await node.resolver.submit({ ...said, outcome: FAILED, evidence: 'callback 7' })
  const changes = await listChanges(bench.database, payment.resellerId, payment.id, 100)
  expect(changes).toMatchObject([{ kind: 'state', code: 48, detail: 'Rejected; callback 7' }])
})

it('the ledger itself refuses a second refund of a payment, whoever posts it', async () => {
  const payment = await pay()
  await say(payment, [FAILED])
  const { rows } = await bench.database.query<{ balance: bigint; sequence: bigint }>(
    'select balance, sequence from wallets where reseller_id = $1',
    [payment.resellerId],
  )
  const wallet = rows[0] as { balance: bigint; sequence: bigint }
  const refund = bench.database.query(
    `select post_entries('refund', 'provider_clearing', array[$1::bigint], array[$2::bigint], array[$3::bigint],
                         array[$4::bigint], array[$5::bigint], array['again'], clock_timestamp())`,
    [payment.resellerId, wallet.sequence + 1n, payment.cost, wallet.balance + payment.cost, payment.id],
  )
  await expect(refund).rejects.toMatchObject({ code: '23505', constraint: 'transfers_one_refund' })
  expect(await bench.balanceOf(payment.resellerId)).toBe(wallet.balance)
})

it('a transaction that would give the money back twice is undone whole', async () => {
  const payment = await pay()
  const { resellerId, cost } = payment
  const before = await bench.balanceOf(resellerId)
  const { rows } = await bench.database.query<{ sequence: bigint }>(
    'select sequence from wallets where reseller_id = $1',
    [resellerId],
  )
  const refund = (tx: Queryable, count: bigint) =>
    tx.query(
      `select post_entries('refund', 'provider_clearing', array[$1::bigint], array[$2::bigint], array[$3::bigint],
                           array[$4::bigint], array[$5::bigint], array['given back'], clock_timestamp())`,
      [resellerId, (rows[0]?.sequence ?? 0n) + count, cost, before + cost * count, payment.id],
    )
  const twice = bench.database.transaction(async (tx) => {
    await refund(tx, 1n)
    await refund(tx, 2n)
  })
  await expect(twice).rejects.toMatchObject({ constraint: 'transfers_one_refund' })
  expect(await bench.balanceOf(resellerId)).toBe(before)
})
