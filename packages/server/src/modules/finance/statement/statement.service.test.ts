import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf, formatDay } from '../../../lib/dates.ts'
import { parseCsv } from '../../../lib/input/csv.ts'
import type { Draft, FinanceBench } from '../../../testing/finance.ts'
import { at, dayNumber, inDay, openFinanceBench } from '../../../testing/finance.ts'
import { readPdfPages } from '../../../testing/pdf.ts'
import type { Reseller } from '../../accounts/types.ts'
import { closeDays } from '../closings/closings.jobs.ts'
import type { MonthStatement, StatementFormat } from '../closings/types.ts'
import { statementNumber } from './statement.rules.ts'
import { openMonthStatement, printStatement } from './statement.service.ts'

let bench: FinanceBench

beforeAll(async () => {
  bench = await openFinanceBench()
})

afterAll(() => bench.close())

async function print(statement: MonthStatement, format: StatementFormat): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of printStatement(statement, format, 'Operator Sdn Bhd, Kuala Lumpur'))
    pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

async function printMonth(reseller: Reseller, month: string, format: StatementFormat): Promise<Buffer> {
  return print(await openMonthStatement(bench.database, reseller, month), format)
}

const AROUND_OCTOBER: readonly Draft[] = [
  { kind: 'deposit', amount: 5_000_000n, at: at('2026-09-30 23:59:59.999'), remarks: 'Before' },
  { kind: 'payment', amount: -98_750n, at: at('2026-10-01 00:00'), remarks: 'NOVA 60123456789' },
  { kind: 'commission', amount: 3n, at: at('2026-10-01 09:30:00.250'), remarks: '=1+1' },
  { kind: 'refund', amount: 98_750n, at: at('2026-10-31 23:59:59.999'), remarks: 'NOVA "6012", again' },
  { kind: 'payment', amount: -1n, at: at('2026-11-01 00:00'), remarks: 'After' },
]

