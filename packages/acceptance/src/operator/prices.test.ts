import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../http.ts'
import type { Browser } from '../portal/people.ts'
import { until } from '../service.ts'
import type { OperatorFixture } from './fixture.ts'
import { openOperatorFixture } from './fixture.ts'
import { importCatalog, signInAs } from './operators.ts'

let fixture: OperatorFixture
let finance: Browser

beforeAll(async () => {
  fixture = await openOperatorFixture()
  finance = await signInAs(fixture.service, 'finance')
  await fixture.service.warungd('provider', 'add', '--code', 'supplier', '--kind', 'stock')
})
afterAll(() => fixture.close())

type Asked = {
  data: { approval: { id: string; state: string }; comparison: { findings: { kind: string }[] } }
}

const PRICE = '/levels/STANDARD/prices/KOPI'
const priced = (value: string) => ({ discount_type: 'percentage', value, reason: 'November list' })

async function priceNow(level = 'STANDARD'): Promise<string | undefined> {
  const { data } = (await fixture.catalogue.get('/catalogue/products/KOPI')).json<{
    data: { prices: { level: string; value: string }[] }
  }>()
  return data.prices.find((each) => each.level === level)?.value
}

describe('a price that one operator alone may not set', () => {
  it('is shown by a dry run, waits for a second person, and is set by their approval', async () => {
    const dry = await fixture.catalogue.send('PUT', PRICE, { ...priced('0.0001'), dry_run: true })
    expect(dry.json()).toMatchObject({
      data: {
        comparison: {
          needs_second_person: true,
          findings: [{ kind: 'price_moved', sample: 'K10', before: '9.80', after: '0.001' }],
        },
      },
    })
    const asked = await fixture.catalogue.send('PUT', PRICE, priced('0.0001'))
    expect(asked.status, asked.text).toBe(202)
    const { approval } = asked.json<Asked>().data
    expect(approval).toMatchObject({ kind: 'price_change', state: 'pending', command: { value: '0.0001' } })
    expect(await priceNow()).toBe('0.98')
    const own = await fixture.catalogue.send('POST', `/approvals/${approval.id}/approve`, { reason: 'mine' })
    expect(own.status).toBe(403)
    const approved = await finance.send('POST', `/approvals/${approval.id}/approve`, { reason: 'meant' })
    expect(approved.status, approved.text).toBe(200)
    expect(await fixture.lastLogged()).toMatchObject({ action: 'price_change.approve' })
    await until('the alert and the price follow', async () => (await priceNow()) === '0.0001')
    const back = await fixture.catalogue.send('PUT', PRICE, priced('0.98'))
    await finance.send('POST', `/approvals/${back.json<Asked>().data.approval.id}/approve`, {
      reason: 'back',
    })
    await until('the alert and the price follow', async () => (await priceNow()) === '0.98')
  })

  it('is not set on the strength of an approval that another price has overtaken', async () => {
    const { approval } = (await fixture.catalogue.send('PUT', PRICE, priced('0.5'))).json<Asked>().data
    expect((await fixture.catalogue.send('PUT', PRICE, priced('0.97'))).status).toBe(200)
    const late = await finance.send('POST', `/approvals/${approval.id}/approve`, { reason: 'late' })
    expect(late.status).toBe(409)
    expect(await priceNow()).toBe('0.97')
    const withdrawn = await fixture.catalogue.send('POST', `/approvals/${approval.id}/withdraw`, {
      reason: 'old',
    })
    expect(withdrawn.status).toBe(200)
  })

  it('keeps a whole import waiting', async () => {
    const prices = [{ level: 'PARTNER', product: 'KOPI', discount_type: 'percentage', value: '0.097' }]
    const document = { levels: [{ code: 'PARTNER', name: 'Partners' }], prices }
    const preview = await fixture.catalogue.send('POST', '/catalogue/preview', { document })
    const { version } = preview.json<{ data: { summary: { version: number } } }>().data.summary
    const body = { document, expected_version: version, reason: 'November list' }
    const asked = await fixture.catalogue.send('POST', '/catalogue/import', body)
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

  it('a route that costs more than the price waits for a second person', async () => {
    const other = await signInAs(fixture.service, 'admin')
    const settings = { cost: '99%', reason: 'new contract' }
    const dry = await fixture.admin.send('PUT', ROUTE, { ...settings, dry_run: true })
    expect(
      dry.json<{ data: { comparison: { findings: object[] } } }>().data.comparison.findings,
    ).toHaveLength(2)
    const asked = await fixture.admin.send('PUT', ROUTE, settings)
    expect(asked.status, asked.text).toBe(202)
    expect((await fixture.admin.get('/routes?product=KOPI')).json()).toMatchObject({ data: [] })
    const { approval } = asked.json<Asked>().data
    const approved = await other.send('POST', `/approvals/${approval.id}/approve`, { reason: 'until Monday' })
    expect(approved.status, approved.text).toBe(200)
    expect((await fixture.admin.get('/routes?product=KOPI')).json()).toMatchObject({
      data: [{ cost: '99.00%' }],
    })
  })

  it('sells below cost from then on, which is an alert until it is mended', async () => {
    const kinds = async () => {
      const { data } = (await fixture.admin.get('/alerts')).json<{
        data: { kind: string; subject: string }[]
      }>()
      return data.filter(({ kind }) => kind === 'sold_below_cost').map(({ subject }) => subject)
    }
    await until('the alert and the price follow', async () => (await kinds()).includes('KOPI'), 60_000)
    const mended = await fixture.admin.send('PUT', ROUTE, { cost: '90%', reason: 'agreed' })
    expect(mended.status, mended.text).toBe(200)
    await until('the alert and the price follow', async () => !(await kinds()).includes('KOPI'), 60_000)
  })
})

describe('a supplier that is cheaper than another', () => {
  type Asking = { data: { approval: { id: string; kind: string }; comparison: object } }
  const cheap = { cost: '90%', reason: 'agreed' }

  beforeAll(async () => {
    await fixture.service.warungd('provider', 'add', '--code', 'dear', '--kind', 'stock')
    expect((await fixture.admin.send('PUT', '/routes/KOPI/supplier', cheap)).status).toBe(200)
    const dear = await fixture.admin.send('PUT', '/routes/KOPI/dear', { cost: '99%', reason: 'spare' })
    expect(dear.status, dear.text).toBe(200)
  })

  const approve = async (asked: Answer) => {
    expect(asked.status, asked.text).toBe(202)
    const { approval } = asked.json<Asking>().data
    const other = await signInAs(fixture.service, 'admin')
    const late = await other.send('POST', `/approvals/${approval.id}/approve`, { reason: 'too new' })
    expect(late.status).toBe(403)
    const approved = await finance.send('POST', `/approvals/${approval.id}/approve`, { reason: 'agreed' })
    expect(approved.status, approved.text).toBe(200)
    return approval
  }

  it('is stopped by one person at once, who has said that the loss is meant', async () => {
    const stop = { enabled: false, reason: 'charges and delivers nothing' }
    for (const [method, path, body] of [
      ['PATCH', '/providers/supplier', stop],
      ['PUT', '/routes/KOPI/supplier', { ...cheap, ...stop }],
    ] as const) {
      const refused = await fixture.admin.send(method, path, body)
      expect(refused.status, refused.text).toBe(409)
      expect(refused.json()).toMatchObject({ errors: { accept_loss: [expect.any(String)] } })
      expect(refused.text).toContain('dear charges 9.90')
      const stopped = await fixture.admin.send(method, path, { ...body, accept_loss: true })
      expect(stopped.status, stopped.text).toBe(200)
      expect(await fixture.lastLogged()).toMatchObject({
        after: { enabled: false, accepted: { needs_second_person: true } },
      })
      const again = await fixture.admin.send(method, path, { ...body, enabled: true })
      expect(again.status, again.text).toBe(200)
    }
  })

  it('is taken away for good only with a second person', async () => {
    const asked = await fixture.admin.send('POST', '/routes/KOPI/supplier/remove', {
      reason: 'contract ended',
    })
    expect((await approve(asked)).kind).toBe('route_removal')
    expect((await fixture.admin.get('/routes?product=KOPI&provider=supplier')).json()).toMatchObject({
      data: [],
    })
  })

  it('leaves one that sells below its cost when it is let in again, which takes a second person', async () => {
    const off = await fixture.admin.send('PATCH', '/providers/dear', { enabled: false, reason: 'holiday' })
    expect(off.status, off.text).toBe(200)
    const asked = await fixture.admin.send('PATCH', '/providers/dear', { enabled: true, reason: 'back' })
    const isEnabled = async () =>
      (await fixture.admin.get('/providers/dear')).json<{ data: { enabled: boolean } }>().data.enabled
    expect(await isEnabled()).toBe(false)
    expect((await approve(asked)).kind).toBe('provider_switch')
    expect(await isEnabled()).toBe(true)
  })

  it('cannot lose its last known cost by one person’s word', async () => {
    const body = { to_any: true, reason: 'to come back without a cost' }
    const asked = await fixture.admin.send('POST', '/routes/KOPI/dear/remove', body)
    expect(asked.status, asked.text).toBe(202)
    expect(asked.json<Asking>().data.comparison).toMatchObject({
      findings: [{ kind: 'cost_moved', after: null }],
    })
  })
})

it('small steps are added up: a price moves no further in a week than in one of them', async () => {
  const set = (value: string) => fixture.catalogue.send('PUT', '/levels/PARTNER/prices/KOPI', priced(value))
  for (const value of ['1.10', '1.15']) expect((await set(value)).status).toBe(200)
  const asked = await set('1.2')
  expect(asked.status, asked.text).toBe(202)
  expect(asked.json<Asked>().data.comparison.findings).toMatchObject([{ kind: 'price_drifted' }])
  expect(await priceNow('PARTNER')).toBe('1.15')
})

it('operators see the requests that are their work, and their own', async () => {
  const read = await signInAs(fixture.service, 'read_only')
  const support = await signInAs(fixture.service, 'support')
  const kindsSeen = async (by: Browser) => {
    const { data } = (await by.get('/approvals?limit=200')).json<{ data: { id: string; kind: string }[] }>()
    return data
  }
  const all = await kindsSeen(finance)
  expect(new Set(all.map(({ kind }) => kind))).toEqual(
    new Set(['price_change', 'catalogue_change', 'route_change', 'route_removal', 'provider_switch']),
  )
  expect(await kindsSeen(read)).toEqual(all)
  expect(await kindsSeen(support)).toEqual([])
  const own = await kindsSeen(fixture.catalogue)
  expect(new Set(own.map(({ kind }) => kind))).toEqual(new Set(['price_change', 'catalogue_change']))
  for (const { id, kind } of all) {
    const isWork = kind === 'price_change' || kind === 'catalogue_change'
    expect((await fixture.catalogue.get(`/approvals/${id}`)).status).toBe(isWork ? 200 : 404)
    expect((await support.get(`/approvals/${id}`)).status).toBe(404)
  }
})

it('an import that waits shows what it would cost, however long the file is', async () => {
  const options = Array.from({ length: 700 }, (_, index) => ({
    product: 'KOPI',
    field: 'amount',
    code: `L${index}`,
    label: `A long list, number ${index}, with a name that takes some room`,
    denomination: '10.00',
  }))
  const prices = [{ level: 'PARTNER', product: 'KOPI', discount_type: 'percentage', value: '0.1' }]
  const document = { options, prices }
  const preview = await fixture.catalogue.send('POST', '/catalogue/preview', { document })
  expect(preview.status, preview.text).toBe(200)
  const { version } = preview.json<{ data: { summary: { version: number } } }>().data.summary
  const body = { document, expected_version: version, reason: 'a long list' }
  expect(JSON.stringify(body).length).toBeGreaterThan(64 * 1024)
  const asked = await fixture.catalogue.send('POST', '/catalogue/import', body)
  expect(asked.status, asked.text).toBe(202)
  const { approval } = asked.json<Asked>().data
  expect(await fixture.lastLogged()).toMatchObject({
    action: 'catalogue_change.request',
    after: { approval: approval.id, comparison: expect.stringContaining('KOPI at PARTNER') },
  })
  const shown = (await finance.get(`/approvals/${approval.id}`)).json<{ data: { command: object } }>()
  expect(shown.data.command).toMatchObject({
    comparison: expect.stringContaining('KOPI at PARTNER'),
    body: JSON.stringify(body),
  })
})

/** Makes groups of more than 256 kB. */
function longGroups() {
  return Array.from({ length: 3_000 }, (_, index) => ({
    code: `G${index}`,
    name: `Group ${index} ${'x'.repeat(60)}`,
    icon_url: '',
    display_order: 1,
  }))
}

it('an import that is too long to wait is refused with what to do', async () => {
  const prices = [{ level: 'PARTNER', product: 'KOPI', discount_type: 'percentage', value: '0.1' }]
  const document = { prices }
  const preview = await fixture.catalogue.send('POST', '/catalogue/preview', { document })
  const { version } = preview.json<{ data: { summary: { version: number } } }>().data.summary
  const body = {
    document: { ...document, groups: longGroups() },
    expected_version: version,
    reason: 'too long',
  }
  const refused = await fixture.catalogue.send('POST', '/catalogue/import', body)
  expect(refused.status, refused.text).toBe(413)
  expect(refused.text).toContain('in imports of their own')
  expect(refused.text).toContain('warungd catalog import --accept-loss')
})

it('an unknown name is refused with the nearest names', async () => {
  const answers = await Promise.all([
    fixture.catalogue.send('PUT', '/levels/STANDRD/prices/KOPI', priced('0.98')),
    fixture.catalogue.send('PUT', '/levels/STANDARD/prices/KOPPI', priced('0.98')),
    fixture.admin.send('PUT', '/routes/KOPPI/supplier', { reason: 'x' }),
    fixture.admin.send('PUT', '/routes/KOPI/suplier', { reason: 'x' }),
    fixture.admin.send('POST', '/resellers', {
      name: 'A',
      email: 'a@example.com',
      price_level: 'PARTNR',
      reason: 'x',
    }),
    fixture.catalogue.send('POST', '/catalogue/preview', {
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

it('a product shows its texts in each language: own words, and those that the service knows', async () => {
  const texts = async () =>
    (await fixture.catalogue.get('/catalogue/products/KOPI')).json<{
      data: {
        texts: { language: string; text: string; translation: string | null; shared: string | null }[]
      }
    }>().data.texts
  const own = [{ language: 'ms', text: 'Mobile number', translation: 'Nombor tel.' }]
  await importCatalog(fixture.catalogue, { texts: own })
  const told = await texts()
  expect(told).toContainEqual({ ...own[0], shared: 'Nombor telefon bimbit' })
  expect(told).toContainEqual({ language: 'zh', text: 'Kopi card', translation: null, shared: null })
  const csv = await fixture.catalogue.get('/catalogue/export.csv?kind=texts')
  expect(csv.text).toContain('ms,Mobile number,Nombor tel.')
  await importCatalog(fixture.catalogue, { texts: [{ ...own[0], translation: null }] })
  expect((await texts()).filter(({ translation }) => translation !== null)).toEqual([])
})
