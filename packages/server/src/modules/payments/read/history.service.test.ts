import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDataKey, openVault } from '../../../db/vault.ts'
import { parseDay } from '../../../lib/dates.ts'
import { NO_MASKS } from '../../../lib/secrets/masks.ts'
import type { MasterKey } from '../../../lib/secrets/sealing.ts'
import {
  moneyField,
  moneyProduct,
  sampleBase,
  sampleCategory,
  sampleProduct,
} from '../../../testing/catalog/catalog-samples.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import type { BackfilledPayment } from '../../../testing/payments/history.ts'
import { insertBackfill, newReseller, PAST } from '../../../testing/payments/history.ts'
import { sealOutput } from '../core/secrets.service.ts'
import type { HistoryQuery } from './history.rules.ts'
import type { History } from './history.service.ts'
import { createHistory } from './history.service.ts'
import { historyView } from './history.view.ts'

const DAY = parseDay('2026-03-04') ?? Number.NaN
const NOON_MS = 12 * 3_600_000

let test: TestDatabase
let history: History

const BASE = sampleBase({
  categories: [sampleCategory({ code: 'PREPAID', name: 'Prepaid reloads' })],
  products: [
    sampleProduct(),
    sampleProduct({ code: 'BILLS', kind: 'bill_payment' }),
    sampleProduct({ code: 'GEMS', denominationCurrency: 'GEM', imageUrl: 'https://img.example/gems.png' }),
    moneyProduct({ code: 'YEN', fields: [moneyField({ currency: 'JPY' })] }),
  ],
})

beforeAll(async () => {
  test = await openTestDatabase()
  history = createHistory({ ...test, catalog: { base: () => BASE } })
})

afterAll(() => test.close())

const ALL: HistoryQuery = {
  days: { from: DAY, to: DAY },
  statuses: [],
  account: null,
  product: null,
  limit: 1_000,
  offset: 0,
}

async function listed(resellerId: bigint, change: Partial<HistoryQuery> = {}) {
  return historyView(await history.list(resellerId, { ...ALL, ...change }), NO_MASKS)
}

async function withPayments(...payments: readonly Partial<BackfilledPayment>[]) {
  const resellerId = await newReseller(test)
  const past = payments.map((each) => ({ ...PAST, day: DAY, atMs: NOON_MS, ...each }))
  return { resellerId, ids: await insertBackfill(test.database, resellerId, past) }
}

async function finish(
  resellerId: bigint,
  id: bigint | undefined,
  change: Record<string, unknown>,
): Promise<void> {
  for (const [column, value] of Object.entries(change)) {
    await test.database.query(`update payments set ${column} = $3 where reseller_id = $1 and id = $2`, [
      resellerId,
      id,
      value,
    ])
  }
}

describe('a record', () => {
  it('has every member of the contract, in its order, as a string', async () => {
    const { resellerId, ids } = await withPayments({ amount: 300_000n, faceValue: 300_000n, cost: 291_250n })
    const [id = 0n] = ids
    await finish(resellerId, id, {
      serial_number: 'SN-1',
      expiry: '20270304',
      changed_at: new Date('2026-03-04T04:00:07.250Z'),
      sealed_output: sealOutput(test.vault, resellerId, id, {
        pin: '1234-5678',
        voucherLink: 'https://v.example/1',
      }),
    })
    const { data } = await listed(resellerId)
    expect(data).toEqual([
      {
        trxid: String(id),
        date: '2026-03-04 12:00:00.000',
        product_code: 'NOVA',
        product_name: 'NOVA',
        biller_code: null,
        product_image_url: 'https://img.example/nova.png',
        category: 'Prepaid reloads',
        amount: '30.00',
        account: PAST.account,
        sender: '192.0.2.7',
        member_id: '42',
        status_code: '20',
        status_name: 'Successful',
        response_date: '2026-03-04 12:00:07.250',
        price: '29.125',
        sn: 'SN-1',
        pin: '1234-5678',
        expiry: '20270304',
        remarks: 'mine',
        refid: expect.stringMatching(/^R-\d+$/),
        voucherlink: 'https://v.example/1',
        currency: 'MYR',
      },
    ])
  })

  it.each([
    ['BILLS', 'B1'],
    ['GONE', 'B1'],
    ['NOVA', null],
  ])('a record of %s that was sent with biller B1 shows %s', async (productCode, shown) => {
    const { resellerId, ids } = await withPayments({ productCode })
    await finish(resellerId, ids[0], { biller_code: 'B1' })
    expect((await listed(resellerId)).data).toMatchObject([{ biller_code: shown }])
  })

  it.each([
    [0, 'Pending', '', 'mine'],
    [1, 'Pending', '', 'mine'],
    [20, 'Successful', '2026-03-04 12:00:00.000', 'mine'],
    [53, 'Refund', '2026-03-04 12:00:00.000', 'Why'],
    [48, 'Failed', '2026-03-04 12:00:00.000', 'Why'],
    [62, 'Failed', '2026-03-04 12:00:00.000', 'Why'],
  ] as const)(
    'a record of code %i is named %s and answered %j',
    async (code, name, responseDate, remarks) => {
      const { resellerId } = await withPayments({ code })
      const { data } = await listed(resellerId)
      expect(data).toMatchObject([
        {
          status_code: String(code),
          status_name: name,
          response_date: responseDate,
          remarks,
          biller_code: null,
        },
      ])
    },
  )

  it('counts in the unit of its product, and its product may be gone', async () => {
    const { resellerId } = await withPayments(
      { productCode: 'GEMS', amount: 600_000n, faceValue: 123_450n, cost: 120_000n },
      { productCode: 'GONE', atMs: 0 },
    )
    const { data, meta } = await listed(resellerId)
    expect(data).toMatchObject([
      { amount: '60.00', currency: 'GEM', price: '12.00', product_image_url: 'https://img.example/gems.png' },
      {
        product_code: 'GONE',
        product_image_url: '',
        category: '',
        currency: 'MYR',
        pin: '',
        voucherlink: '',
      },
    ])
    expect(meta).toMatchObject({ total_amount: '22.345', total_price: '21.70', profit: '0.645' })
  })

  it('counts in the currency of the field in which its amount was entered', async () => {
    const { resellerId } = await withPayments({ productCode: 'YEN' })
    expect((await listed(resellerId)).data).toMatchObject([{ product_code: 'YEN', currency: 'JPY' }])
  })

  it('opens also when its data key was made by another process since', async () => {
    const { resellerId, ids } = await withPayments({})
    const [id = 0n] = ids
    const keys: MasterKey[] = [test.masterKey]
    await addDataKey(test.database, test.masterKey)
    const newer = await openVault(test.database, keys)
    const sealed = sealOutput(newer, resellerId, id, { pin: '9999', voucherLink: '' })
    await finish(resellerId, id, { sealed_output: sealed })
    expect((await listed(resellerId)).data).toMatchObject([{ pin: '9999' }])
  })
})