describe('csv', () => {
  it('has the account, opening, days, totals, closing, and every entry of the month', async () => {
    const reseller = await bench.newReseller('@Kedai')
    await bench.post(reseller.id, ...AROUND_OCTOBER)
    const csv = await printMonth(reseller, '2026-10', 'csv')
    expect(csv.toString()).toBe(
      [
        'record,date,id,type,count,amount,balance,text',
        `account,,,,,,,${reseller.account}`,
        "name,,,,,,,'@Kedai",
        'month,2026-10,,,,,,',
        'zone,,,,,,,GMT+8',
        'currency,,,,,,,MYR',
        'opening,2026-10-01,,,,,500.00,',
        'day,2026-10-01,,payment,1,-9.875,,',
        'day,2026-10-01,,commission,1,0.0003,,',
        'day,2026-10-01,,all,2,-9.8747,490.1253,',
        'day,2026-10-31,,refund,1,9.875,,',
        'day,2026-10-31,,all,1,9.875,500.0003,',
        'total,2026-10,,payment,1,-9.875,,',
        'total,2026-10,,refund,1,9.875,,',
        'total,2026-10,,commission,1,0.0003,,',
        'total,2026-10,,all,3,0.0003,500.0003,',
        'closing,2026-10-31,,,,,500.0003,',
        'entry,2026-10-01 00:00:00.000,2,payment,,-9.875,490.125,NOVA 60123456789',
        "entry,2026-10-01 09:30:00.250,3,commission,,0.0003,490.1253,'=1+1",
        'entry,2026-10-31 23:59:59.999,4,refund,,9.875,500.0003,"NOVA ""6012"", again"',
        '',
      ].join('\r\n'),
    )
  })

  it('is the same before and after the days are closed', async () => {
    const reseller = await bench.newReseller()
    await bench.post(reseller.id, ...AROUND_OCTOBER)
    const before = await printMonth(reseller, '2026-10', 'csv')
    await closeDays({ database: bench.database, throughDay: dayNumber('2026-10-01') })
    expect(await printMonth(reseller, '2026-10', 'csv')).toEqual(before)
    await closeDays({ database: bench.database })
    expect(await printMonth(reseller, '2026-10', 'csv')).toEqual(before)
  })

  it('lists each of many entries once, in order, and sums to the last of them', async () => {
    const reseller = await bench.newReseller()
    await bench.post(reseller.id, { kind: 'deposit', amount: 10_000n, at: at('2026-10-01 00:00') })
    await bench.database.transaction(async (tx) => {
      await tx.query(
        `insert into transfers (reseller_id, sequence, kind, house_account, amount, balance_after, payment_id, remarks,
                                created_at)
         select $1, n, 'payment', 'provider_clearing', -1, 10001 - n, n, 'P', $2::timestamptz + n * interval '5 minutes'
           from generate_series(2, 5001) as n`,
        [reseller.id, at('2026-10-01 00:00')],
      )
      await tx.query('update wallets set sequence = 5001, balance = 5000 where reseller_id = $1', [
        reseller.id,
      ])
    })
    const text = (await printMonth(reseller, '2026-10', 'csv')).toString()
    const records = parseCsv(text, (_, message) => expect.fail(message)).map(({ cells }) => cells)
    const ids = records.filter(([record]) => record === 'entry').map((cells) => Number(cells[2]))
    expect(ids).toEqual(Array.from({ length: 5_001 }, (_, index) => index + 1))
    const days = records.filter(([record, , , type]) => record === 'day' && type === 'all')
    expect(days.reduce((sum, cells) => sum + Number(cells[4]), 0)).toBe(5_001)
    expect(records.find(([record]) => record === 'closing')?.[6]).toBe('0.50')
  })

  it('an entry that is posted during the printing is neither in its sums nor in its entries', async () => {
    const reseller = await bench.newReseller()
    const now = new Date()
    const month = formatDay(dayOf(now.getTime())).slice(0, 7)
    await bench.post(reseller.id, { kind: 'deposit', amount: 10_000n, at: now })
    const statement = await openMonthStatement(bench.database, reseller, month)
    await bench.post(reseller.id, { kind: 'deposit', amount: 20_000n, at: now })
    const lines = (await print(statement, 'csv')).toString().split('\r\n')
    expect(lines.filter((line) => line.startsWith('entry,'))).toHaveLength(1)
    expect(lines.find((line) => line.startsWith('closing,'))).toContain(',1.00,')
  })

  it('a month without entries holds what was held before it', async () => {
    const reseller = await bench.newReseller()
    await bench.post(reseller.id, { kind: 'deposit', amount: 10_000n, at: at('2026-08-01 00:00') })
    const lines = (await printMonth(reseller, '2026-09', 'csv')).toString().split('\r\n')
    expect(lines.slice(6)).toEqual([
      'opening,2026-09-01,,,,,1.00,',
      'total,2026-09,,all,0,0.00,1.00,',
      'closing,2026-09-30,,,,,1.00,',
      '',
    ])
  })

  it('a month that has not begun is refused, the present one is preliminary', async () => {
    const reseller = await bench.newReseller()
    const today = dayOf(Date.now())
    const next = formatDay(today + 31).slice(0, 7)
    await expect(openMonthStatement(bench.database, reseller, next)).rejects.toMatchObject({ status: 400 })
    const present = await openMonthStatement(bench.database, reseller, formatDay(today).slice(0, 7))
    expect(statementNumber(present)).toMatch(/-P\d\d$/)
  })

  it.each(['2026-13', 'October', ''])('the month "%s" is refused', async (month) => {
    const reseller = await bench.newReseller()
    await expect(openMonthStatement(bench.database, reseller, month)).rejects.toMatchObject({ status: 400 })
  })
})

