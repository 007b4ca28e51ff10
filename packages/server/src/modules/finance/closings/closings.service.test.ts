import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '../../../lib/dates.ts'
import type { FinanceBench } from '../../../testing/finance.ts'
import { at, dayNumber, openFinanceBench } from '../../../testing/finance.ts'
import type { Reseller } from '../../accounts/types.ts'
import { closeDays } from './closings.jobs.ts'
import { getDay, listDays, verifyClosings } from './closings.service.ts'

let bench: FinanceBench

beforeAll(async () => {
  bench = await openFinanceBench()
})

afterAll(() => bench.close())

/** Opens a wallet with two closed days and a quiet day between them. */
async function openClosedWallet(): Promise<Reseller> {
  const reseller = await bench.newReseller()
  await bench.post(
    reseller.id,
    { kind: 'deposit', amount: 1_000_000n, at: at('2026-10-30 09:00') },
    { kind: 'payment', amount: -97_001n, at: at('2026-10-30 23:59:59.999') },
    { kind: 'refund', amount: 97_001n, at: at('2026-11-01 00:00') },
    { kind: 'commission', amount: 3n, at: at('2026-11-01 08:00') },
    { kind: 'adjustment', amount: -1n, at: at('2026-11-01 23:00') },
  )
  await closeDays({ database: bench.database })
  return reseller
}

const breaksOf = async (reseller: Reseller) =>
  (await verifyClosings(bench.database, reseller)).breaks.map(({ kind, day }) => [kind, day])

describe('days', () => {
  it('a closed day tells opening, movements, closing and its entries', async () => {
    const { id } = await openClosedWallet()
    expect(await getDay(bench.database, id, dayNumber('2026-11-01'))).toEqual({
      day: dayNumber('2026-11-01'),
      opening: 902_999n,
      movements: {
        deposit: { count: 0n, amount: 0n },
        adjustment: { count: 1n, amount: -1n },
        payment: { count: 0n, amount: 0n },
        refund: { count: 1n, amount: 97_001n },
        commission: { count: 1n, amount: 3n },
      },
      closing: 1_000_002n,
      firstSequence: 3n,
      lastSequence: 5n,
      closedAt: expect.any(Date),
    })
  })

  it('a day without movements has no closing, and holds what was held before it', async () => {
    const { id } = await openClosedWallet()
    const { rowCount } = await bench.database.query('select from daily_closings where reseller_id = $1', [id])
    expect(rowCount).toBe(2)
    const quiet = { opening: 902_999n, closing: 902_999n, firstSequence: 3n, lastSequence: 2n }
    expect(await getDay(bench.database, id, dayNumber('2026-10-31'))).toMatchObject(quiet)
    const nothing = { opening: 0n, closing: 0n, firstSequence: 1n, lastSequence: 0n }
    expect(await getDay(bench.database, id, dayNumber('2026-10-29'))).toMatchObject(nothing)
    const after = { opening: 1_000_002n, closing: 1_000_002n }
    expect(await getDay(bench.database, id, dayNumber('2026-11-02'))).toMatchObject(after)
  })

  it('today is shown and not closed', async () => {
    const { id } = await openClosedWallet()
    const now = new Date()
    await bench.post(id, { kind: 'deposit', amount: 7n, at: now })
    await closeDays({ database: bench.database })
    const { rows } = await bench.database.query<{ count: bigint }>(
      'select count(*) from daily_closings where reseller_id = $1',
      [id],
    )
    expect(rows).toEqual([{ count: 2n }])
    const day = dayOf(now.getTime())
    expect(await listDays(bench.database, id, { from: day, to: day })).toMatchObject([
      { day, opening: 1_000_002n, closing: 1_000_009n, closedAt: null },
    ])
  })

  it('a range is at most a year, and not turned around', async () => {
    const { id } = await bench.newReseller()
    const list = (from: number, to: number) => listDays(bench.database, id, { from, to })
    await expect(list(10, 9)).rejects.toMatchObject({ status: 400 })
    await expect(list(0, 366)).rejects.toMatchObject({ status: 400 })
    expect(await list(0, 365)).toEqual([])
  })
})

