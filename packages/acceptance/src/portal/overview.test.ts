import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import { RELOAD_COST, reload } from '../payments.ts'
import type { Receiver } from '../receiver/receiver.ts'
import { startReceiver } from '../receiver/receiver.ts'
import type { Service } from '../service.ts'
import { stopServices, until } from '../service.ts'
import type { Shop } from './members.ts'
import { dataOf, openShop, walk } from './members.ts'

// The portal's first page, and the search of its forms.

let service: Service
let receiver: Receiver
let shop: Shop

const FAILS = '60123452000'

beforeAll(async () => {
  receiver = await startReceiver()
  service = (await shareDemo()).service
  shop = await openShop(service, null)
})

afterAll(() => stopServices())

describe('the overview', () => {
  it('agrees with the wallet and with the list of payments', async () => {
    const own = await openShop(service, '100')
    await own.payer.untilStatus(reload(), 'Succesful')
    const failing = reload({ account: FAILS })
    await own.payer.send(failing)
    await until(
      'it failed',
      async () =>
        (await own.payer.send(failing)).json<{ data: { status: string } }>().data.status === 'Failed',
    )
    const overview = dataOf<Record<string, never>>(await own.viewer.get('/overview'))
    const today = { payments: 2, successful: 1, failed: 1, pending: 0, refunded: 0, success_rate: 0.5 }
    expect(overview).toMatchObject({
      currency: 'MYR',
      balance: (100 - RELOAD_COST).toFixed(2),
      days_left: null,
      today: { ...today, sales: '10.00', cost: '9.70', margin: '0.30' },
      last_30_days: today,
    })
    expect(overview.by_day).toHaveLength(30)
    expect(await walk(own.viewer, '/payments', 1)).toHaveLength(2)
    const { balance_by_day: balances, deliveries_by_day: deliveries } = dataOf<{
      balance_by_day: { day: string; balance: string; deposited: string }[]
      deliveries_by_day: object[]
    }>(await own.viewer.get('/overview'))
    expect([balances.length, deliveries.length]).toEqual([30, 30])
    expect(balances[0]).toMatchObject({ balance: '0.00', deposited: '0.00' })
    expect(balances.at(-1)).toMatchObject({
      balance: (100 - RELOAD_COST).toFixed(2),
      deposited: '100.00',
    })
  })

  it('counts the deliveries of each day, and how many of them arrived', async () => {
    const own = await openShop(service, '100')
    await receiver.behave('/counted', { kind: 'answer', status: 200, body: 'taken' })
    const url = `${receiver.urls.plain}/counted`
    dataOf(await own.admin.send('PUT', '/endpoints/callback', { url, method: 'POST' }))
    await own.payer.untilStatus(reload(), 'Succesful')
    const last = await until('the callback arrived', async () => {
      const { deliveries_by_day: days } = dataOf<{
        deliveries_by_day: { succeeded: number; failed: number; success_rate: number | null }[]
      }>(await own.viewer.get('/overview'))
      return (days.at(-1)?.succeeded ?? 0) > 0 ? days.at(-1) : undefined
    })
    expect(last).toMatchObject({ failed: 0, success_rate: 1 })
  })

  it('has its balance by itself, for the pages that show nothing else of it', async () => {
    const own = await openShop(service, '12.5')
    expect(dataOf(await own.viewer.get('/balance'))).toEqual({ currency: 'MYR', balance: '12.50' })
  })

  it('says what is interrupted and what needs a look', async () => {
    const own = await openShop(service, null)
    await own.admin.send('POST', '/thresholds', { amount: '50' })
    const { interruptions, attention } = dataOf<{
      interruptions: { product: string }[]
      attention: { kind: string; severity: string }[]
    }>(await own.admin.get('/overview'))
    expect(interruptions.map(({ product }) => product)).toContain('FP')
    expect(attention).toContainEqual(
      expect.objectContaining({ kind: 'balance_low', severity: 'critical', target: { page: 'deposits' } }),
    )
    const { runway } = dataOf<{ runway: object }>(await own.admin.get('/overview'))
    expect(runway).toEqual({ spent_per_day: null, threshold: '50.00', days_to_threshold: null })
  })
})

describe('billers', () => {
  type Option = {
    code: string
    label: string
    ref2_required?: true
    ref1_label?: string
    ref2_label?: string
  }
  type Page = { items: Option[]; meta: { total: number; per_page: number } }
  const options = (query: string) =>
    shop.viewer.get(`/sell/options?product_code=BILLPAY&field_id=biller&${query}`)

  it('are found as somebody types, by beginning, by words and by code, a few at a time', async () => {
    const all = (await options('per_page=5&page=777')).json<Page>()
    expect(all.meta.total).toBeGreaterThan(21_000)
    const [wanted] = all.items
    if (wanted === undefined) throw new Error('there is no such biller')
    const words = wanted.label.split(' ')
    const begun = (await options(`search=${encodeURIComponent(wanted.label.toUpperCase())}`)).json<Page>()
    expect(begun.items[0]?.label).toBe(wanted.label)
    expect(begun.meta.per_page).toBe(20)
    const inside = (await options(`search=${encodeURIComponent(words.at(-1) ?? '')}&limit=100`)).json<Page>()
    expect(inside.items.length).toBeLessThanOrEqual(100)
    expect(inside.meta.total).toBeLessThan(all.meta.total)
    const byCode = (await options(`search=${wanted.code}`)).json<Page>()
    expect(byCode.items[0]?.code).toBe(wanted.code)
    expect((await options('search=no-biller-has-this-name')).json<Page>()).toMatchObject({
      items: [],
      meta: { total: 0 },
    })
    expect((await options('search=air&limit=101')).status).toBe(400)
    expect((await options(`search=${'x'.repeat(101)}`)).status).toBe(400)
  })

  it('say what their references are, and whether the second one is required', async () => {
    const { items } = (await options('per_page=1000')).json<Page>()
    const second = items.filter((each) => each.ref2_required === true)
    expect(second.length).toBeGreaterThan(0)
    for (const { ref1_label: first, ref2_label: label } of second) {
      expect([first, label]).toEqual([expect.any(String), expect.any(String)])
    }
    expect(items.some((each) => each.ref2_required !== true)).toBe(true)
  })
})
