import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { GivenLimit } from '../../../testing/payments/limits.ts'
import { advanceDays, limitLevel, limitMember, limitReseller } from '../../../testing/payments/limits.ts'
import type { CommandChange, Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  openPaymentsBench,
  payWith,
  takeTogether,
  verdictsOf,
} from '../../../testing/payments/payments.ts'
import { verifyLedger } from '../../wallet/ledger/audit.service.ts'
import type { Payment } from '../core/types.ts'
import type { ResolveCommand } from '../outcomes/resolve.service.ts'
import type { IntakeResult } from '../take/intake.types.ts'
import {
  countMonths,
  endIdleCounts,
  listDriftedCounts,
  listLimits,
  listMemberLimits,
  sweepCounts,
} from './service.ts'

const RM = 10_000n

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
  await bench.database.query(
    `insert into price_levels (code, name, version) values ('STANDARD', 'Standard', 1)`,
  )
})
afterAll(() => bench.close())
afterEach(() => expectSoundMoney(bench.database))

const limit = (resellerId: bigint, given: GivenLimit) => limitReseller(bench.database, resellerId, given)
const advance = (resellerId: bigint, days: number) => advanceDays(bench.database, resellerId, days)

const take = (resellerId: bigint, ...changes: CommandChange[]) =>
  takeTogether(
    node,
    changes.map((change) => commandFor(resellerId, change)),
  )

async function verdicts(resellerId: bigint, ...changes: CommandChange[]): Promise<string[]> {
  return (await take(resellerId, ...changes)).map(nameOf)
}

function nameOf(result: IntakeResult): string {
  return result.verdict === 'limited' ? result.reached.name : result.verdict
}

async function end({ resellerId, id }: Payment, ...outcomes: ResolveCommand['outcome'][]): Promise<void> {
  for (const outcome of outcomes) await node.resolver.submit({ resellerId, id, outcome, nextMs: 0 })
}

const SUCCEEDED = {
  kind: 'succeeded',
  output: { serialNumber: 'S1', pin: '', expiry: '', voucherLink: '', note: '' },
} as const
const FAILED = { kind: 'failed', code: 48, reason: 'no' } as const

describe('a limit of an account', () => {
  it('passes as many payments and as much as it says, in one batch and over several', async () => {
    const reseller = await bench.newReseller(100n * RM)
    await limit(reseller, { scope: 'account', period: 'day', payments: 3, sum: 5n * RM })
    const one = { cost: RM }
    expect(await verdicts(reseller, one, one, { cost: 4n * RM }, one, one)).toEqual([
      ...['created', 'created', 'Account_Daily_Limit', 'created', 'Account_Daily_Limit'],
    ])
    expect(await verdicts(reseller, one, { ...one, account: '60129999999' })).toEqual([
      'Account_Daily_Limit',
      'created',
    ])
  })

  it('says what is used and when that begins anew', async () => {
    const reseller = await bench.newReseller(100n * RM)
    await limit(reseller, { scope: 'account', period: 'month', payments: 9, sum: 5n * RM })
    const [, refused] = await take(reseller, { cost: 4n * RM }, { cost: 2n * RM })
    const { rows } = await bench.database.query<{ ends: Date }>(
      `select (date_trunc('month', now() at time zone 'Asia/Kuala_Lumpur') + interval '1 month')
                at time zone 'Asia/Kuala_Lumpur' as ends`,
    )
    expect(refused).toEqual({
      verdict: 'limited',
      balance: 96n * RM,
      reached: {
        name: 'Account_Monthly_Limit',
        payments: 9n,
        sum: 5n * RM,
        used: { payments: 1n, sum: 4n * RM, resetsAt: rows[0]?.ends },
      },
    })
  })

  it('counts face values, not costs, and every spelling of a number as one account', async () => {
    const reseller = await bench.newReseller(100n * RM)
    await limit(reseller, { scope: 'account', period: 'day', sum: 5n * RM })
    const face = { cost: RM, faceValue: 3n * RM }
    expect(await verdicts(reseller, face, face, { ...face, faceValue: 2n * RM })).toEqual([
      ...['created', 'Account_Daily_Limit', 'created'],
    ])
  })
})