describe('a closing that is stored', () => {
  it.each([
    'update daily_closings set closing = closing',
    'delete from daily_closings',
    'truncate daily_closings',
  ])('cannot be changed: %s', async (statement) => {
    await expect(bench.database.query(statement)).rejects.toThrow(/immutable/)
  })

  it('must follow on the one before it, and come to what it says', async () => {
    const { id } = await openClosedWallet()
    const insert = (day: string, opening: number, closing: number, first: number, last: number) =>
      bench.database.query(
        `insert into daily_closings
         select $1, $2::date, $3, $4, $5, $6, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0`,
        [id, day, opening, closing, first, last],
      )
    await expect(insert('2026-11-01', 1_000_002, 1_000_007, 6, 6)).rejects.toThrow(/does not follow/)
    await expect(insert('2026-11-02', 1_000_001, 1_000_006, 6, 6)).rejects.toThrow(/does not follow/)
    await expect(insert('2026-11-02', 1_000_002, 1_000_007, 7, 7)).rejects.toThrow(/does not follow/)
    await expect(insert('2026-11-02', 1_000_002, 1_000_008, 6, 6)).rejects.toThrow(/daily_closings_balance/)
    await expect(insert('2026-11-02', 1_000_002, 1_000_007, 6, 7)).rejects.toThrow(/daily_closings_count/)
  })
})

describe('the check', () => {
  it('finds nothing where nothing is wrong', async () => {
    const reseller = await openClosedWallet()
    expect(await verifyClosings(bench.database, reseller)).toEqual({ wallets: 1, closings: 2, breaks: [] })
  })

  it.each([
    [
      'opening',
      `update daily_closings set opening = opening + 1, closing = closing + 1, deposit_count = 0
                  where reseller_id = $1 and day = '2026-11-01'`,
      '2026-11-01',
    ],
    ['sequence', `delete from daily_closings where reseller_id = $1 and day = '2026-10-30'`, '2026-11-01'],
    [
      'movements',
      `update transfers set amount = amount - 1 where reseller_id = $1 and sequence = 2`,
      '2026-10-30',
    ],
    [
      'movements',
      `update daily_closings set commission_amount = 4, adjustment_amount = -2
                    where reseller_id = $1 and day = '2026-11-01'`,
      '2026-11-01',
    ],
    [
      'wallet',
      `update transfers set balance_after = balance_after + 1 where reseller_id = $1 and sequence = 2`,
      '2026-10-30',
    ],
    [
      'late_entry',
      `update transfers set created_at = '2026-10-30 23:59:59.9995+08'
                     where reseller_id = $1 and sequence = 3`,
      '2026-10-30',
    ],
    ['missing', `delete from daily_closings where reseller_id = $1 and day = '2026-11-01'`, '2026-11-01'],
  ])('finds %s where somebody changed a row', async (kind, statement, day) => {
    const reseller = await openClosedWallet()
    await bench.tamper(statement, [reseller.id])
    expect(await breaksOf(reseller)).toEqual([[kind, dayNumber(day)]])
  })

  it('an entry that a clock set back dates into a closed day is counted on the next, and named', async () => {
    const reseller = await openClosedWallet()
    await bench.post(reseller.id, { kind: 'deposit', amount: 11n, at: at('2026-11-01 23:59') })
    await closeDays({ database: bench.database })
    const { rows } = await bench.database.query(
      `select day::text, first_sequence, closing from daily_closings where reseller_id = $1 order by day desc limit 1`,
      [reseller.id],
    )
    expect(rows).toEqual([{ day: '2026-11-02', first_sequence: 6n, closing: 1_000_013n }])
    expect(await breaksOf(reseller)).toEqual([['late_entry', dayNumber('2026-11-01')]])
    // A reader of the day gets what the ledger says.
    const shown = await getDay(bench.database, reseller.id, dayNumber('2026-11-01'))
    expect(shown).toMatchObject({ closing: 1_000_013n, lastSequence: 6n })
  })
})

it('a wallet that cannot be closed is told, and the others are closed', async () => {
  const [broken, sound] = [await bench.newReseller(), await bench.newReseller()]
  const draft = { kind: 'deposit', amount: 50n, at: at('2026-10-05 10:00') } as const
  for (const { id } of [broken, sound]) await bench.post(id, draft)
  await bench.tamper('update transfers set balance_after = 49 where reseller_id = $1', [broken.id])
  await expect(closeDays({ database: bench.database })).rejects.toThrow(
    `wallet ${broken.id} could not be closed`,
  )
  expect(await getDay(bench.database, sound.id, dayNumber('2026-10-05'))).toMatchObject({
    closedAt: expect.any(Date),
  })
  await bench.tamper('update transfers set balance_after = 50 where reseller_id = $1', [broken.id])
  await closeDays({ database: bench.database })
  expect((await verifyClosings(bench.database)).breaks.map(({ account }) => account)).not.toContain(
    broken.account,
  )
})
