import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from '../portal/people.ts'
import { until } from '../service.ts'
import { seat } from './desks.ts'
import type { Office } from './office.ts'
import { openOffice } from './office.ts'

let office: Office
let finance: Browser

beforeAll(async () => {
  office = await openOffice()
  finance = await seat(office.service, 'finance')
  await office.service.warungd('provider', 'add', '--code', 'supplier', '--kind', 'stock')
})
afterAll(() => office.close())

type Asked = {
  data: { approval: { id: string; state: string }; comparison: { findings: { kind: string }[] } }
}

const PRICE = '/levels/STANDARD/prices/KOPI'
const priced = (value: string) => ({ discount_type: 'percentage', value, reason: 'November list' })

async function priceNow(level = 'STANDARD'): Promise<string | undefined> {
  const { data } = (await office.catalogue.get('/catalogue/products/KOPI')).json<{
    data: { prices: { level: string; value: string }[] }
  }>()
  return data.prices.find((each) => each.level === level)?.value
}

describe('a price that one operator alone may not set', () => {
  it('is shown by a dry run, waits for a second person, and is set by their approval', async () => {
    const dry = await office.catalogue.send('PUT', PRICE, { ...priced('0.0001'), dry_run: true })
    expect(dry.json()).toMatchObject({
      data: {
        comparison: {
          needs_second_person: true,
          findings: [{ kind: 'price_moved', sample: 'K10', before: '9.80', after: '0.001' }],
        },
      },
    })
    const asked = await office.catalogue.send('PUT', PRICE, priced('0.0001'))
    expect(asked.status, asked.text).toBe(202)
    const { approval } = asked.json<Asked>().data
    expect(approval).toMatchObject({ kind: 'price_change', state: 'pending', command: { value: '0.0001' } })
    expect(await priceNow()).toBe('0.98')
    const own = await office.catalogue.send('POST', `/approvals/${approval.id}/approve`, { reason: 'mine' })
    expect(own.status).toBe(403)
    const approved = await finance.send('POST', `/approvals/${approval.id}/approve`, { reason: 'meant' })
    expect(approved.status, approved.text).toBe(200)
    expect(await office.lastLogged()).toMatchObject({ action: 'price_change.approve' })
    await until('the alert and the price follow', async () => (await priceNow()) === '0.0001')
    const back = await office.catalogue.send('PUT', PRICE, priced('0.98'))
    await finance.send('POST', `/approvals/${back.json<Asked>().data.approval.id}/approve`, {
      reason: 'back',
    })
    await until('the alert and the price follow', async () => (await priceNow()) === '0.98')
  })

  it('is not set on the strength of an approval that another price has overtaken', async () => {
    const { approval } = (await office.catalogue.send('PUT', PRICE, priced('0.5'))).json<Asked>().data
    expect((await office.catalogue.send('PUT', PRICE, priced('0.97'))).status).toBe(200)
    const late = await finance.send('POST', `/approvals/${approval.id}/approve`, { reason: 'late' })
    expect(late.status).toBe(409)
    expect(await priceNow()).toBe('0.97')
    const withdrawn = await office.catalogue.send('POST', `/approvals/${approval.id}/withdraw`, {
      reason: 'old',
    })
    expect(withdrawn.status).toBe(200)
  })

  it('keeps a whole import waiting', async () => {
    const prices = [{ level: 'PARTNER', product: 'KOPI', discount_type: 'percentage', value: '0.097' }]
    const document = { levels: [{ code: 'PARTNER', name: 'Partners' }], prices }
    const preview = await office.catalogue.send('POST', '/catalogue/preview', { document })
    const { version } = preview.json<{ data: { summary: { version: number } } }>().data.summary
    const body = { document, expected_version: version, reason: 'November list' }
    const asked = await office.catalogue.send('POST', '/catalogue/import', body)
    expect(asked.status, asked.text).toBe(202)
    expect(await priceNow('PARTNER')).toBe('0.97')
    const { approval } = asked.json<Asked>().data
    const refused = await finance.send('POST', `/approvals/${approval.id}/refuse`, {
      reason: 'a typing error',
    })
    expect(refused.status).toBe(200)
    expect(await priceNow('PARTNER')).toBe('0.97')
  })
})

describe('a route', () => {
  const ROUTE = '/routes/KOPI/supplier'

  it('that costs more than the price waits for a second person', async () => {
    const other = await seat(office.service, 'admin')
    const settings = { cost: '99%', reason: 'new contract' }
    const dry = await office.admin.send('PUT', ROUTE, { ...settings, dry_run: true })
    expect(
      dry.json<{ data: { comparison: { findings: object[] } } }>().data.comparison.findings,
    ).toHaveLength(2)
    const asked = await office.admin.send('PUT', ROUTE, settings)
    expect(asked.status, asked.text).toBe(202)
    expect((await office.admin.get('/routes?product=KOPI')).json()).toMatchObject({ data: [] })
    const { approval } = asked.json<Asked>().data
    const approved = await other.send('POST', `/approvals/${approval.id}/approve`, { reason: 'until Monday' })
    expect(approved.status, approved.text).toBe(200)
    expect((await office.admin.get('/routes?product=KOPI')).json()).toMatchObject({
      data: [{ cost: '99.00%' }],
    })
  })

  it('sells below cost from then on, which is an alert until it is mended', async () => {
    const kinds = async () => {
      const { data } = (await office.admin.get('/alerts')).json<{
        data: { kind: string; subject: string }[]
      }>()
      return data.filter(({ kind }) => kind === 'sold_below_cost').map(({ subject }) => subject)
    }
    await until('the alert and the price follow', async () => (await kinds()).includes('KOPI'), 60_000)
    const mended = await office.admin.send('PUT', ROUTE, { cost: '90%', reason: 'agreed' })
    expect(mended.status, mended.text).toBe(200)
    await until('the alert and the price follow', async () => !(await kinds()).includes('KOPI'), 60_000)
  })
})

it('what does not exist is refused with the nearest names', async () => {
  const answers = await Promise.all([
    office.catalogue.send('PUT', '/levels/STANDRD/prices/KOPI', priced('0.98')),
    office.catalogue.send('PUT', '/levels/STANDARD/prices/KOPPI', priced('0.98')),
    office.admin.send('PUT', '/routes/KOPPI/supplier', { reason: 'x' }),
    office.admin.send('PUT', '/routes/KOPI/suplier', { reason: 'x' }),
    office.admin.send('POST', '/resellers', {
      name: 'A',
      email: 'a@example.com',
      price_level: 'PARTNR',
      reason: 'x',
    }),
    office.catalogue.send('POST', '/catalogue/preview', {
      document: {
        prices: [{ level: 'PARTNR', product: 'KOPI', discount_type: 'percentage', value: '0.98' }],
      },
    }),
  ])
  const meant = ['STANDARD', 'KOPI', 'KOPI', 'supplier', 'PARTNER', 'PARTNER']
  for (const [index, { status, text }] of answers.entries()) {
    expect([400, 404]).toContain(status)
    expect(text).toMatch(new RegExp(`[Dd]id you mean ${meant[index]}`))
  }
})
