import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../service.ts'
import type { OperatorFixture } from './fixture.ts'
import { openOperatorFixture } from './fixture.ts'
import type { Change } from './operators.ts'
import { importCatalog, PRODUCT } from './operators.ts'

let fixture: OperatorFixture

beforeAll(async () => {
  fixture = await openOperatorFixture()
})
afterAll(() => fixture.close())

describe('the catalogue', () => {
  it('is previewed without being changed, and then changed exactly so', async () => {
    const document = { products: [{ ...PRODUCT, name: 'Kopi card XL' }] }
    const preview = (await fixture.catalogue.send('POST', '/catalogue/preview', { document })).json<Change>()
    expect(preview.data).toMatchObject({
      differences_total: 1,
      differences: [
        {
          kind: 'products',
          id: 'KOPI',
          action: 'update',
          changes: [{ name: 'name', before: 'Kopi card', after: 'Kopi card XL' }],
        },
      ],
    })
    expect(preview.data.summary.accounts_affected).toBeGreaterThanOrEqual(2)
    expect((await nameOfKopi()).name).toBe('Kopi card')

    const { version } = preview.data.summary
    const applied = await fixture.catalogue.send('POST', '/catalogue/import', {
      document,
      expected_version: version,
      reason: 'new packaging',
    })
    expect(applied.json()).toEqual(preview)
    expect((await nameOfKopi()).name).toBe('Kopi card XL')
    expect(await fixture.lastLogged()).toMatchObject({
      action: 'catalogue.import',
      reason: 'new packaging',
      after: { differences: [{ id: 'KOPI' }] },
    })
  })

  it('is not changed on the strength of a preview that another change has overtaken', async () => {
    const document = { products: [{ ...PRODUCT, name: 'Overtaken' }] }
    const preview = (await fixture.catalogue.send('POST', '/catalogue/preview', { document })).json<Change>()
    await importCatalog(fixture.catalogue, { levels: [{ code: 'OVERTAKING', name: 'Overtaking' }] })
    const logged = await fixture.countLogged()
    const answer = await fixture.catalogue.send('POST', '/catalogue/import', {
      document,
      expected_version: preview.data.summary.version,
      reason: 'late',
    })
    expect(answer.status).toBe(409)
    expect((await nameOfKopi()).name).not.toBe('Overtaken')
    expect(await fixture.countLogged()).toBe(logged)
  })

  it('takes CSV files, and tells every problem by file and line', async () => {
    const content = 'product,field,code,label,denomination\nKOPI,amount,K20,RM 20,twenty\n'
    const files = [{ name: 'options.csv', content }]
    const refused = await fixture.catalogue.send('POST', '/catalogue/preview', { files })
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.json<{ errors: object }>().errors)).toEqual(['options.csv:2'])
    const right = [{ name: 'options.csv', content: content.replace('twenty', '20.00') }]
    const preview = await fixture.catalogue.send('POST', '/catalogue/preview', { files: right })
    expect(preview.json<Change>().data.summary.created).toMatchObject({ options: 1 })
  })

  it('is shown product by product, as files spell it, and comes back from an export unchanged', async () => {
    const list = await fixture.catalogue.get('/catalogue/products?search=kopi')
    expect(list.json()).toMatchObject({ data: [{ code: 'KOPI', levels: 2, options: 1 }] })
    const options = await fixture.catalogue.get('/catalogue/products/KOPI/options?field=amount')
    expect(options.json()).toMatchObject({ data: [{ code: 'K10', denomination: '10.00' }] })
    const document = (await fixture.catalogue.get('/catalogue/export')).json<object>()
    const csv = await fixture.catalogue.get('/catalogue/export.csv?kind=options')
    expect(csv.headers['content-disposition']).toContain('options.csv')
    expect(csv.text).toContain('KOPI,amount,K10')
    const files = [{ name: 'options.csv', content: csv.text }]
    for (const body of [{ document }, { files }]) {
      const again = await fixture.catalogue.send('POST', '/catalogue/preview', body)
      expect(again.json()).toMatchObject({ data: { differences_total: 0 } })
    }
    expect((await fixture.catalogue.get('/catalogue/export.csv')).status).toBe(400)
  })

  it('takes a price level and its prices, tells how many accounts notice, and refuses a price that costs nothing', async () => {
    const made = await fixture.catalogue.send('POST', '/levels', {
      code: 'GOLD',
      name: 'Gold',
      reason: 'new tier',
    })
    expect(made.status, made.text).toBe(201)
    const again = await fixture.catalogue.send('POST', '/levels', {
      code: 'GOLD',
      name: 'Gold',
      reason: 'again',
    })
    expect(again.status).toBe(409)
    const bad = await fixture.catalogue.send('POST', '/levels', {
      code: 'BAD',
      name: 'a\u0000b',
      reason: 'x',
    })
    expect(bad.status, bad.text).toBe(400)
    const price = { discount_type: 'percentage', value: '0.95', reason: 'agreed' }
    const dry = await fixture.catalogue.send('PUT', '/levels/GOLD/prices/KOPI', { ...price, dry_run: true })
    expect(dry.status, dry.text).toBe(200)
    expect((await fixture.catalogue.get('/levels/GOLD')).json()).toMatchObject({ data: { prices: [] } })
    const set = await fixture.catalogue.send('PUT', '/levels/GOLD/prices/KOPI', price)
    expect(set.json()).toMatchObject({
      data: { price: { value: '0.95' }, summary: { accounts_affected: 0 } },
    })
    expect((await fixture.catalogue.get('/levels/GOLD')).json()).toMatchObject({
      data: { prices: [{ product: 'KOPI', discount_type: 'percentage', value: '0.95' }] },
    })
    const free = { discount_type: 'fixed', value: '10', reason: 'a gift' }
    expect((await fixture.catalogue.send('PUT', '/levels/GOLD/prices/KOPI', free)).status).toBe(400)
    expect((await fixture.catalogue.send('PUT', '/levels/NONE/prices/KOPI', price)).status).toBe(404)
    expect((await fixture.catalogue.send('PUT', '/levels/GOLD/prices/NONE', price)).status).toBe(404)
    const none = { discount_type: 'none', reason: 'ended' }
    expect((await fixture.catalogue.send('PUT', '/levels/GOLD/prices/KOPI', none)).status).toBe(200)
    expect(await fixture.lastLogged()).toMatchObject({
      action: 'price.set',
      target: 'GOLD/KOPI',
      before: { value: '0.95' },
      after: null,
    })
  })

  it('gives one reseller a permission, takes it away, and writes down both', async () => {
    const account = await fixture.newReseller()
    const place = `/resellers/${account}/permissions/KOPI`
    const forbidden = await fixture.catalogue.send('PUT', place, { is_allowed: false, reason: 'misuse' })
    expect(forbidden.json()).toMatchObject({
      data: { summary: { accounts_affected: 1, accounts: [account] } },
    })
    expect((await fixture.catalogue.get(`/resellers/${account}/permissions`)).json()).toMatchObject({
      data: [{ product: 'KOPI', is_allowed: false }],
    })
    await fixture.catalogue.send('PUT', place, { is_allowed: null, reason: 'settled' })
    expect((await fixture.catalogue.get(`/resellers/${account}/permissions`)).json()).toMatchObject({
      data: [],
    })
    expect(await fixture.lastLogged()).toMatchObject({
      action: 'permission.set',
      target: `${account}/KOPI`,
      before: { is_allowed: false },
      after: { is_allowed: null },
    })
  })

  it.each([{ documents: {} }, { files: [{ name: 'a.csv' }] }, { document: [] }, [], { files: 'a.csv' }])(
    'is not changed by what nobody can read: %j',
    async (body) => {
      const answer = await fixture.catalogue.send('POST', '/catalogue/preview', body)
      expect(answer.status, answer.text).toBe(400)
    },
  )

  it('is gone through beside everything else: on a thread and a connection of its own, which may be lost', async () => {
    const other = new pg.Client(fixture.service.environment.DATABASE_URL)
    await other.connect()
    try {
      await other.query('begin')
      await other.query('select from catalog_version for update')
      const document = { products: [{ ...PRODUCT, name: 'Beside' }] }
      const preview = () => fixture.catalogue.send('POST', '/catalogue/preview', { document })
      const lost = preview()
      const pid = await until('it waits for the catalogue', findWaiting)
      expect((await fixture.catalogue.get('/catalogue/products/KOPI')).status).toBe(200)
      await other.query('select pg_terminate_backend($1)', [pid])
      expect((await lost).status).toBe(503)
      const again = preview()
      await until('it waits again', findWaiting)
      await other.query('rollback')
      expect((await again).json()).toMatchObject({ data: { differences_total: 1 } })
    } finally {
      await other.end()
    }
  })

  async function findWaiting(): Promise<number | undefined> {
    const { rows } = await fixture.database.query<{ pid: number }>(
      `select pid from pg_stat_activity
        where datname = current_database() and application_name = 'warungd catalogue' and wait_event_type = 'Lock'`,
    )
    return rows[0]?.pid
  }

  async function nameOfKopi(): Promise<{ name: string }> {
    const answer = await fixture.catalogue.get('/catalogue/products/KOPI')
    return answer.json<{ data: { product: { name: string } } }>().data.product
  }
})

