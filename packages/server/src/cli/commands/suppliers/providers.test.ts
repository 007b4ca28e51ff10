import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Env } from '../../../config.ts'
import { seedBase } from '../../../testing/catalog/catalog-store.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { main } from '../../main.ts'

let test: TestDatabase
let dataDir: string
let env: Env

beforeAll(async () => {
  test = await openTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'warung-providers-'))
  env = {
    DATABASE_URL: test.url,
    WARUNG_MASTER_KEY: test.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: dataDir,
  }
})

afterAll(async () => {
  await test.close()
  await rm(dataDir, { recursive: true, force: true })
})

const SECRET = 'a very secret token'

async function run(args: readonly string[], { input = '', environment = env, json = true } = {}) {
  let out = ''
  let err = ''
  const io = {
    out: (text: string) => {
      out += text
    },
    err: (text: string) => {
      err += text
    },
    readInput: async () => input,
  }
  const code = await main(json ? [...args, '--json'] : args, io, environment)
  return { code, out: out + err, document: (json ? JSON.parse(out) : {}) as Record<string, unknown> }
}

async function file(name: string, content: unknown): Promise<string> {
  const path = join(dataDir, name)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const HTTP = {
  base_url: 'https://supplier.example',
  auth: { type: 'bearer', token: { secret: 'token' } },
  submit: {
    method: 'POST',
    path: '/orders',
    body: { id: '{{reference}}', to: '{{account}}', amount: '{{amount}}' },
    response: { outcome: { path: 'status', table: { done: { outcome: 'succeeded' } } } },
  },
  query: {
    method: 'GET',
    path: '/orders/{{reference}}',
    response: { outcome: { path: 'status', table: { done: { outcome: 'succeeded' } } } },
  },
}

it('a provider of our own is connected, shown, changed, disabled and removed', async () => {
  const added = await run(['provider', 'add', '--code', 'shelf', '--kind', 'stock', '--float-alert', '1000'])
  expect(added).toMatchObject({
    code: 0,
    document: { code: 'shelf', kind: 'stock', name: 'shelf', enabled: true, float_alert: 1_000, secrets: [] },
  })
  const limits = await file('limits.json', { concurrency: 4, breaker: { probes: 1 } })
  const changes = ['--name', 'The shelf', '--limits-file', limits, '--float-alert', 'none']
  expect(await run(['provider', 'update', '--code', 'shelf', ...changes])).toMatchObject({
    document: { name: 'The shelf', limits: { concurrency: 4, breaker: { probes: 1 } }, float_alert: null },
  })
  expect(await run(['provider', 'list'])).toMatchObject({ document: { providers: [{ code: 'shelf' }] } })
  expect(await run(['provider', 'remove', '--code', 'shelf'])).toMatchObject({
    code: 1,
    document: { error: { code: 'conflict' } },
  })
  expect(await run(['provider', 'disable', '--code', 'shelf'])).toMatchObject({
    document: { enabled: false },
  })
  await test.database.query(`update provider_connections set updated_at = now() - interval '1 minute'`)
  expect(await run(['provider', 'remove', '--code', 'shelf'])).toMatchObject({ code: 0 })
  expect(await run(['provider', 'show', '--code', 'shelf'])).toMatchObject({ code: 1 })
})

it('a provider that is asked for a void is neither changed to another supplier nor removed', async () => {
  const config = await file('voiding.json', HTTP)
  const secrets = await file('voiding.secrets.json', { token: SECRET })
  const given = ['--file', config, '--secrets-file', secrets]
  await run(['provider', 'add', '--code', 'voiding', '--kind', 'http', '--disabled', ...given])
  const { rows } = await test.database.query<{ id: bigint }>(
    `insert into resellers (account, name, email, price_level, version)
     values ('4711', 'Voiding', 'a@example.com', 'STANDARD', 1) returning id`,
  )
  await test.database.query(
    `with paid as (
       insert into payments (reseller_id, id, refid, product_code, product_name, account, amount, face_value, cost,
         balance_after, code, remarks, sender, member_id, provider, created_at, changed_at)
       values ($1, 7, 'r', 'VOLT', 'Volt', '1', 1, 1, 1, 0, 20, '', '', '', 'voiding', now(), now())
     ), opened as (
       insert into cases (reseller_id, id, number, kind, state, payment_id, refid, cc, refund_type, member_id, request_id,
         opened_at, changed_at, due_at)
       values ($1, 1, 'V1', 'void', 'open', 7, 'r', '{}', 1, '', gen_random_uuid(), now(), now(), now())
     )
     insert into case_work (reseller_id, case_id, next_at) values ($1, 1, now() + interval '1 day')`,
    [rows[0]?.id],
  )
  await test.database.query(`update provider_connections set updated_at = now() - interval '1 minute'`)
  const other = await file('other.json', { ...HTTP, base_url: 'https://other.example' })
  const update = ['provider', 'update', '--code', 'voiding', '--file', other]
  const refused = { code: 1, document: { error: { message: expect.stringContaining('1 unfinished') } } }
  expect(await run(update)).toMatchObject(refused)
  expect(await run(['provider', 'remove', '--code', 'voiding'])).toMatchObject(refused)
  await test.database.query('truncate case_work')
  expect(await run(update)).toMatchObject({ code: 0 })
  await test.database.query(`update provider_connections set updated_at = now() - interval '1 minute'`)
  expect(await run(['provider', 'remove', '--code', 'voiding'])).toMatchObject({ code: 0 })
})

it('secrets come by file or standard input, and nothing shows them again', async () => {
  const config = await file('http.json', HTTP)
  const add = ['provider', 'add', '--code', 'acme', '--kind', 'http', '--file', config]
  const without = await run(add)
  expect(without).toMatchObject({
    code: 1,
    document: { error: { code: 'validation_failed', fields: { 'auth.token': expect.anything() } } },
  })
  const added = await run([...add, '--secrets-stdin'], { input: JSON.stringify({ token: SECRET }) })
  expect(added).toMatchObject({
    code: 0,
    document: { config: HTTP, secrets: [{ name: 'token', set_at: expect.any(String) }] },
  })
  const secrets = await file('secrets.json', { token: `${SECRET}!` })
  const outputs = [
    added,
    await run(['provider', 'update', '--code', 'acme', '--secrets-file', secrets]),
    await run(['provider', 'show', '--code', 'acme']),
    await run(['provider', 'show', '--code', 'acme'], { json: false }),
    await run(['provider', 'list']),
    await run([...add, '--secrets-stdin'], { input: `{ "token": "${SECRET}" ` }),
    await run([...add, '--secrets-stdin'], { input: JSON.stringify({ token: [SECRET] }) }),
  ]
  for (const { out } of outputs) expect(out).not.toContain(SECRET)
})

it('a supplier that gives PINs and cannot be asked again is named as such when it is connected', async () => {
  const submit = (output: Record<string, string>) => ({
    method: 'POST',
    path: '/orders',
    body: { reference: '{{reference}}' },
    response: { outcome: { path: 'status', table: { done: { outcome: 'succeeded' } } }, output },
  })
  const add = async (code: string, output: Record<string, string>) => {
    const config = await file(`${code}.json`, {
      base_url: 'https://supplier.example.com',
      submit: submit(output),
    })
    return run(['provider', 'add', '--code', code, '--kind', 'http', '--file', config])
  }
  const pins = await add('pins-once', { pin: 'pin' })
  expect(pins.code).toBe(0)
  expect(pins.out).toContain('warning: it gives PINs or links once and cannot be asked again')
  const reloads = await add('reloads-once', { serial_number: 'serial' })
  expect(reloads.out).toContain('warning: it cannot be asked what became of an order')
})

it('a long configuration is named by its members, and shown whole by provider show and --json', async () => {
  const table = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`code-${at}`, { outcome: 'succeeded' }]),
  )
  const response = { outcome: { path: 'status', table } }
  const long = { ...HTTP, auth: { type: 'none' }, submit: { ...HTTP.submit, response } }
  const config = await file('long.json', long)
  const ran = await run(['provider', 'add', '--code', 'long', '--kind', 'http', '--file', config], {
    json: false,
  })
  expect(ran.code, ran.out).toBe(0)
  expect(ran.out).toMatch(/config +auth, query, submit, base_url \(whole: provider show, --json\)/)
  expect(Math.max(...ran.out.split('\n').map((line) => line.length))).toBeLessThan(200)
  const shown = await run(['provider', 'show', '--code', 'long'], { json: false })
  expect(shown.out).toContain('"code-199": {')
  expect((await run(['provider', 'show', '--code', 'long'])).document.config).toEqual(long)
})

