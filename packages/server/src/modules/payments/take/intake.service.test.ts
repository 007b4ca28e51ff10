import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../db/database.ts'
import { noFailpoint } from '../../../lib/failpoints.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  LATER,
  newNonce,
  newRefid,
  openPaymentsBench,
  payWith,
  takeTogether,
  verdictsOf,
} from '../../../testing/payments/payments.ts'
import { createIntake } from './intake.service.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

describe('a batch', () => {
  it('can hold every verdict at once, each for its own command', async () => {
    const rich = await bench.newReseller(100_000n)
    const poor = await bench.newReseller(5_000n)
    const existing = await payWith(node, rich)
    const spent = newNonce()
    await payWith(node, rich, { nonce: spent })
    const results = await takeTogether(node, [
      commandFor(rich, { isJudgedNo: true }),
      commandFor(rich, { refid: existing.refid }),
      commandFor(poor),
      commandFor(rich, { nonce: { ...newNonce(), digest: spent.digest } }),
      commandFor(rich, { nonce: newNonce() }),
      commandFor(rich, { refid: existing.refid, isJudgedNo: true }),
    ])
    expect(verdictsOf(results)).toEqual([
      'absent',
      'existing',
      'insufficient',
      'nonce',
      'created',
      'existing',
    ])
    expect(results[1]).toMatchObject({ payment: { id: existing.id, cost: existing.cost } })
    expect(results[2]).toEqual({ verdict: 'insufficient', balance: 5_000n })
    expect(results[4]).toMatchObject({ payment: { code: 0, balanceAfter: 70_000n } })
    expect(await bench.balanceOf(rich)).toBe(70_000n)
    expect(await bench.balanceOf(poor)).toBe(5_000n)
  })

  it('takes a wallet in the order of arrival until the balance ends, exactly', async () => {
    const one = await bench.newReseller(30_000n)
    const other = await bench.newReseller(10_000n)
    const results = await takeTogether(node, [
      commandFor(one, { cost: 20_000n }),
      commandFor(other, { cost: 10_001n }),
      commandFor(one, { cost: 10_001n }),
      commandFor(other, { cost: 10_000n }),
      commandFor(one, { cost: 10_000n }),
      commandFor(one, { cost: 1n }),
      commandFor(other, { cost: 1n }),
    ])
    expect(verdictsOf(results)).toEqual([
      'created',
      'insufficient',
      'insufficient',
      'created',
      'created',
      'insufficient',
      'insufficient',
    ])
    expect((await bench.entriesOf(one)).slice(1).map((entry) => entry.amount)).toEqual([-20_000n, -10_000n])
    expect(await bench.balanceOf(one)).toBe(0n)
    expect(await bench.balanceOf(other)).toBe(0n)
  })

  it('makes one payment of equal refids, and the others are answered with it', async () => {
    const reseller = await bench.newReseller(100_000n)
    const refid = newRefid()
    const results = await takeTogether(node, [
      commandFor(reseller, { refid, cost: 20_000n }),
      commandFor(reseller, { refid, cost: 20_000n }),
      commandFor(reseller, { refid, isJudgedNo: true }),
      commandFor(reseller, { refid, cost: 30_000n }),
    ])
    expect(verdictsOf(results)).toEqual(['created', 'existing', 'existing', 'existing'])
    const ids = results.map((result) => ('payment' in result ? result.payment.id : undefined))
    expect(new Set(ids).size).toBe(1)
    expect(await bench.balanceOf(reseller)).toBe(80_000n)
  })

  it('a batch of equal refids takes the first that the wallet can pay', async () => {
    const reseller = await bench.newReseller(15_000n)
    const refid = newRefid()
    const results = await takeTogether(
      node,
      [20_000n, 15_001n, 15_000n, 10_000n].map((cost) => commandFor(reseller, { refid, cost })),
    )
    expect(verdictsOf(results)).toEqual(['insufficient', 'insufficient', 'created', 'existing'])
    expect(await bench.balanceOf(reseller)).toBe(0n)
  })

  it('the same refid of two resellers is two payments', async () => {
    const [one, other] = [await bench.newReseller(10_000n), await bench.newReseller(10_000n)]
    const refid = newRefid()
    const results = await takeTogether(node, [commandFor(one, { refid }), commandFor(other, { refid })])
    expect(verdictsOf(results)).toEqual(['created', 'created'])
  })

  it('a refid that another reseller used before is free, whether it is paid for or only looked up', async () => {
    const [one, other] = [await bench.newReseller(100_000n), await bench.newReseller(100_000n)]
    const { refid, id } = await payWith(node, one)
    const looked = await takeTogether(node, [commandFor(other, { refid, isLookupOnly: true })])
    expect(verdictsOf(looked)).toEqual(['absent'])
    const payment = await payWith(node, other, { refid })
    expect(payment.id).not.toBe(id)
    expect([await bench.balanceOf(one), await bench.balanceOf(other)]).toEqual([90_000n, 90_000n])
  })

  it('compares refids exactly: letter case, spaces and composition count', async () => {
    const reseller = await bench.newReseller(100_000n)
    const refids = ['a', 'A', ' a', 'a ', 'é', 'e\u0301', '{a,"b"}', 'NULL', '\\', '"', '👍'].map(
      (text) => `${text}-${reseller}`,
    )
    const first = await takeTogether(
      node,
      refids.map((refid) => commandFor(reseller, { refid, cost: 1n })),
    )
    expect(new Set(verdictsOf(first))).toEqual(new Set(['created']))
    const again = await takeTogether(
      node,
      refids.map((refid) => commandFor(reseller, { refid, isJudgedNo: true })),
    )
    expect(again.map((result) => 'payment' in result && result.payment.refid)).toEqual(refids)
  })
})