describe('a limit of a reseller', () => {
  it('a limit of a category is not that of the others, and zero lets nothing pass', async () => {
    const reseller = await bench.newReseller(100n * RM)
    await limit(reseller, { scope: 'reseller', period: 'day', category: 'GAMES', payments: 1 })
    await limit(reseller, { scope: 'reseller', period: 'month', category: 'BILLS', sum: 0n })
    const [games, bills, prepaid] = ['GAMES', 'BILLS', 'PREPAID'].map((category) => ({ category }))
    expect(await verdicts(reseller, games ?? {}, games ?? {}, bills ?? {}, prepaid ?? {}, {})).toEqual([
      ...['created', 'Daily_Limit', 'Monthly_Limit', 'created', 'created'],
    ])
  })

  it('a limit of a reseller replaces that of its level, and its own come on top', async () => {
    const [alone, other] = [await bench.newReseller(100n * RM), await bench.newReseller(100n * RM)]
    await limitLevel(bench.database, 'STANDARD', { scope: 'reseller', period: 'day', payments: 1 })
    await limit(alone, { scope: 'reseller', period: 'day', payments: 3 })
    await limit(alone, { scope: 'reseller', period: 'day', payments: 2, setBy: 'reseller' })
    expect(await verdicts(other, {}, {})).toEqual(['created', 'Daily_Limit'])
    expect(await verdicts(alone, {}, {}, {})).toEqual(['created', 'created', 'Daily_Limit'])
    await bench.database.query('delete from level_limits')
  })

  it('counts what was paid in the month before it was set, and not what failed or was voided', async () => {
    const reseller = await bench.newReseller(100n * RM)
    const first = await payWith(node, reseller)
    await payWith(node, reseller)
    await end(first, FAILED)
    await limit(reseller, { scope: 'reseller', period: 'day', payments: 2 })
    const [taken] = await take(reseller, {}, {})
    expect(taken?.verdict).toBe('created')
    expect(await verdicts(reseller, {})).toEqual(['Daily_Limit'])
    if (taken?.verdict === 'created') await end(taken.payment, SUCCEEDED, { kind: 'voided' })
    expect(await verdicts(reseller, {}, {})).toEqual(['created', 'Daily_Limit'])
  })

  it('begins anew with the day, and what fails later gives its part back to the day in which it was taken', async () => {
    const reseller = await bench.newReseller(100n * RM)
    await limit(reseller, { scope: 'reseller', period: 'day', payments: 1 })
    const yesterday = await payWith(node, reseller)
    await advance(reseller, 1)
    expect(await verdicts(reseller, {}, {})).toEqual(['created', 'Daily_Limit'])
    await end(yesterday, FAILED)
    expect(await verdicts(reseller, {})).toEqual(['Daily_Limit'])
    await advance(reseller, 31)
    expect(await verdicts(reseller, {})).toEqual(['created'])
  })

  it('a payment that the wallet or the stock cannot give uses nothing of it', async () => {
    const reseller = await bench.newReseller(RM)
    await limit(reseller, { scope: 'reseller', period: 'day', payments: 1 })
    expect(await verdicts(reseller, { cost: 2n * RM }, { reservesStock: true }, { cost: RM })).toEqual([
      ...['insufficient', 'out_of_stock', 'created'],
    ])
  })
})