describe('providers, routes and notices', () => {
  it('switch a provider and its routes, and show its configuration to admins alone', async () => {
    await fixture.service.warungd('provider', 'add', '--code', 'kilang', '--kind', 'stock')
    const off = await fixture.admin.send('PATCH', '/providers/kilang', {
      enabled: false,
      reason: 'maintenance',
    })
    expect(off.json()).toMatchObject({ data: { code: 'kilang', enabled: false, config: {} } })
    expect(await fixture.lastLogged()).toMatchObject({
      action: 'provider.disable',
      before: { enabled: true },
      after: { enabled: false },
    })
    expect((await fixture.catalogue.get('/providers/kilang')).json()).toMatchObject({
      data: { config: null, secrets: [] },
    })

    const route = {
      priority: 2,
      weight: null,
      cost: '97.5%',
      windows: ['mon-fri 08:00-22:30'],
      reason: 'cheap',
    }
    const set = await fixture.admin.send('PUT', '/routes/KOPI/kilang', route)
    const { reason: _, ...settings } = route
    const shown = {
      ...settings,
      product: 'KOPI',
      provider: 'kilang',
      cost: '97.50%',
      windows: ['mon,tue,wed,thu,fri 08:00-22:30'],
      enabled: true,
    }
    const comparison = {
      needs_second_person: false,
      loss_last_month: '0.00',
      findings_total: 0,
      findings: [],
    }
    expect(set.json()).toEqual({ data: { ...shown, comparison } })
    expect((await fixture.catalogue.get('/routes?product=KOPI')).json()).toMatchObject({ data: [shown] })
    expect(
      (await fixture.admin.send('PUT', '/routes/*/kilang', { cost: '97%', reason: 'for the rest' })).status,
    ).toBe(200)
    const held = await fixture.admin.send('POST', '/routes/KOPI/kilang/remove', { reason: 'dear' })
    expect(held.status).toBe(409)
    expect(held.text).toContain('to_any')
    expect(held.text).not.toContain('--')
    const gone = await fixture.admin.send('POST', '/routes/KOPI/kilang/remove', {
      to_any: true,
      reason: 'dear',
    })
    expect(gone.json()).toEqual({ data: shown })
    expect((await fixture.admin.get('/routes?product=KOPI')).json()).toMatchObject({ data: [] })
    expect(await fixture.lastLogged()).toMatchObject({ action: 'route.remove', before: shown, after: null })
    expect((await fixture.admin.send('PUT', '/routes/KOPI/nobody', { reason: 'x' })).status).toBe(404)
    expect((await fixture.admin.get('/providers/%00')).status).toBe(404)
  })

  it('post a notice that stops payments, and end it', async () => {
    const posted = await fixture.catalogue.send('POST', '/notices', {
      target: 'product',
      code: 'KOPI',
      message: 'The machine is broken',
      stops_payments: true,
      reason: 'called by the supplier',
    })
    expect(posted.json()).toMatchObject({ data: { state: 'in_force', stops_payments: true, ended_at: null } })
    const { id } = posted.json<{ data: { id: string } }>().data
    expect((await fixture.catalogue.get('/notices')).json()).toMatchObject({
      data: [{ id, state: 'in_force' }],
    })
    const ended = await fixture.catalogue.send('POST', `/notices/${id}/end`, { reason: 'repaired' })
    expect(ended.json()).toMatchObject({ data: { id, state: 'over' } })
    expect((await fixture.catalogue.send('POST', `/notices/${id}/end`, { reason: 'again' })).status).toBe(404)
    expect((await fixture.catalogue.get('/notices')).json()).toMatchObject({ data: [] })
    expect(await fixture.lastLogged()).toMatchObject({ action: 'notice.end', target: id, reason: 'repaired' })
    const stray = await fixture.catalogue.send('POST', '/notices', {
      target: 'product',
      code: 'NONE',
      message: 'x',
      ends_at: '2020-01-01T00:00:00Z',
      reason: 'x',
    })
    expect(Object.keys(stray.json<{ errors: object }>().errors).sort()).toEqual(['code', 'ends_at'])
  })

  it('show the settings without a password or key', async () => {
    const { data } = (await fixture.admin.get('/settings')).json<{ data: Record<string, unknown> }>()
    expect(data).toMatchObject({ environment: 'staging' })
    const text = JSON.stringify(data)
    expect(text).not.toContain(String(fixture.service.environment.WARUNG_MASTER_KEY))
    const password = new URL(fixture.database.url).password
    if (password !== '') expect(text).not.toContain(decodeURIComponent(password))
  })
})