describe('a command that the database refuses', () => {
  const POISON = 'a\0b'

  it('fails alone: its neighbours are taken, once', async () => {
    const reseller = await bench.newReseller(100_000n)
    const commands = Array.from({ length: 9 }, (_, index) =>
      commandFor(reseller, index === 4 ? { account: POISON } : {}),
    )
    const results = await Promise.allSettled(commands.map((command) => node.intake.submit(command, LATER)))
    expect(results.map(({ status }) => status)).toEqual(
      commands.map((_, index) => (index === 4 ? 'rejected' : 'fulfilled')),
    )
    expect(results[4]).toMatchObject({ reason: { severity: 'ERROR' } })
    expect(await bench.refidsOf(reseller)).toHaveLength(8)
    expect(await bench.balanceOf(reseller)).toBe(20_000n)
  })

  it('leaves its nonce unspent, as everything else', async () => {
    const reseller = await bench.newReseller(100_000n)
    const nonce = newNonce()
    const refused = node.intake.submit(commandFor(reseller, { nonce, account: POISON }), LATER)
    await expect(refused).rejects.toMatchObject({ severity: 'ERROR' })
    await payWith(node, reseller, { nonce: { ...newNonce(), digest: nonce.digest } })
  })

  it('was judged no: what it carried is not stored, so nothing in it can be refused', async () => {
    const reseller = await bench.newReseller(10_000n)
    const command = commandFor(reseller, { isJudgedNo: true, account: POISON, remarks: POISON })
    expect(await node.intake.submit(command, LATER)).toEqual({ verdict: 'absent', balance: 10_000n })
  })
})

it('a stored secret that cannot be opened fails the poll for it and nobody else', async () => {
  const reseller = await bench.newReseller(100_000n)
  const broken = await payWith(node, reseller, { extras: { icNumber: '900101145678' } })
  await bench.database.query(
    `update payments set sealed_input = substr(sealed_input, 1, length(sealed_input) - 1) || '\\x00'
      where reseller_id = $1 and id = $2`,
    [reseller, broken.id],
  )
  const commands = [commandFor(reseller), commandFor(reseller, { refid: broken.refid }), commandFor(reseller)]
  const results = await Promise.allSettled(commands.map((command) => node.intake.submit(command, LATER)))
  expect(results.map((each) => (each.status === 'fulfilled' ? each.value.verdict : each.status))).toEqual([
    'created',
    'rejected',
    'created',
  ])
})

it('the payment of another reseller never answers a request, even one of the same number', async () => {
  const [one, other] = [await bench.newReseller(100_000n), await bench.newReseller(100_000n)]
  const [mine, theirs] = [await payWith(node, one), await payWith(node, other)]
  for (const text of [
    'update payments set id = $1 where reseller_id = $3 and id = $2',
    'update payment_work set payment_id = $1 where reseller_id = $3 and payment_id = $2',
  ]) {
    await bench.database.query(text, [mine.id, theirs.id, other])
  }
  const results = await takeTogether(node, [
    commandFor(one, { refid: mine.refid }),
    commandFor(other, { refid: theirs.refid }),
  ])
  expect(results).toMatchObject([
    { payment: { resellerId: one, refid: mine.refid } },
    { payment: { resellerId: other, refid: theirs.refid } },
  ])
  // Entries cannot be changed, so the payment gets back the id that they name.
  for (const text of [
    'update payments set id = $2 where reseller_id = $3 and id = $1',
    'update payment_work set payment_id = $2 where reseller_id = $3 and payment_id = $1',
  ]) {
    await bench.database.query(text, [mine.id, theirs.id, other])
  }
})

