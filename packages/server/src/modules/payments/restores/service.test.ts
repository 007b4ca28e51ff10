import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recoveryAt } from '../../../testing/payments/dispatching.ts'
import type { CommandChange, Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  newRefid,
  openPaymentsBench,
  payWith,
  takeTogether,
  verdictsOf,
} from '../../../testing/payments/payments.ts'
import {
  createScriptedProvider,
  NOT_FOUND,
  providersOf,
  SUCCEEDED,
} from '../../../testing/providers/scripted-provider.ts'
import {
  acceptRestore,
  holdRefid,
  listLostPayments,
  listRestores,
  readPaymentsSince,
  recordRestore,
  releaseRefid,
} from './service.ts'
import type { LostPayment, Restore } from './types.ts'

let bench: PaymentsBench
let node: Node
let reseller: bigint

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.database.query('delete from lost_payments')
  await bench.database.query('delete from restores')
  await bench.database.query('delete from payment_work')
  await bench.database.query('update payments set code = 20 where code in (0, 1)')
  reseller = await bench.newReseller(1_000_000n)
})
afterAll(() => expectSoundMoney(bench.database))

const noAccounts = async () => new Map<bigint, string>()
const DECISION = { by: 'somebody', reason: 'a test' }
const MOMENT = new Date('2026-11-16T06:00:00Z')

async function* pages(...lost: readonly LostPayment[]): AsyncGenerator<readonly LostPayment[]> {
  if (lost.length > 0) yield lost
}

function restore(...lost: readonly LostPayment[]) {
  return bench.database.transaction((tx) =>
    recordRestore(tx, {
      restoredTo: MOMENT,
      logReadTo: null,
      resellerIds: [reseller],
      later: pages(...lost),
    }),
  )
}

function restoreAfter(earlier: readonly Restore[]) {
  return bench.database.transaction((tx) =>
    recordRestore(tx, {
      restoredTo: MOMENT,
      logReadTo: null,
      resellerIds: [reseller],
      earlier,
      later: pages(),
    }),
  )
}

function lostPayment(refid: string, resellerId = reseller): LostPayment {
  return {
    resellerId,
    refid,
    paymentId: 77n,
    provider: 'scripted',
    attempts: 2,
    productCode: 'NOVA',
    account: '60123456789',
    amount: 10_000n,
    cost: 10_000n,
    code: 20,
  }
}

async function verdictOf(change: CommandChange): Promise<string> {
  const [verdict = ''] = verdictsOf(await takeTogether(node, [commandFor(reseller, change)]))
  return verdict
}

const accept = () => bench.database.transaction((tx) => acceptRestore(tx, DECISION))

