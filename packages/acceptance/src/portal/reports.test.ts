import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import { newRefid, reload } from '../payments.ts'
import type { Service } from '../service.ts'
import { stopServices, until } from '../service.ts'
import type { Shop } from './members.ts'
import { dataOf, openShop } from './members.ts'

// Sales as the shop and its accountant read them.

let service: Service
let shop: Shop

type Figures = { payments: number; failed: number; sales: string; cost: string; margin: string }
type Line = Figures & { key: string; name: string | null; before: Figures }
type Report = { from: string; to: string; before: { from: string; to: string }; total: Line; lines: Line[] }

const DIMENSIONS = ['day', 'product', 'category', 'hour', 'seller']

beforeAll(async () => {
  service = (await shareDemo()).service
  shop = await openShop(service, '100')
  await shop.payer.untilStatus(reload(), 'Succesful')
  const sold = { refid: newRefid(), product: 'KITA', account: '60123456770', amount: 20 }
  await shop.admin.send('POST', '/sell/payments', sold)
  await shop.admin.send('POST', '/sell/payments', reload({ account: '60123452000' }))
  await until('all have ended', async () => {
    const { pending } = dataOf<{ pending: number }>(await shop.viewer.get('/payments/totals'))
    return pending === 0
  })
})
afterAll(() => stopServices())

async function read(query: string): Promise<Report> {
  return dataOf<Report>(await shop.viewer.get(`/reports/sales?${query}`))
}

describe('a report of sales', () => {
  it.each(DIMENSIONS)('by %s comes to the totals of the payments, line by line', async (by) => {
    const {
      from: _from,
      to: _to,
      ...totals
    } = dataOf<Figures & { from: string; to: string }>(await shop.viewer.get('/payments/totals'))
    const { total, lines } = await read(`by=${by}`)
    expect(total).toMatchObject(totals)
    expect(total).toMatchObject({ payments: 3, failed: 1, sales: '30.00', before: { payments: 0 } })
    expect(lines.reduce((sum, { payments }) => sum + payments, 0)).toBe(3)
  })

  it('names products, members and keys, and has every day and hour', async () => {
    const { lines: products } = await read('by=product')
    expect(products.map(({ key, sales }) => [key, sales])).toEqual([
      ['KITA', '20.00'],
      ['NOVA', '10.00'],
    ])
    expect(products.every(({ name }) => name !== null)).toBe(true)
    const { lines: sellers } = await read('by=seller')
    expect(sellers).toHaveLength(2)
    expect(sellers[0]).toMatchObject({ name: shop.admin.username, sales: '20.00', failed: 1 })
    expect(sellers[1]?.key).toMatch(/^key:\d+$/)
    expect(sellers[1]?.name).toEqual(expect.any(String))
    expect((await read('by=hour')).lines.map(({ key }) => key)).toEqual(
      Array.from({ length: 24 }, (_, hour) => String(hour)),
    )
    const days = await read('from=2026-01-01&to=2026-01-10')
    expect(days.lines).toHaveLength(10)
    expect(days.before).toEqual({ from: '2025-12-18', to: '2025-12-27' })
  })

  it('is of one shop alone', async () => {
    const other = await openShop(service, null)
    for (const by of DIMENSIONS) {
      const { total } = dataOf<Report>(await other.viewer.get(`/reports/sales?by=${by}`))
      expect(total).toMatchObject({ payments: 0, sales: '0.00' })
    }
  })

  it('comes as a CSV file, as an XLSX file and on paper, for the same days', async () => {
    const csv = await shop.viewer.get('/reports/sales.csv?by=product')
    expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="sales-by-product-\d+-/)
    const [head, ...rows] = csv.text.trimEnd().split('\r\n')
    expect(head).toMatch(/^product,name,payments,.*,before_margin_myr$/)
    expect(rows.map((row) => row.split(',')[0])).toEqual(['KITA', 'NOVA'])
    const sheet = await shop.viewer.get('/reports/sales.xlsx?by=product')
    expect(sheet.headers['content-type']).toContain('spreadsheetml.sheet')
    expect(sheet.headers['content-disposition']).toContain('.xlsx"')
    expect(sheet.text.startsWith('PK')).toBe(true)
    const paper = await shop.viewer.get('/reports/sales.pdf?by=product')
    expect(paper.headers['content-type']).toBe('application/pdf')
    expect(paper.text.startsWith('%PDF')).toBe(true)
  })

  it('refuses what it cannot be told by, and more than a year', async () => {
    for (const query of ['by=weather', 'from=2020-01-01&to=2026-01-01', 'from=x']) {
      for (const file of ['', '.csv', '.xlsx', '.pdf']) {
        expect((await shop.viewer.get(`/reports/sales${file}?${query}`)).status).toBe(400)
      }
    }
  })
})

describe('a month pack', () => {
  it('has the statement, the entries, the reports and the totals, which agree', async () => {
    const month = (await read('')).to.slice(0, 'yyyy-MM'.length)
    const answer = await fetch(`${service.baseUrl}/portal/v1/reports/month.zip?month=${month}`, {
      headers: { Cookie: `warung_member=${shop.viewer.secret}` },
    })
    expect(answer.headers.get('content-type')).toBe('application/zip')
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
    const of = `${shop.payer.account}-${month}`
    expect(Object.keys(files)).toEqual([
      `statement-${of}.pdf`,
      `statement-${of}.csv`,
      `totals-${of}.csv`,
      `sales-${of}.pdf`,
      `sales-by-day-${of}.csv`,
      `sales-by-product-${of}.csv`,
      `sales-${of}.xlsx`,
    ])
    const textOf = (name: string) => strFromU8(files[`${name}-${of}.csv`] ?? new Uint8Array())
    const totals = textOf('totals').trimEnd().split('\r\n')
    const { total } = await read('by=day')
    expect(totals).toContain('deposits,1,100.00')
    expect(totals).toContain(`receipts_face_value,2,${total.sales}`)
    expect(totals).toContain(`receipts_cost,2,${total.cost}`)
    const { data } = (await shop.viewer.get('/balance')).json<{ data: { balance: string } }>()
    expect(totals).toContain(`closing_balance,,${data.balance}`)
    expect(textOf('statement').match(/^entry,/gm)?.length).toBe(5)
    expect(textOf('sales-by-product')).toContain('NOVA,')
  })

  it('is refused for what is no month, and for one that lies ahead', async () => {
    for (const month of ['2026-13', 'x', '9999-01']) {
      expect((await shop.viewer.get(`/reports/month.zip?month=${month}`)).status).toBe(400)
    }
  })
})