describe('nothing is changed that the audit log cannot keep', () => {
  let account: string
  let keyId: string
  let noticeId: string

  beforeAll(async () => {
    account = await fixture.newReseller('Kedai Kekal')
    await fixture.admin.send('POST', `/resellers/${account}/users`, {
      username: `kekal-${account}`,
      role: 'admin',
      reason: 'first',
    })
    await fixture.service.warungd('key', 'create', '--reseller', account)
    const keys = await fixture.admin.get(`/resellers/${account}/keys`)
    keyId = keys.json<{ data: { id: string }[] }>().data[0]?.id ?? ''
    await fixture.service.warungd('provider', 'add', '--code', 'kekal', '--kind', 'stock')
    const notice = { target: 'product', code: 'KOPI', message: 'Slow', reason: 'supplier' }
    const posted = await fixture.catalogue.send('POST', '/notices', notice)
    noticeId = posted.json<{ data: { id: string } }>().data.id
    await fixture.database.query('alter table audit_log add constraint full_disk check (false) not valid')
  })
  afterAll(async () => {
    await fixture.database.query('alter table audit_log drop constraint full_disk')
  })

  const attempts: [string, () => [method: string, path: string, body: object]][] = [
    [
      'a new reseller',
      () => ['POST', '/resellers', { name: 'X', email: 'x@example.com', price_level: 'STANDARD' }],
    ],
    [
      'a suspension',
      () => ['PATCH', `/resellers/${account}`, { status: 'suspended', price_level: 'PARTNER' }],
    ],
    ['a new user', () => ['POST', `/resellers/${account}/users`, { username: 'tiada', role: 'viewer' }]],
    ['a user’s role', () => ['PATCH', `/resellers/${account}/users/kekal-${account}`, { role: 'viewer' }]],
    ['a revoked key', () => ['POST', `/resellers/${account}/keys/${keyId}/revoke`, {}]],
    ['a permission', () => ['PUT', `/resellers/${account}/permissions/KOPI`, { is_allowed: false }]],
    ['a new price level', () => ['POST', '/levels', { code: 'TIADA', name: 'Tiada' }]],
    ['a price level’s name', () => ['PATCH', '/levels/PARTNER', { name: 'Rakan' }]],
    ['a price', () => ['PUT', '/levels/PARTNER/prices/KOPI', { discount_type: 'percentage', value: '0.5' }]],
    ['a provider’s switch', () => ['PATCH', '/providers/kekal', { enabled: false }]],
    ['a route', () => ['PUT', '/routes/KOPI/kekal', {}]],
    ['a notice', () => ['POST', '/notices', { target: 'product', code: 'KOPI', message: 'Tiada' }]],
    ['a notice’s end', () => ['POST', `/notices/${noticeId}/end`, {}]],
    [
      'a new operator',
      () => ['POST', '/operators', { email: 'tiada@example.com', name: 'T', role: 'admin' }],
    ],
  ]

  it.each(attempts)('%s', async (_, attempt) => {
    const [method, path, body] = attempt()
    const before = await fingerprint()
    const answer = await fixture.admin.send(method, path, { ...body, reason: 'will not be kept' })
    expect(answer.status, answer.text).toBe(500)
    expect(await fingerprint()).toEqual(before)
  })

  it('an import', async () => {
    const document = { products: [{ ...PRODUCT, name: 'Tiada' }] }
    const preview = (await fixture.catalogue.send('POST', '/catalogue/preview', { document })).json<Change>()
    const before = await fingerprint()
    const answer = await fixture.catalogue.send('POST', '/catalogue/import', {
      document,
      expected_version: preview.data.summary.version,
      reason: 'will not be kept',
    })
    expect(answer.status).toBe(500)
    expect(await fingerprint()).toEqual(before)
  })

  /** Returns everything that operators change, as it is in the tables. */
  async function fingerprint(): Promise<Record<string, string>> {
    const tables = [
      'resellers',
      'users',
      'operators',
      'api_keys',
      'product_permissions',
      'price_levels',
      'wholesale_prices',
      'catalog_products',
      'catalog_version',
      'provider_connections',
      'provider_routes',
      'network_notices',
    ]
    const found: Record<string, string> = {}
    for (const table of tables) {
      const { rows } = await fixture.database.query<{ all: string }>(
        `select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as all from ${table} t`,
      )
      found[table] = rows[0]?.all ?? ''
    }
    return found
  }
})