describe('days', () => {
  it('both ends are inclusive, to the millisecond of GMT+8', async () => {
    const { resellerId, ids } = await withPayments(
      { day: DAY - 1, atMs: 86_399_999 },
      { atMs: 0 },
      { atMs: 86_399_999 },
      { day: DAY + 1, atMs: 0 },
    )
    const found = await listed(resellerId)
    expect(found.data.map(({ date }) => date)).toEqual(['2026-03-04 23:59:59.999', '2026-03-04 00:00:00.000'])
    expect(found.meta.transaction_count).toBe('2')
    const wider = await listed(resellerId, { days: { from: DAY - 1, to: DAY + 1 } })
    expect(wider.data.map(({ trxid }) => trxid)).toEqual(ids.map(String).reverse())
  })

  it('days without payments, before them and after them, give an empty page and zeros', async () => {
    const { resellerId } = await withPayments({})
    const nothing = {
      data: [],
      meta: {
        transaction_count: '0',
        total_amount: '0.00',
        total_price: '0.00',
        profit: '0.00',
        successful_count: '0',
        failed_count: '0',
        pending_count: '0',
        refund_count: '0',
      },
    }
    for (const day of ['0001-01-01', '1969-12-31', '2026-03-05', '2199-12-31', '2200-01-02', '9999-12-31']) {
      const number = parseDay(day) ?? Number.NaN
      expect(await listed(resellerId, { days: { from: number, to: number } }), day).toEqual(nothing)
    }
    expect(await listed(await newReseller(test))).toEqual(nothing)
  })
})

describe('pages', () => {
  it('past the end are empty, and their totals are those of all', async () => {
    const { resellerId } = await withPayments({}, { code: 48 }, { code: 1 })
    const past = await listed(resellerId, { offset: 3 })
    expect(past.data).toEqual([])
    expect(past.meta).toEqual((await listed(resellerId)).meta)
    expect(past.meta).toMatchObject({
      transaction_count: '3',
      total_amount: '20.00',
      total_price: '19.40',
      profit: '0.60',
      successful_count: '1',
      failed_count: '1',
      pending_count: '1',
      refund_count: '0',
    })
  })

  it('a payment that arrives between two of them repeats a row, and hides none', async () => {
    const { resellerId, ids } = await withPayments(...Array.from({ length: 6 }, (_, atMs) => ({ atMs })))
    const seen = new Set<string>()
    for (let offset = 0; ; offset += 2) {
      const page = await listed(resellerId, { offset, limit: 2 })
      if (page.data.length === 0) break
      for (const { trxid } of page.data) seen.add(trxid)
      await insertBackfill(test.database, resellerId, [{ ...PAST, day: DAY, atMs: 1_000 + offset }])
    }
    for (const id of ids) expect(seen).toContain(String(id))
  })

  it("are an account's own: another reseller's payments are nowhere in them", async () => {
    const mine = await withPayments({})
    const theirs = await withPayments({ code: 48 }, {}, {})
    for (const change of [
      {},
      { account: PAST.account },
      { product: 'NOVA' },
      { statuses: ['SUCCESSFUL'] as const },
    ]) {
      const { data, meta } = await listed(mine.resellerId, change)
      expect(data.map(({ trxid }) => trxid)).toEqual(mine.ids.map(String))
      expect(meta.transaction_count).toBe('1')
    }
    expect((await listed(theirs.resellerId)).meta.transaction_count).toBe('3')
  })
})