it('a mistake is told by its path, all of them at once, and nothing is saved', async () => {
  const config = await file('wrong.json', { ...HTTP, base_url: 'ftp://x', surprise: 1 })
  const ran = await run(['provider', 'add', '--code', 'wrong', '--kind', 'http', '--file', config])
  const { error } = ran.document as { error: { fields: Record<string, string[]> } }
  expect(Object.keys(error.fields)).toEqual(expect.arrayContaining(['base_url', 'surprise', 'auth.token']))
  expect(await run(['provider', 'show', '--code', 'wrong'])).toMatchObject({ code: 1 })
})

it.each([
  [['provider', 'add', '--code', 'x', '--kind', 'stock', '--file', '/nowhere.json'], 1],
  [['provider', 'add', '--code', 'x', '--kind', 'stock', '--float-alert', 'much'], 2],
  [['provider', 'add', '--code', 'x', '--kind', 'stock', '--float-alert', '999999999999999'], 2],
  [['provider', 'add', '--code', 'x', '--kind', 'stock', '--secrets-stdin', '--secrets-file', 'x'], 2],
  [['provider', 'update', '--code', 'nobody'], 1],
  [['route', 'set', '--product', 'NOVA', '--provider', 'nobody'], 1],
  [['route', 'set', '--product', 'NOVA', '--provider', 'x', '--weight', '1', '--by-cost'], 2],
] as const)('%j is refused', async (args, code) => {
  expect(await run(args)).toMatchObject({ code, document: { error: expect.anything() } })
})

