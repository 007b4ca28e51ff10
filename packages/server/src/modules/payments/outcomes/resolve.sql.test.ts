import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Queryable } from '../../../db/database.ts'
import { beginAttempt } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import { payUnderOneId } from '../../../testing/payments/same-id.ts'
import { listAlerts } from '../../alerts/core/service.ts'
import { listChanges } from '../core/sql.ts'
import type { Payment, PaymentCode } from '../core/types.ts'
import type { ResolveCommand } from './resolve.service.ts'
import { createResolver } from './resolve.service.ts'
import type { Move } from './resolve.sql.ts'
import { resolvePayments } from './resolve.sql.ts'

// Answers that contradict a final state: noted once, reported to an operator, and without any effect on money. Batches
// of answers about payments of several resellers: each payment and each wallet gets its own.

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
afterAll(() => expectSoundMoney(bench.database))

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

  it('is found by the attempt that succeeded of the same payment, whatever the reseller’s next one has', async () => {
    const reseller = await bench.newReseller(100_000n)
    const [payment, next] = [await payWith(node, reseller), await payWith(node, reseller)]
    await say(payment, [SUCCEEDED, 1])
    await say(next, [SUCCEEDED, 2])
    await say(payment, [FAILED, 1])
    await say(next, [FAILED, 1])
    expect(await contradictionsOf(payment)).toHaveLength(1)
    expect(await contradictionsOf(next)).toEqual([])
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

it('a success of a payment that is not final contradicts nothing, even if it did not move the payment', async () => {
  const [accepted, processing] = [await pay(), await pay()]
  await say(processing, [PENDING, 1])
  const payments = [accepted, processing]
  const { rows } = await bench.database.query(
    `select note_contradictions(p_resellers => $1, p_ids => $2, p_codes => '{20,20}', p_attempts => '{1,1}',
                                p_evidence => '{null,null}', p_moved => null, p_at => now())`,
    [payments.map(({ resellerId }) => resellerId), payments.map(({ id }) => id)],
  )
  expect(rows).toEqual([])
  for (const payment of payments) expect(await contradictionsOf(payment)).toEqual([])
})

describe('a batch', () => {
  function move({ resellerId, id }: Payment, code: PaymentCode, attempt: number | null = null): Move {
    const nothing = { failure: null, serialNumber: null, expiry: null, note: null, sealedOutput: null }
    return { ...nothing, resellerId, id, code, attempt, nextMs: 1_000 }
  }

  /** Counts updates of payments, and those whose new version is on the page of the old one. */
  async function countUpdates(tx: Queryable): Promise<{ all: number; on_page: number }> {
    const { rows } = await tx.query<{ all: number; on_page: number }>(
      `select pg_stat_get_xact_tuples_updated('payments'::regclass)::integer as all,
              pg_stat_get_xact_tuples_hot_updated('payments'::regclass)::integer as on_page`,
    )
    return rows[0] ?? { all: 0, on_page: 0 }
  }

  /** Resolves a batch, and reads the facts that it appends for the feed. */
  async function resolveWithFacts(moves: readonly Move[]) {
    const last = await bench.database.query<{ id: bigint }>(
      'select coalesce(max(id), 0)::bigint as id from event_facts',
    )
    const { moved } = await resolvePayments(bench.database, moves)
    const { rows } = await bench.database.query<{ source: string; code: number; balance: bigint }>(
      `select f.source, u.code, u.balance from event_facts f left join unnest(f.codes, f.balances) as u (code, balance)
           on true where f.id > $1 order by f.source, u.code`,
      [last.rows[0]?.id],
    )
    return { moved, facts: rows.map(({ source, code, balance }) => [source, code, balance]) }
  }

  it('gives every wallet its own money back, and says the balance after each refund', async () => {
    const [a, b] = [await bench.newReseller(100_000n), await bench.newReseller(100_000n)]
    // The entries of a wallet are dated in their order, also where the date of one wallet is ahead of the clock.
    await bench.database.query(
      `update wallets set last_entry_at = now() + interval '1 hour' where reseller_id = $1`,
      [b],
    )
    const a1 = await payWith(node, a, { cost: 10_000n })
    const b1 = await payWith(node, b, { cost: 20_000n })
    const a2 = await payWith(node, a, { cost: 30_000n })
    const kept = await payWith(node, a, { cost: 5_000n })
    const { moved } = await resolvePayments(bench.database, [
      move(b1, 48),
      move(a2, 47),
      move(kept, 20),
      move(a1, 48),
    ])
    expect(moved).toEqual(
      new Map([
        [0, 100_000n],
        [1, 95_000n],
        [2, null],
        [3, 65_000n],
      ]),
    )
    expect(await Promise.all([a1, b1, a2, kept].map(bench.codeOf))).toEqual([48, 48, 47, 20])
  })

  it('tells payments of two resellers under one id apart', async () => {
    const change = [{ cost: 10_000n }, { cost: 20_000n }] as const
    const both = await payUnderOneId(bench, node, change)
    const { moved } = await resolvePayments(
      bench.database,
      both.map((payment) => move(payment, 48)),
    )
    expect([...moved.values()]).toEqual([100_000n, 100_000n])
    const [first, second] = await payUnderOneId(bench, node, change)
    await resolvePayments(bench.database, [move(first, 20), move(second, 48)])
    expect(await Promise.all([first, second].map(bench.codeOf))).toEqual([20, 48])
    expect(await bench.balanceOf(first.resellerId)).toBe(90_000n)
    expect(await bench.balanceOf(second.resellerId)).toBe(100_000n)
  })

  it('finds room for the new versions of payments that were taken together on their own pages', async () => {
    const resellerId = await bench.newReseller(10_000_000n)
    const payments = await Promise.all(Array.from({ length: 100 }, () => payWith(node, resellerId)))
    const moves = payments.map((payment) => ({ ...move(payment, 20, 1), serialNumber: 'SN-0123456789' }))
    const counted = await bench.database.transaction(async (tx) => {
      // The counts go on from those of earlier transactions of the connection.
      const before = await countUpdates(tx)
      await resolvePayments(tx, moves)
      const after = await countUpdates(tx)
      return { all: after.all - before.all, onPage: after.on_page - before.on_page }
    })
    expect(counted.all).toBe(100)
    expect(counted.onPage).toBeGreaterThan(90)
  })

  it('appends a fact for each move, with the balance unless the refund has a fact of its own', async () => {
    const [waiting, sold, failed] = [await pay(), await pay(), await pay()]
    const { facts } = await resolveWithFacts([move(waiting, 1), move(sold, 20), move(failed, 48)])
    expect(facts).toEqual([
      ['moved', 1, 90_000n],
      ['moved', 20, 90_000n],
      ['moved', 48, null],
      ['refunded', null, 100_000n],
    ])
  })

  it('appends no fact of a refund when the failure in it gave nothing back', async () => {
    const [failed, sold] = [await pay(), await pay()]
    await say(failed, [FAILED, 1])
    const { moved, facts } = await resolveWithFacts([move(failed, 48, 1), move(sold, 20, 1)])
    expect([...moved.keys()]).toEqual([1])
    expect(facts).toEqual([['moved', 20, 90_000n]])
  })

  it('counts the success of an earlier attempt beside answers of other kinds', async () => {
    const [crossed, failed, waiting] = [await pay(), await pay(), await pay()]
    const work = { reseller_id: crossed.resellerId, payment_id: crossed.id, attempt: 1 }
    await beginAttempt(bench.database, work, 60_000, 'test')
    const { moved } = await resolvePayments(bench.database, [
      move(crossed, 20, 1),
      move(failed, 48, 1),
      move(waiting, 1, 1),
    ])
    expect(moved.size).toBe(3)
  })

  it('finds a contradiction among answers that move their payments', async () => {
    const [sold, other, third] = [await pay(), await pay(), await pay()]
    await say(sold, [SUCCEEDED, 1])
    const { moved, contradictions } = await resolvePayments(bench.database, [
      move(sold, 48, 1),
      move(other, 20, 1),
      move(third, 48, 1),
    ])
    expect([...moved.keys()].sort()).toEqual([1, 2])
    expect(contradictions).toEqual([0])
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