describe('a restored database', () => {
  it('neither takes nor rejects a refid that it does not know before somebody accepts the restore', async () => {
    const known = await payWith(node, reseller)
    await restore()
    const balance = await bench.balanceOf(reseller)
    expect(await verdictOf({})).toBe('lost')
    expect(await verdictOf({ isJudgedNo: true })).toBe('lost')
    expect(await verdictOf({ isJudgedNo: true, isLookupOnly: true })).toBe('lost')
    expect(await verdictOf({ cost: 999_999_999n })).toBe('lost')
    expect(await verdictOf({ refid: known.refid })).toBe('existing')
    expect(await bench.balanceOf(reseller)).toBe(balance)
    const { rows } = await bench.database.query('select 1 from payment_rejections where reseller_id = $1', [
      reseller,
    ])
    expect(rows).toEqual([])
    await accept()
    expect(await verdictOf({})).toBe('created')
    expect(await verdictOf({ isJudgedNo: true })).toBe('absent')
  })

  it('never takes a refid that was paid after the moment, also when the restore is accepted', async () => {
    const [lost, other] = [newRefid(), newRefid()]
    expect(await restore(lostPayment(lost))).toMatchObject({ lost: 1 })
    await accept()
    expect(await verdictOf({ refid: lost })).toBe('lost')
    expect(await verdictOf({ refid: lost, isJudgedNo: true })).toBe('lost')
    expect(await verdictOf({ refid: other })).toBe('created')
    expect(await bench.refidsOf(reseller)).toEqual([other])
    // A refid belongs to one reseller.
    const stranger = await bench.newReseller(100_000n)
    const taken = await takeTogether(node, [commandFor(stranger, { refid: lost })])
    expect(verdictsOf(taken)).toEqual(['created'])
  })

  it('takes a lost refid once its release was decided, and holds one that somebody names', async () => {
    const [lost, named] = [newRefid(), newRefid()]
    await restore(lostPayment(lost))
    await accept()
    await bench.database.transaction((tx) => holdRefid(tx, { id: reseller }, named))
    await bench.database.transaction((tx) => releaseRefid(tx, { id: reseller }, lost, DECISION))
    expect(await verdictOf({ refid: lost })).toBe('created')
    expect(await verdictOf({ refid: named })).toBe('lost')
    const refused = bench.database.transaction((tx) => releaseRefid(tx, { id: reseller }, lost, DECISION))
    await expect(refused).rejects.toMatchObject({ status: 404 })
    expect(await listLostPayments(bench.database, { limit: 10 }, noAccounts)).toMatchObject([
      { refid: named },
    ])
  })

  it('keeps what it knows about a lost payment when somebody names its refid, also after its release', async () => {
    const lost = newRefid()
    await restore(lostPayment(lost))
    const hold = () => bench.database.transaction((tx) => holdRefid(tx, { id: reseller }, lost))
    const list = () => listLostPayments(bench.database, { limit: 10 }, noAccounts)
    await hold()
    expect(await list()).toMatchObject([lostPayment(lost)])
    await bench.database.transaction((tx) => releaseRefid(tx, { id: reseller }, lost, DECISION))
    expect(await list()).toEqual([])
    await hold()
    expect(await list()).toMatchObject([lostPayment(lost)])
  })

  it('keeps no payment as lost that it has, and none of a reseller that is lost itself', async () => {
    const known = await payWith(node, reseller)
    const counted = await restore(lostPayment(known.refid), lostPayment(newRefid(), 999_999n))
    expect(counted.lost).toBe(0)
    expect(await listRestores(bench.database, { limit: 10 })).toMatchObject([
      { restoredTo: MOMENT, acceptedAt: null, lost: 0 },
    ])
  })

  it('gives no number of an event or a case a second time', async () => {
    await bench.database.query('insert into event_sequences values ($1, 5)', [reseller])
    const numberOf = async () => {
      const { rows } = await bench.database.query<{ number: bigint }>(
        "select nextval('case_numbers') as number",
      )
      return rows[0]?.number ?? 0n
    }
    const before = await numberOf()
    await restore()
    expect((await numberOf()) - before).toBeGreaterThan(9_999n)
    const { rows } = await bench.database.query<{ last: bigint }>(
      'select last_sequence as last from event_sequences where reseller_id = $1',
      [reseller],
    )
    expect(rows[0]?.last).toBe(100_000_005n)
  })

  it('marks a restore again that it has forgotten, and leaves out the numbers that were given after it', async () => {
    await bench.database.query('insert into event_sequences values ($1, 5)', [reseller])
    await restore()
    const earlier = await listRestores(bench.database, { limit: 10 })
    await restoreAfter(earlier)
    expect(await listRestores(bench.database, { limit: 10 })).toHaveLength(2)
    // The database is returned to a moment before both of them.
    await bench.database.query('delete from restores')
    await bench.database.query('update event_sequences set last_sequence = 4 where reseller_id = $1', [
      reseller,
    ])
    await restoreAfter(earlier)
    const restores = await listRestores(bench.database, { limit: 10 })
    expect(restores).toMatchObject([{ acceptedAt: null }, { acceptedAt: null, restoredTo: MOMENT }])
    const { rows } = await bench.database.query<{ last: bigint }>(
      'select last_sequence as last from event_sequences where reseller_id = $1',
      [reseller],
    )
    expect(rows[0]?.last).toBe(200_000_004n)
  })

  it('asks about payments in progress and never sends them, whatever the provider says it does not know', async () => {
    const [unsent, absent, done] = [
      await payWith(node, reseller),
      await payWith(node, reseller),
      await payWith(node, reseller),
    ]
    await bench.database.query('update payment_work set is_unsent = true where payment_id = $1', [unsent.id])
    await restore()
    for (const payment of [unsent, absent, done]) await bench.age(payment, 7_200)
    const provider = createScriptedProvider(SUCCEEDED, (order) =>
      Promise.resolve(order.reference === `W${done.id}-1` ? SUCCEEDED : NOT_FOUND),
    )
    const recovery = recoveryAt(bench, providersOf(provider), {})
    await recovery.runOnce()
    await recovery.stop()
    expect(provider.submitted).toEqual([])
    expect(provider.asked.map(({ reference }) => reference).sort()).toEqual(
      [unsent, absent, done].map(({ id }) => `W${id}-1`).sort(),
    )
    expect(await bench.codeOf(unsent)).toBe(1)
    expect(await bench.codeOf(absent)).toBe(1)
    expect(await bench.codeOf(done)).toBe(20)
  })
})

it('every payment since a moment is read from the log, those shortly before it included', async () => {
  const before = new Date()
  const payments = [await payWith(node, reseller), await payWith(node, reseller)]
  const found: LostPayment[] = []
  for await (const page of readPaymentsSince(bench.database, before)) found.push(...page)
  const own = found.filter(({ resellerId }) => resellerId === reseller)
  expect(own.map(({ refid, paymentId, attempts }) => ({ refid, paymentId, attempts }))).toEqual(
    payments.map(({ refid, id }) => ({ refid, paymentId: id, attempts: 1 })),
  )
  const later: LostPayment[] = []
  for await (const page of readPaymentsSince(bench.database, new Date(Date.now() + 3_600_000)))
    later.push(...page)
  expect(later).toEqual([])
})

it('payments that earlier restores lost are read from the log, unless they were released', async () => {
  const [lost, released, named] = [newRefid(), newRefid(), newRefid()]
  await restore(lostPayment(lost), lostPayment(released))
  await accept()
  await bench.database.transaction((tx) => releaseRefid(tx, { id: reseller }, released, DECISION))
  await bench.database.transaction((tx) => holdRefid(tx, { id: reseller }, named))
  const found: LostPayment[] = []
  for await (const page of readPaymentsSince(bench.database, new Date(Date.now() + 3_600_000)))
    found.push(...page)
  expect(found).toHaveLength(2)
  expect(found).toContainEqual(expect.objectContaining(lostPayment(lost)))
  expect(found).toContainEqual(expect.objectContaining({ refid: named, paymentId: null }))
  // Returned to a moment before that restore, the database knows neither of them.
  await bench.database.query('delete from lost_payments')
  expect(await restore(...found)).toMatchObject({ lost: 2 })
  await accept()
  expect(await verdictOf({ refid: lost })).toBe('lost')
  expect(await verdictOf({ refid: named })).toBe('lost')
  expect(await verdictOf({ refid: released })).toBe('created')
})