describe('pdf', () => {
  /** Returns the texts of each page, line by line from the top. */
  function readLines(bytes: Buffer): string[][] {
    return readPdfPages(bytes).map(groupRows)
  }

  function groupRows(texts: ReturnType<typeof readPdfPages>[number]): string[] {
    const rows = new Map<number, { x: number; text: string }[]>()
    for (const { x, y, text } of texts) rows.set(y, [...(rows.get(y) ?? []), { x, text }])
    return [...rows]
      .toSorted(([a], [b]) => b - a)
      .map(([, row]) =>
        row
          .toSorted((a, b) => a.x - b.x)
          .map(({ text }) => text)
          .join(' | '),
      )
  }

  it('shows account, summary, days and the number of the page', async () => {
    const reseller = await bench.newReseller('Kedai “Böse” 李')
    await bench.post(reseller.id, ...AROUND_OCTOBER)
    const [page = [], ...others] = readLines(await printMonth(reseller, '2026-10', 'pdf'))
    expect(others).toEqual([])
    expect(page).toEqual([
      'Statement of account',
      'Issued by | Operator Sdn Bhd, Kuala Lumpur',
      `Number | ST-${reseller.account}-202610`,
      'Date | 2026-11-01',
      `Account | ${reseller.account}`,
      // A name in two scripts is printed as two texts, each in its own font.
      'Name | Kedai “Böse”  | 李',
      'Month | 2026-10',
      'Zone | GMT+8',
      'Currency | MYR',
      'Summary | Count | Amount',
      'Opening balance | 500.0000',
      'Deposits | 0 | 0.0000',
      'Adjustments | 0 | 0.0000',
      'Payments | 1 | -9.8750',
      'Refunds | 1 | 9.8750',
      'Commissions | 1 | 0.0003',
      'All movements | 3 | 0.0003',
      'Closing balance | 500.0003',
      'Day | Entries | Deposits | Adjustments | Payments | Refunds | Commissions | Closing',
      '2026-10-01 * | 2 | 0.0000 | 0.0000 | -9.8750 | 0.0000 | 0.0003 | 490.1253',
      '2026-10-31 * | 1 | 0.0000 | 0.0000 | 0.0000 | 9.8750 | 0.0000 | 500.0003',
      'Total | 3 | 0.0000 | 0.0000 | -9.8750 | 9.8750 | 0.0003',
      'Days without movements are left out. * not closed yet',
      `Statement 2026-10, account ${reseller.account} | Page 1 of 1`,
    ])
  })

  it('a table goes on on the next page under its headings, and every row stays on the paper', async () => {
    const reseller = await bench.newReseller('M'.repeat(100))
    const first = dayNumber('2026-10-01')
    for (let day = first; day < first + 31; day += 1) {
      await bench.post(reseller.id, { kind: 'deposit', amount: 123_456_789_012_345n, at: inDay(day, 0) })
    }
    await closeDays({ database: bench.database })
    const bytes = await printMonth(reseller, '2026-10', 'pdf')
    const pages = readLines(bytes)
    expect(pages.map((lines) => lines.at(-1)?.split(' | ')[1])).toEqual(['Page 1 of 2', 'Page 2 of 2'])
    expect(pages[1]?.[0]).toMatch(/^Day \| Entries/)
    const days = pages.flat().filter((line) => line.startsWith('2026-10-'))
    expect(days.map((line) => line.slice(0, 10))).toEqual(
      Array.from({ length: 31 }, (_, index) => formatDay(first + index)),
    )
    expect(pages.flat().some((line) => line.includes('*'))).toBe(false)
    expect(pages[0]?.[5]).toMatch(/^Name \| M+…$/)
    for (const { x, y } of readPdfPages(bytes).flat()) {
      expect(x).toBeGreaterThanOrEqual(50)
      expect(y).toBeGreaterThan(20)
    }
  })

  it('the same statement is the same bytes', async () => {
    const reseller = await bench.newReseller()
    await bench.post(reseller.id, ...AROUND_OCTOBER)
    const first = await printMonth(reseller, '2026-10', 'pdf')
    expect(first.equals(await printMonth(reseller, '2026-10', 'pdf'))).toBe(true)
  })
})