describe('a cap of a key', () => {
  const kiosk = (change: CommandChange = {}): CommandChange => ({ purposeId: 7n, cost: RM, ...change })

  it('is judged after limits and before the balance, by cost', async () => {
    const reseller = await bench.newReseller(100n * RM)
    await limit(reseller, { scope: 'account', period: 'day', sum: 10n * RM })
    // The limit is judged first, then the amount, then the caps.
    const caps = { maxAmount: 5n * RM, dailyCap: 6n * RM, monthlyCap: 100n * RM }
    const pays = (cost: bigint) => kiosk({ cost, caps })
    expect(
      await verdicts(reseller, pays(11n * RM), pays(6n * RM), pays(5n * RM), pays(2n * RM), pays(RM)),
    ).toEqual(['Account_Daily_Limit', 'Key_Amount_Cap', 'created', 'Key_Daily_Cap', 'created'])
    expect(await verdicts(reseller, kiosk({ caps: { maxAmount: 1n }, cost: 1_000n * RM }))).toEqual([
      'Account_Daily_Limit',
    ])
  })

  it('hangs on the purpose: what a rotated key and its successor pay is one sum, other keys have their own', async () => {
    const reseller = await bench.newReseller(100n * RM)
    await payWith(node, reseller, kiosk({ cost: 2n * RM }))
    const [wide, narrow] = [{ monthlyCap: 6n * RM }, { monthlyCap: 4n * RM }]
    expect(
      await verdicts(
        reseller,
        kiosk({ caps: wide }),
        kiosk({ caps: narrow, cost: 2n * RM }),
        kiosk({ caps: narrow }),
        kiosk({ caps: narrow }),
        kiosk({ caps: wide, cost: 2n * RM }),
        kiosk({ caps: narrow, purposeId: 8n }),
      ),
    ).toEqual([...['created', 'Key_Monthly_Cap', 'created', 'Key_Monthly_Cap', 'created', 'created']])
  })
})

it('payments of a reseller without limits and caps are not counted', async () => {
  const [limited, free] = [await bench.newReseller(10n * RM), await bench.newReseller(10n * RM)]
  await limit(limited, { scope: 'account', period: 'day', payments: 1 })
  const commands = [limited, free, limited, free].map((reseller) => commandFor(reseller))
  expect(verdictsOf(await takeTogether(node, commands))).toEqual(['created', 'created', 'limited', 'created'])
  expect(await countsOf(limited, free)).toEqual([{ reseller_id: limited, kind: 'account', payments: 1n }])
})

async function countsOf(...resellers: readonly bigint[]): Promise<object[]> {
  const { rows } = await bench.database.query<object>(
    `select reseller_id, split_part(kind, '#', 1) as kind, payments from payment_counts
      where reseller_id = any ($1::bigint[])`,
    [resellers],
  )
  return rows
}

describe('the month that a limit finds', () => {
  const never = () => false

  it('is counted in steps beside the payments, from the newest, and no count is ever another than that of its payments', async () => {
    const reseller = await bench.newReseller(5_000n * RM)
    const [oldest] = await take(reseller, {})
    for (const size of [400, 400, 250]) await take(reseller, ...Array<CommandChange>(size).fill({}))
    const newest = await payWith(node, reseller)
    await limit(reseller, { scope: 'reseller', period: 'month', payments: 1_060 })
    // The newest thousand are counted in the batch that finds the limit, the others beside it.
    const during = await payWith(node, reseller)
    expect(await listLimits(bench.database, reseller)).toMatchObject([{ used: null }])
    if (oldest?.verdict === 'created') await end(oldest.payment, FAILED)
    await end(newest, FAILED)
    await expectSoundMoney(bench.database)
    const stops = [false, false, true]
    await countMonths(bench.database, () => stops.shift() ?? true, 20)
    await end(during, FAILED)
    await payWith(node, reseller)
    await expectSoundMoney(bench.database)
    await countMonths(bench.database, never, 20)
    expect(await listLimits(bench.database, reseller)).toMatchObject([{ used: { payments: 1_051 } }])
    const results = await verdicts(reseller, ...Array<CommandChange>(11).fill({}))
    expect(results.filter((verdict) => verdict === 'created')).toHaveLength(9)
  })

  it('is counted no more when the limit is removed, and anew when there is one again', async () => {
    const [reseller, other] = [await bench.newReseller(100n * RM), await bench.newReseller(100n * RM)]
    const daily = { scope: 'reseller', period: 'day', payments: 3 } as const
    for (const each of [reseller, other]) await limit(each, daily)
    for (const each of [reseller, other]) await payWith(node, each)
    const capped = { purposeId: 7n, caps: { dailyCap: 9n * RM } }
    await payWith(node, reseller, capped)
    await bench.database.query('delete from reseller_limits where reseller_id = $1', [reseller])
    await endIdleCounts(bench.database)
    // No key of the account has a cap.
    const { rows } = await bench.database.query('select 1 from payment_tallies where reseller_id = $1', [
      reseller,
    ])
    expect(rows).toEqual([])
    const before = await countsOf(reseller)
    await payWith(node, reseller)
    expect(await countsOf(reseller)).toEqual(before)
    await limit(reseller, { ...daily, payments: 4 })
    expect(await verdicts(reseller, {}, {})).toEqual(['created', 'Daily_Limit'])
    await sweepCounts(bench.database, never)
    expect(await countsOf(reseller)).toEqual([{ reseller_id: reseller, kind: 'reseller', payments: 4n }])
    expect(await verdicts(other, {}, {}, {})).toEqual(['created', 'created', 'Daily_Limit'])
  })
})