describe('a poll whose payment cannot be read', () => {
  it('fails alone, with the error of the query: the payments of its batch are taken', async () => {
    const resellerId = await bench.newReseller(100_000n)
    const { refid } = await payWith(node, resellerId)
    const failure = new Error('the query broke')
    const database: Database = {
      ...node.database,
      query: (statement, values) =>
        typeof statement !== 'string' && statement.name === 'payments_list_by_ids'
          ? Promise.reject(failure)
          : node.database.query(statement, values),
    }
    const intake = createIntake({ database, vault: bench.vault, failpoint: noFailpoint, leaseMs: 60_000 })
    const [poll, payment] = await Promise.allSettled([
      intake.submit(commandFor(resellerId, { refid }), LATER),
      intake.submit(commandFor(resellerId), LATER),
    ])
    expect(poll).toMatchObject({ reason: { status: 503, code: 'database_unavailable', cause: failure } })
    expect(payment).toMatchObject({ value: { verdict: 'created' } })
  })
})

describe('a nonce', () => {
  it('is refused the second time inside one batch and in a later one, and then nothing is looked at', async () => {
    const reseller = await bench.newReseller(100_000n)
    const nonce = newNonce()
    const replay = () => commandFor(reseller, { nonce: { ...newNonce(), digest: nonce.digest } })
    const results = await takeTogether(node, [commandFor(reseller, { nonce }), replay(), replay()])
    expect(verdictsOf(results)).toEqual(['created', 'nonce', 'nonce'])
    expect(verdictsOf(await takeTogether(node, [replay()]))).toEqual(['nonce'])
    expect(await bench.balanceOf(reseller)).toBe(90_000n)
  })

  it('is spent by a request that is turned away, too', async () => {
    const reseller = await bench.newReseller(100_000n)
    const nonce = newNonce()
    const results = await takeTogether(node, [commandFor(reseller, { nonce, isJudgedNo: true })])
    expect(verdictsOf(results)).toEqual(['absent'])
    const replay = commandFor(reseller, { nonce: { ...newNonce(), digest: nonce.digest } })
    expect(verdictsOf(await takeTogether(node, [replay]))).toEqual(['nonce'])
  })

  it('does not meet itself when the same command runs again', async () => {
    const reseller = await bench.newReseller(100_000n)
    const command = commandFor(reseller, { nonce: newNonce() })
    expect(verdictsOf(await takeTogether(node, [command]))).toEqual(['created'])
    expect(verdictsOf(await takeTogether(node, [command]))).toEqual(['created'])
    expect(await bench.balanceOf(reseller)).toBe(90_000n)
  })

  it.each([
    ['somebody else took its work over', "next_at = now() + interval '1 minute'"],
    [
      'half of its lease is over',
      "submitted_at = submitted_at - interval '1 day', next_at = next_at - interval '1 day'",
    ],
    ['it has another attempt', 'attempt = 2'],
    ['it was said not to be sent', 'is_unsent = true'],
    ['it was asked about', 'questions = 1'],
    ['its lease was given up', 'is_leased = false'],
  ])('finds what the same command made as another’s when %s', async (_, change) => {
    const reseller = await bench.newReseller(100_000n)
    const command = commandFor(reseller, { nonce: newNonce() })
    expect(verdictsOf(await takeTogether(node, [command]))).toEqual(['created'])
    await bench.database.query(`update payment_work set ${change} where reseller_id = $1`, [reseller])
    expect(verdictsOf(await takeTogether(node, [command]))).toEqual(['existing'])
  })

  it('a nonce of a request whose signature expired while it waited is refused', async () => {
    const reseller = await bench.newReseller(100_000n)
    const late = { ...newNonce(), timestampSeconds: Math.floor(Date.now() / 1_000) - 302 }
    const results = await takeTogether(node, [commandFor(reseller, { nonce: late }), commandFor(reseller)])
    expect(verdictsOf(results)).toEqual(['nonce', 'created'])
  })
})

it('a new payment is read back as it was answered, secrets included', async () => {
  const reseller = await bench.newReseller(100_000n)
  const extras = { subproductCode: 'a"b', billerCode: '\\{x}', ref2: 'NULL', icNumber: '900101-14-5678' }
  const command = commandFor(reseller, { extras, account: 'a,b', remarks: '' })
  const [created] = await takeTogether(node, [command])
  const [existing] = await takeTogether(node, [{ ...command, decision: null }])
  if (created?.verdict !== 'created' || existing?.verdict !== 'existing') throw new Error('not taken')
  const withoutTimes = ({ payment: { createdAt, changedAt, ...rest } }: typeof created | typeof existing) =>
    rest
  expect(withoutTimes(existing)).toEqual(withoutTimes(created))
  expect(existing.payment.extras).toEqual(extras)
  expect(Math.floor(existing.payment.createdAt.getTime())).toBe(created.payment.createdAt.getTime())
  const { rows } = await bench.database.query<{ sealed_input: Buffer }>(
    'select sealed_input from payments where reseller_id = $1 and refid = $2',
    [reseller, command.request.refid],
  )
  expect(rows[0]?.sealed_input.includes('900101-14-5678')).toBe(false)
})

