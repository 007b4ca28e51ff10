import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { joined } from '../../../db/joined.ts'
import { noFailpoint } from '../../../lib/failpoints.ts'
import { beginAttempt } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  letBatchesWait,
  openPaymentsBench,
  payWith,
  takeTogether,
  untilWaiting,
  withStatementHooks,
} from '../../../testing/payments/payments.ts'
import type { Payment } from '../core/types.ts'
import type { ResolveCommand, Resolver } from './resolve.service.ts'
import { createResolver } from './resolve.service.ts'

let bench: PaymentsBench
let nodes: [Node, Node]

beforeAll(async () => {
  bench = await openPaymentsBench()
  await letBatchesWait(bench.database)
  nodes = [bench.openNode(), bench.openNode()]
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

const SUCCEEDED = {
  kind: 'succeeded',
  output: { serialNumber: 'SN', pin: '', expiry: '', voucherLink: '', note: '' },
} as const
const FAILED = { kind: 'failed', code: 48, reason: 'Rejected' } as const

function say(resolver: Resolver, { resellerId, id }: Payment, outcome: ResolveCommand['outcome']) {
  return resolver.submit({ resellerId, id, outcome, nextMs: 1_000 })
}

async function payMany(reseller: bigint, count: number): Promise<Payment[]> {
  const results = await takeTogether(
    nodes[0],
    Array.from({ length: count }, () => commandFor(reseller)),
  )
  return results.map((result) => {
    if (result.verdict !== 'created') throw new Error(result.verdict)
    return result.payment
  })
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value)
}

describe('two nodes with the same payments', () => {
  it('two nodes that both report a failure give the money back once', async () => {
    const reseller = await bench.newReseller(1_000_000n)
    const payments = await payMany(reseller, 100)
    const moved = await Promise.all(
      nodes.flatMap(({ resolver }) => shuffled(payments).map((payment) => say(resolver, payment, FAILED))),
    )
    expect(moved.filter(Boolean)).toHaveLength(100)
    expect(await bench.balanceOf(reseller)).toBe(1_000_000n)
  })

  it('two nodes that report different things agree on one of them, and do not wait for each other in a circle', async () => {
    const resellers = await Promise.all(Array.from({ length: 4 }, () => bench.newReseller(10_000_000n)))
    const troubles: unknown[] = []
    const resolvers = nodes.map(({ database }) =>
      createResolver({
        database: withStatementHooks(database, { onError: (error) => troubles.push(error) }),
        vault: bench.vault,
        failpoint: noFailpoint,
      }),
    )
    for (let round = 0; round < 20; round += 1) {
      const payments = (await Promise.all(resellers.map((reseller) => payMany(reseller, 10)))).flat()
      const outcomes = [SUCCEEDED, FAILED, { kind: 'pending' } as const, { kind: 'voided' } as const]
      await Promise.all(
        resolvers.flatMap((resolver, index) =>
          shuffled(payments).map((payment) =>
            say(
              resolver,
              payment,
              outcomes[(Number(payment.id % 4n) + index + round) % outcomes.length] ?? FAILED,
            ),
          ),
        ),
      )
    }
    expect(troubles).toEqual([])
  })
})

it('contradictions heard by two nodes at once are noted once each, move no money, and no node waits in a circle', async () => {
  const resellers = await Promise.all(Array.from({ length: 4 }, () => bench.newReseller(10_000_000n)))
  const troubles: unknown[] = []
  let reports = 0
  const resolvers = nodes.map(({ database }) =>
    createResolver({
      database: withStatementHooks(database, { onError: (error) => troubles.push(error) }),
      vault: bench.vault,
      failpoint: noFailpoint,
      onContradiction: () => {
        reports += 1
      },
    }),
  )
  const payments = (await Promise.all(resellers.map((reseller) => payMany(reseller, 25)))).flat()
  const isSold = ({ id }: Payment) => id % 2n === 0n
  const resolution = (payment: Payment, isTrue: boolean) => ({
    resellerId: payment.resellerId,
    id: payment.id,
    outcome: isSold(payment) === isTrue ? SUCCEEDED : FAILED,
    nextMs: 0,
    attempt: 1,
  })
  // Some payments are still under way when the contradiction arrives, so that either answer may come first.
  const early = payments.slice(0, 50)
  await Promise.all(payments.slice(50).map((payment) => nodes[0].resolver.submit(resolution(payment, true))))
  await Promise.all([
    ...early.map((payment) => nodes[0].resolver.submit(resolution(payment, true))),
    ...resolvers.flatMap((resolver) =>
      [1, 2, 3].flatMap(() =>
        shuffled(payments).map((payment) => resolver.submit(resolution(payment, false))),
      ),
    ),
  ])
  for (const payment of payments) await nodes[0].resolver.submit(resolution(payment, true))
  expect(troubles).toEqual([])
  const { rows } = await bench.database.query<{ noted: number; payments: number; alerts: number }>(
    `select count(*)::integer as noted, count(distinct payment_id)::integer as payments,
            (select count(*)::integer from operator_alerts
              where kind = 'payment_contradiction' and subject = any ($1)) as alerts
       from payment_changes where kind = 'contradiction' and payment_id = any ($2)`,
    [payments.map(({ id }) => String(id)), payments.map(({ id }) => id)],
  )
  expect(rows).toEqual([{ noted: 100, payments: 100, alerts: 100 }])
  expect(reports).toBeLessThanOrEqual(100)
})

it('a PIN that one node hears while another hears only of success is never lost, and no node waits in a circle', async () => {
  const resellers = await Promise.all(Array.from({ length: 4 }, () => bench.newReseller(10_000_000n)))
  const troubles: unknown[] = []
  const [first, second] = nodes.map(({ database }) =>
    createResolver({
      database: withStatementHooks(database, { onError: (error) => troubles.push(error) }),
      vault: bench.vault,
      failpoint: noFailpoint,
    }),
  ) as [Resolver, Resolver]
  const withPin = { kind: 'succeeded', output: { ...SUCCEEDED.output, pin: '1234' } } as const
  const payments = (await Promise.all(resellers.map((reseller) => payMany(reseller, 50)))).flat()
  const [old, young] = [
    payments.filter(({ id }) => id % 2n === 0n),
    payments.filter(({ id }) => id % 2n === 1n),
  ]
  await Promise.all(old.map((payment) => say(first, payment, SUCCEEDED)))
  await Promise.all([
    ...shuffled(payments).flatMap((payment) => [
      say(first, payment, SUCCEEDED),
      say(first, payment, withPin),
    ]),
    ...shuffled(payments).map((payment) => say(second, payment, withPin)),
    ...shuffled(young).map((payment) => say(second, payment, SUCCEEDED)),
  ])
  expect(troubles).toEqual([])
  const { rows } = await bench.database.query<{ count: number }>(
    'select count(*)::integer as count from payments where id = any ($1) and code = 20 and sealed_output is null',
    [payments.map(({ id }) => id)],
  )
  expect(rows).toEqual([{ count: 0 }])
})

it('a further attempt never begins beside a failure that is being written', async () => {
  const reseller = await bench.newReseller(10_000_000n)
  for (let round = 0; round < 40; round += 1) {
    const payment = await payWith(nodes[0], reseller)
    const work = { reseller_id: payment.resellerId, payment_id: payment.id, attempt: 1, code: 0 } as const
    const [isFailed, begun] = await Promise.all([
      nodes[0].resolver.submit({ ...payment, outcome: FAILED, nextMs: 0, attempt: 1 }),
      beginAttempt(nodes[1].database, work, 60_000, 'test'),
    ])
    // Either order is allowed: the provider is asked to act, or the money is refunded. Both or neither is an error.
    expect({ isFailed, isBegun: begun !== undefined }).toEqual({ isFailed, isBegun: !isFailed })
    expect(await bench.codeOf(payment)).toBe(isFailed ? 48 : 0)
  }
})

it('a failure that was on its way when a further attempt began is not written', async () => {
  const reseller = await bench.newReseller(100_000n)
  const payment = await payWith(nodes[0], reseller)
  const work = { reseller_id: payment.resellerId, payment_id: payment.id, attempt: 1, code: 0 } as const
  let said: Promise<boolean> | undefined
  await bench.database.transaction(async (tx) => {
    await beginAttempt(joined(tx, bench.database), work, 60_000, 'test')
    said = nodes[0].resolver.submit({ ...payment, outcome: FAILED, nextMs: 0, attempt: 1 })
    await untilWaiting(bench.database, 'resolve_payments', 1)
  })
  expect(await said).toBe(false)
  expect(await bench.codeOf(payment)).toBe(0)
  expect(await bench.workOf(payment)).toMatchObject({ attempt: 2, is_leased: true })
})

it('a connection lost in the middle of a refund gives the money back once', async () => {
  const reseller = await bench.newReseller(100_000n)
  const payment = await payWith(nodes[0], reseller)
  let said: Promise<boolean> | undefined
  await bench.database.transaction(async (tx) => {
    await tx.query('select 1 from wallets where reseller_id = $1 for update', [reseller])
    said = say(nodes[0].resolver, payment, FAILED)
    await untilWaiting(bench.database, 'resolve_payments', 1, { cut: true })
  })
  await said
  expect(await bench.codeOf(payment)).toBe(48)
  expect(await bench.balanceOf(reseller)).toBe(100_000n)
})

it('a refund whose answer was lost is not made again', async () => {
  const reseller = await bench.newReseller(100_000n)
  const payment = await payWith(nodes[0], reseller)
  let calls = 0
  const lossy = withStatementHooks(nodes[1].database, {
    after() {
      calls += 1
      if (calls === 1) throw new Error('Connection terminated unexpectedly')
    },
  })
  const resolver = createResolver({ database: lossy, vault: bench.vault, failpoint: noFailpoint })
  await say(resolver, payment, FAILED)
  expect(calls).toBe(2)
  expect(await bench.balanceOf(reseller)).toBe(100_000n)
})