it('a count that drifted is a break of the ledger, and is named', async () => {
  const reseller = await bench.newReseller(10n * RM)
  await limit(reseller, { scope: 'account', period: 'day', payments: 5 })
  await payWith(node, reseller, { cost: RM })
  const prove = () => verifyLedger({ ...bench, listDrifted: listDriftedCounts })
  expect((await prove()).breaks).toEqual([])
  const shift = (by: number) =>
    bench.database.query('update payment_counts set payments = payments + $2 where reseller_id = $1', [
      reseller,
      by,
    ])
  await shift(1)
  const [found] = (await prove()).breaks
  expect(found).toMatchObject({ kind: 'count', found: '2 payments of 1.00 for 1.00' })
  expect(found?.expected).toMatch(/^account 60123456789 \d{4}-\d\d-\d\d: 1 payments of 1.00 for 1.00$/)
  await shift(-1)
})

describe('a limit of a member', () => {
  const category = 'GAMES'

  it('counts what the member sold, not what a key of the same number or an order paid', async () => {
    const reseller = await bench.newReseller(1_000n * RM)
    const memberId = await limitMember(bench.database, reseller, { period: 'day', payments: 2 })
    const own = { memberId, category }
    const key = { ...own, purposeId: 77n }
    expect(await verdicts(reseller, key, key, key, own, own, own, { memberId: 'ord_1', category })).toEqual([
      'created',
      'created',
      'created',
      'created',
      'created',
      'Member_Daily_Limit',
      'created',
    ])
    expect(await listMemberLimits(bench.database, reseller)).toMatchObject([
      { period: 'day', payments: 2, used: { payments: 2, sum: 2n * RM } },
    ])
  })

  it('gets the part of a payment that failed or was voided back, and drift of its counts is found', async () => {
    const reseller = await bench.newReseller(1_000n * RM)
    const memberId = await limitMember(bench.database, reseller, { period: 'month', sum: 3n * RM })
    const own = { memberId, category, cost: 3n * RM }
    for (const outcomes of [[FAILED], [SUCCEEDED, { kind: 'voided' } as const]]) {
      const [result] = await take(reseller, own)
      expect(result?.verdict).toBe('created')
      expect(await verdicts(reseller, own)).toEqual(['Member_Monthly_Limit'])
      if (result?.verdict === 'created') await end(result.payment, ...outcomes)
    }
    expect(await verdicts(reseller, own)).toEqual(['created'])
    expect(await listDriftedCounts(bench.database, reseller)).toEqual([])
    const drift = (by: bigint) =>
      bench.database.query(
        `update payment_counts set face_value = face_value + $2 where reseller_id = $1 and kind like 'member%'`,
        [reseller, by],
      )
    await drift(1n)
    expect(await listDriftedCounts(bench.database, reseller)).toHaveLength(1)
    await drift(-1n)
  })
})