it('a new payment is born leased to the node that took it', async () => {
  const reseller = await bench.newReseller(100_000n)
  const payment = await payWith(node, reseller)
  const work = await bench.workOf(payment)
  expect(work).toMatchObject({ attempt: 1, questions: 0, is_leased: true })
  expect(Number(work?.next_at) - Number(work?.submitted_at)).toBe(60_000)
})

describe('a request for which nothing is created', () => {
  it('is told as late when its client waits no more, and nothing is decided', async () => {
    const reseller = await bench.newReseller(100_000n)
    const times = { notAfterMs: Date.now() - 60_000 }
    expect(await takeTogether(node, [commandFor(reseller, { times })])).toEqual([{ verdict: 'late' }])
    expect(await bench.balanceOf(reseller)).toBe(100_000n)
  })

  it('is told as outranked when a later request with its refid was rejected', async () => {
    const reseller = await bench.newReseller(100_000n)
    const refid = newRefid()
    const at = (signedMs: number, receivedMs: number) => ({
      signedAtSeconds: Math.floor((Date.now() + signedMs) / 1_000),
      receivedAtMs: Date.now() + receivedMs,
    })
    await takeTogether(node, [commandFor(reseller, { refid, isJudgedNo: true, times: at(0, 0) })])
    const outranked = { verdict: 'outranked', balance: 100_000n }
    for (const times of [at(-30_000, 60_000), at(30_000, -60_000)]) {
      expect(await takeTogether(node, [commandFor(reseller, { refid, times })])).toEqual([outranked])
    }
    const later = commandFor(reseller, { refid, times: at(30_000, 60_000) })
    expect(verdictsOf(await takeTogether(node, [later]))).toEqual(['created'])
  })

  it('is told as out of stock when it is to be sold from a stock that is empty', async () => {
    const reseller = await bench.newReseller(100_000n)
    const command = commandFor(reseller, { reservesStock: true, product: 'NEVERLOADED' })
    expect(await takeTogether(node, [command])).toEqual([{ verdict: 'out_of_stock', balance: 100_000n }])
  })

  it('a request behind one with the same refid that found no stock is taken, and is no rejection before', async () => {
    const reseller = await bench.newReseller(100_000n)
    const refid = newRefid()
    const times = { signedAtSeconds: Math.floor(Date.now() / 1_000), receivedAtMs: Date.now() }
    const results = await takeTogether(node, [
      commandFor(reseller, { refid, times, reservesStock: true, product: 'NEVERLOADED' }),
      commandFor(reseller, { refid, times }),
    ])
    expect(verdictsOf(results)).toEqual(['out_of_stock', 'created'])
  })
})

it('a node learns of each commit before and after it, and the time from those that reject', async () => {
  const [steps, seen]: [string[], number[]] = [[], []]
  const intake = createIntake({
    database: node.database,
    vault: bench.vault,
    failpoint: (name) => steps.push(name),
    leaseMs: 60_000,
    onCommitted: () => steps.push('told'),
    clock: { observe: (databaseMs) => seen.push(databaseMs) },
  })
  const reseller = await bench.newReseller(100_000n)
  await intake.submit(commandFor(reseller), LATER)
  expect(steps.splice(0)).toEqual(['intake.before', 'intake.committed', 'told'])
  expect(seen).toEqual([])
  const { rows } = await bench.database.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  )
  await intake.submit(commandFor(reseller, { isJudgedNo: true }), LATER)
  expect(seen).toHaveLength(1)
  expect(seen[0]).toBeGreaterThanOrEqual(Math.floor(rows[0]?.ms ?? Number.NaN))
})

it('a new payment is stored with the plan that was chosen, and without one where there is none', async () => {
  const reseller = await bench.newReseller(100_000n)
  const [without, chosen] = [commandFor(reseller), commandFor(reseller)]
  const decision = chosen.decision && { ...chosen.decision, planCode: 'PLAN-1' }
  await takeTogether(node, [without, { ...chosen, decision }])
  const { rows } = await bench.database.query(
    'select plan_code from payments where reseller_id = $1 order by id',
    [reseller],
  )
  expect(rows).toEqual([{ plan_code: null }, { plan_code: 'PLAN-1' }])
})
