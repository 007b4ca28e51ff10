import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { from, newAddress, readBalance, TRUST_TEST_PROXY, untilAnswered } from '../clients.ts'
import type { TestReseller } from '../edge.ts'
import { balanceOf, createReseller } from '../edge.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, openService, runWarungd, stopServices, until } from '../service.ts'
import type { Credentials } from '../signing.ts'
import { askToken } from '../tokens.ts'

// The operator's command beside a running service: its output, and the effect on the service.

type Document = Record<string, unknown>
type NewKey = { key: string; signing_secret: string }

let database: TestDatabase
let service: Service
let reseller: TestReseller
let account: string[]

beforeAll(async () => {
  database = await createDatabase()
  const limits = { WARUNG_RATE_LIMIT: '5', WARUNG_RATE_EXEMPT: '127.0.0.1,203.0.113.0/24' }
  service = await openService({ database, environment: { ...TRUST_TEST_PROXY, ...limits } })
  reseller = await createReseller(service)
  account = ['--reseller', reseller.account]
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

type Refusal = { code: string; message: string; fields: Record<string, string[]> }

/** Runs a command that must be refused: 1 when it cannot be done, 2 when it was not called as its help says. */
async function refuse(expected: 1 | 2, ...args: string[]): Promise<Refusal> {
  const { code, stdout, stderr } = await service.tryWarungd(...args, '--json')
  expect({ args, code, stderr }).toEqual({ args, code: expected, stderr: '' })
  const { error } = JSON.parse(stdout) as { error: Refusal }
  expect(error.message).toMatch(/\S/)
  return error
}

async function refusedFields(...args: string[]): Promise<string[]> {
  const { fields } = await refuse(1, ...args)
  return Object.keys(fields).sort()
}

/** Returns the rows of a table as text, to search for what must not be in them. */
async function textOfTable(table: 'api_keys' | 'users' | 'operators'): Promise<string> {
  const { rows } = await database.query(`select to_json(t)::text as row from ${table} t`)
  return JSON.stringify(rows)
}

function credentialsOfKey(key: NewKey): Credentials {
  return { apiKey: key.key, secretBase64: key.signing_secret }
}

describe('a refusal', () => {
  it('is said in words on standard error, with the name of each wrong option', async () => {
    const wrong = ['--name', ' ', '--email', 'nobody', '--account', '12', '--access', '1']
    const said = await runWarungd(service.environment, ['reseller', 'create', ...wrong])
    expect({ code: said.code, stdout: said.stdout }).toEqual({ code: 1, stdout: '' })
    expect(said.stderr).toMatch(/^warungd: \S/)
    for (const name of ['name', 'email', 'account', 'access']) expect(said.stderr).toContain(`  ${name}: `)
    expect(said.stderr).not.toMatch(/\n\s+at |node:internal/)
  })
})

describe('resellers', () => {
  it('are opened, shown, changed, suspended and listed', async () => {
    await service.warungd('level', 'create', '--code', 'GOLD', '--name', 'Gold')
    const made = await service.warungd(
      ...['reseller', 'create', '--name', 'Kedai Baru', '--email', 'baru@example.com'],
      ...['--account', '900100', '--price-level', 'GOLD', '--access', '50'],
    )
    expect(made).toEqual({
      account: '900100',
      name: 'Kedai Baru',
      email: 'baru@example.com',
      price_level: 'GOLD',
      access: 50,
      status: 'active',
      topup_requires_api_key: false,
      duplicate_window_seconds: 0,
      demo: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    const one = ['--reseller', '900100']
    expect(await service.warungd('reseller', 'show', ...one)).toEqual(made)
    const changes = ['--name', 'Kedai Lama', '--price-level', 'STANDARD', '--access', '0']
    const changed = await service.warungd('reseller', 'update', ...one, ...changes)
    expect(changed).toMatchObject({ name: 'Kedai Lama', price_level: 'STANDARD', access: 0 })
    expect(await service.warungd('reseller', 'suspend', ...one)).toMatchObject({ status: 'suspended' })
    expect(await service.warungd('reseller', 'activate', ...one)).toMatchObject({ status: 'active' })
    const page = ['--limit', '1', '--after', reseller.account]
    const { resellers } = await service.warungd<{ resellers: Document[] }>('reseller', 'list', ...page)
    expect(resellers.map((each) => each.account)).toEqual(['900100'])
  })

  it('show their changes in the API within seconds', async () => {
    await service.warungd('reseller', 'update', ...account, '--name', 'Nama Baru', '--access', '50')
    const data = { name: 'Nama Baru', access: 50, level: 'STANDARD' }
    const answer = await until('the name is the new one', async () => {
      const latest = await balanceOf(service, reseller)
      return latest.text.includes('Nama Baru') && latest
    })
    expect(answer.json()).toMatchObject({ data })
  })

  it('are refused when something is wrong', async () => {
    const create = ['reseller', 'create', '--name', 'A', '--email', 'a@example.com']
    expect(await refuse(1, ...create, '--account', reseller.account)).toMatchObject({ code: 'taken' })
    expect(await refuse(1, 'reseller', 'show', '--reseller', '00000')).toMatchObject({ code: 'not_found' })
    const { message } = await refuse(2, 'reseller', 'list', '--limit', '1001')
    expect(message).toBe('--limit: must be a whole number from 1 to 1000')
    await refuse(2, 'reseller', 'update', ...account)
    await refuse(2, 'reseller', 'list', '--no-such-option')
  })

  it('have a setting for payments by API key alone, off at first', async () => {
    const show = () => service.warungd('settings', 'show', ...account)
    expect(await show()).toMatchObject({ account: reseller.account, topup_requires_api_key: false })
    await service.warungd('settings', 'set', ...account, '--topup-requires-api-key', 'on')
    expect(await show()).toMatchObject({ account: reseller.account, topup_requires_api_key: true })
    await refuse(2, 'settings', 'set', ...account, '--topup-requires-api-key', 'yes')
  })
})

describe('users and operators', () => {
  it('get passwords that are shown once, or that were given and are never shown', async () => {
    const ana = [...account, '--username', 'ana.cli']
    const made = await service.warungd<{ password: string }>('user', 'create', ...ana, '--role', 'admin')
    const typed = 'typed by hand 🍜'
    const budi = ['user', 'create', ...account, '--username', 'budi.cli', '--role', 'viewer']
    const given = await runWarungd(service.environment, [...budi, '--password-stdin'], `${typed}\n`)
    expect(given).toMatchObject({ code: 0, stderr: '' })
    expect(given.stdout).not.toContain(typed)
    const logins = [
      { username: 'ana.cli', password: made.password },
      { username: 'budi.cli', password: typed },
    ]
    for (const login of logins) {
      expect((await askToken(service, login, from('203.0.113.1'))).status).toBe(200)
    }
    const listed = await service.tryWarungd('user', 'list', ...account, '--json')
    const { users } = JSON.parse(listed.stdout) as { users: Document[] }
    expect(users.map((user) => user.username)).toEqual(['ana.cli', 'budi.cli'])
    expect(listed.stdout).not.toMatch(/password|argon2/)
    for (const { password } of logins) expect(await textOfTable('users')).not.toContain(password)
    expect(await service.warungd('user', 'role', ...ana, '--role', 'viewer')).toMatchObject({
      role: 'viewer',
    })
  })

  it('are refused when the name is taken, the role unknown or the password short', async () => {
    const create = ['user', 'create', ...account, '--role', 'admin', '--username']
    expect(await refuse(1, ...create, 'ANA.cli')).toMatchObject({ code: 'taken' })
    expect(await refusedFields(...create, 'a b')).toEqual(['username'])
    const ana = [...account, '--username', 'ana.cli']
    expect(await refusedFields('user', 'role', ...ana, '--role', 'king')).toEqual(['role'])
    const password = ['user', 'password', ...ana, '--password-stdin', '--json']
    const short = await runWarungd(service.environment, password, 'too short')
    expect(short.code).toBe(1)
    expect(JSON.parse(short.stdout).error.fields).toHaveProperty('password')
    expect(short.stdout + short.stderr).not.toContain('too short')
    const nobody = [...account, '--username', 'nobody']
    expect(await refuse(1, 'user', 'disable', ...nobody)).toMatchObject({ code: 'not_found' })
    // A password as an argument would be visible in the shell's history: there is no such option.
    await refuse(2, ...create, 'carla', '--password', 'in the open')
  })

  it('operators of the service are created, changed and disabled too', async () => {
    const op = ['--email', 'Op@Example.com']
    const create = ['operator', 'create', ...op, '--name', 'Op']
    const made = await service.warungd(...create, '--role', 'finance')
    expect(made).toMatchObject({ email: 'op@example.com', role: 'finance', password: expect.any(String) })
    const changed = await service.warungd('operator', 'role', ...op, '--role', 'support')
    expect(changed).toMatchObject({ role: 'support' })
    expect((await service.warungd('operator', 'password', ...op)).password).not.toBe(made.password)
    expect(await service.warungd('operator', 'disable', ...op)).toMatchObject({ status: 'disabled' })
    expect(await service.warungd('operator', 'enable', ...op)).toMatchObject({ status: 'active' })
    const { operators } = await service.warungd<{ operators: Document[] }>('operator', 'list')
    expect(operators.map((each) => each.email)).toContain('op@example.com')
    expect(await refuse(1, ...create, '--role', 'admin')).toMatchObject({ code: 'taken' })
  })
})

describe('API keys', () => {
  it('do what their scopes say, and show their secret once', async () => {
    const create = ['key', 'create', ...account, '--label', 'till', '--scope']
    const reader = await service.warungd<NewKey>(...create, 'read')
    const payer = await service.warungd<NewKey>(...create, 'pay')
    await untilAnswered(() => balanceOf(service, credentialsOfKey(reader)), 200)
    await untilAnswered(() => balanceOf(service, credentialsOfKey(payer)), 403, 'insufficient_scope')
    expect(await refusedFields(...create, 'fly')).toEqual(['scopes'])

    const listed = await service.tryWarungd('key', 'list', ...account, '--json')
    expect(JSON.parse(listed.stdout).keys).toHaveLength(3)
    const stored = await textOfTable('api_keys')
    for (const { signing_secret: secret } of [reader, payer]) {
      const hex = Buffer.from(secret, 'base64').toString('hex')
      for (const text of [listed.stdout, stored]) {
        expect(text).not.toContain(secret)
        expect(text).not.toContain(hex)
      }
    }
  })

  it('revoked API keys stay revoked, and cannot be rotated', async () => {
    const made = await service.warungd<NewKey>('key', 'create', ...account)
    await untilAnswered(() => balanceOf(service, credentialsOfKey(made)), 200)
    const one = [...account, '--key', made.key]
    const dead = await service.warungd<object>('key', 'revoke', ...one)
    expect(dead).toMatchObject({ state: 'revoked', revoked_at: expect.any(String) })
    await untilAnswered(() => balanceOf(service, credentialsOfKey(made)), 401, 'invalid_api_key')
    // A second revocation changes nothing: the key keeps the time of its end. The node writes the last use later.
    const again = await service.warungd<object>('key', 'revoke', ...one)
    expect({ ...again, last_used_at: null }).toEqual({ ...dead, last_used_at: null })
    expect(await refuse(1, 'key', 'rotate', ...one)).toMatchObject({ code: 'key_not_active' })
    const grace = ['--grace-seconds', String(30 * 86_400 + 1)]
    const live = [...account, '--key', reseller.apiKey]
    expect(await refusedFields('key', 'rotate', ...live, ...grace)).toEqual(['grace_seconds'])
  })

  it('API keys without a secret cannot sign until they are rotated', async () => {
    const bare = await service.warungd<NewKey>('key', 'create', ...account, '--without-secret')
    expect(bare).toMatchObject({ has_secret: false, signing_secret: null })
    const guess = { apiKey: bare.key, secretBase64: Buffer.alloc(32).toString('base64') }
    await untilAnswered(() => balanceOf(service, guess), 401, 'hmac_not_configured')
    const rotated = await service.warungd<NewKey>('key', 'rotate', ...account, '--key', bare.key)
    await untilAnswered(() => balanceOf(service, credentialsOfKey(rotated)), 200)
  })

  it('API keys of one reseller cannot be changed by another reseller', async () => {
    const other = await createReseller(service)
    const foreign = ['--reseller', other.account, '--key', reseller.apiKey]
    expect(await refuse(1, 'key', 'revoke', ...foreign)).toMatchObject({ code: 'not_found' })
    expect((await balanceOf(service, reseller)).status).toBe(200)
  })
})

describe('addresses', () => {
  it('addresses on the allowlist may call, and other addresses may not', async () => {
    const add = ['allowlist', 'add', ...account, '--network']
    const two = ['203.0.113.7', '--network', '2001:db8::1/48', '--label', 'shop']
    const { allowlist } = await service.warungd<{ allowlist: Document[] }>(...add, ...two)
    expect(allowlist.map((each) => each.network).sort()).toEqual(['2001:db8::/48', '203.0.113.7'])
    const ask = (address: string) => balanceOf(service, reseller, { headers: from(address) })
    await untilAnswered(() => ask('203.0.113.8'), 403, 'ip_not_allowed')
    await untilAnswered(() => ask('203.0.113.7'), 200)
    const bad = ['10.0.0.0/33', 'localhost', '1.2.3.4.5', '']
    for (const fields of await Promise.all(bad.map((each) => refusedFields(...add, each)))) {
      expect(fields).toEqual(['network'])
    }
    const remove = ['allowlist', 'remove', ...account, '--network']
    expect(await refuse(1, ...remove, '198.18.0.0/15')).toMatchObject({ code: 'not_found' })
    const shop = { label: 'shop' }
    const listed = await service.warungd('allowlist', 'list', ...account)
    expect(listed).toMatchObject({ allowlist: [shop, shop] })
    await service.warungd(...remove, '2001:db8::/48')
    expect(await service.warungd('allowlist', 'clear', ...account)).toEqual({ allowlist: [], removed: 1 })
    await untilAnswered(() => ask('203.0.113.8'), 200)
  })

  it('blocked addresses are listed, and an operator can let them in again', async () => {
    const address = newAddress()
    const ask = () => service.get('/v2/balance', from(address))
    await untilAnswered(ask, 403, 'ip_blocked')
    expect(JSON.stringify(await service.warungd('block', 'list'))).toContain(address)
    await service.warungd('block', 'lift', '--address', address)
    await untilAnswered(ask, 401, 'unauthorized')
    const lift = ['block', 'lift', '--address']
    expect(await refuse(1, ...lift, newAddress())).toMatchObject({ code: 'not_found' })
    expect(await refusedFields(...lift, 'somewhere')).toEqual(['address'])
  })
})

describe('deposits', () => {
  it('arrive to the ten-thousandth, and what is no amount moves nothing', async () => {
    const { account: number, ...credentials } = await createReseller(service)
    const deposit = ['deposit', '--reseller', number, '--remarks', 'Wang tunai 现金', '--amount']
    expect(await service.warungd(...deposit, '50')).toEqual({
      account: number,
      sequence: 1,
      kind: 'deposit',
      amount: 50,
      balance: 50,
      remarks: 'Wang tunai 现金',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      reference: expect.stringMatching(/^warungd-[0-9a-f]{18}$/),
      outcome: 'posted',
      repeated: false,
    })
    expect(await service.warungd(...deposit, '0.0001')).toMatchObject({ sequence: 2, balance: 50.0001 })
    expect(await service.warungd(...deposit, '1000000000')).toMatchObject({ balance: 1_000_000_050.0001 })
    expect(await readBalance(service, credentials)).toBe(1_000_000_050.0001)

    const bad = ['0', '-1', '1e2', 'NaN', '10.00001', '1'.repeat(40)]
    const joined = ['deposit', '--reseller', number, '--remarks', 'x']
    const refused = await Promise.all(bad.map((amount) => refusedFields(...joined, `--amount=${amount}`)))
    for (const fields of refused) expect(fields).toEqual(['amount'])
    await refuse(2, ...deposit, '-1')
    const unknown = ['deposit', '--reseller', '00000', '--amount', '1', '--remarks', 'x']
    expect(await refuse(1, ...unknown)).toMatchObject({ code: 'not_found' })
    expect(await readBalance(service, credentials)).toBe(1_000_000_050.0001)
  })
})