it('production has no simulator to connect', async () => {
  const environment = {
    ...env,
    WARUNG_ENV: 'production',
    WARUNG_TRUST_PROXY: 'none',
    WARUNG_PUBLIC_URL: 'https://api.example.com',
    WARUNG_DASHBOARD_URL: 'https://dashboard.example.com',
  }
  const add = ['provider', 'add', '--code', 'sim2', '--kind', 'simulator']
  expect(await run(add, { environment })).toMatchObject({
    code: 1,
    document: { error: { fields: { kind: [expect.anything()] } } },
  })
  expect(await run(add)).toMatchObject({ code: 0 })
})

it('routes are set, listed and removed, and come out as they went in', async () => {
  await seedBase(test.database)
  await run(['provider', 'add', '--code', 'shelf', '--kind', 'stock'])
  const set = ['route', 'set', '--product', 'NOVA', '--provider', 'shelf']
  expect(await run(set)).toMatchObject({
    code: 0,
    document: {
      product: 'NOVA',
      provider: 'shelf',
      priority: 1,
      weight: 100,
      cost: null,
      windows: [],
      enabled: true,
    },
  })
  const more = [
    '--priority',
    '2',
    '--by-cost',
    '--cost',
    '97.25%',
    '--window',
    'mon-wed 08:00-22:30',
    '--disabled',
  ]
  const changed = {
    product: 'NOVA',
    provider: 'shelf',
    priority: 2,
    weight: null,
    cost: '97.25%',
    windows: ['mon,tue,wed 08:00-22:30'],
    enabled: false,
  }
  expect(await run([...set, ...more])).toMatchObject({ document: changed })
  await run(['route', 'set', '--product', '*', '--provider', 'shelf', '--cost', '0.5'])
  expect(await run(['route', 'list', '--product', 'NOVA'])).toMatchObject({ document: { routes: [changed] } })
  const all = await run(['route', 'list', '--provider', 'shelf'])
  expect(all.document.routes).toMatchObject([{ product: '*', cost: '0.50' }, changed])
  const remove = ['route', 'remove', '--product', 'NOVA', '--provider', 'shelf']
  // The product would fall back to the routes of *.
  expect(await run(remove)).toMatchObject({ code: 1, document: { error: { code: 'conflict' } } })
  expect(await run([...remove, '--to-any'])).toMatchObject({ code: 0 })
  expect(await run(remove)).toMatchObject({ code: 1, document: { error: { code: 'not_found' } } })
})

it('health is what running nodes have said lately', async () => {
  expect(await run(['provider', 'health'])).toMatchObject({ code: 0, document: { health: [] } })
  await test.database.query(
    `insert into provider_health (provider, node, state, orders, answered, timeouts, not_acted, p50_ms, p95_ms, at)
     values ('shelf', 'node-1', 'open', 9, 4, 5, 0, 20, 10000, now()),
            ('shelf', 'node-0', 'closed', 9, 9, 0, 0, 20, 30, now() - interval '1 hour')`,
  )
  const { document } = await run(['provider', 'health'])
  expect(document.health).toMatchObject([
    { provider: 'shelf', node: 'node-1', state: 'open', orders: 9, answered: 4, timeouts: 5, p95_ms: 10_000 },
  ])
})
