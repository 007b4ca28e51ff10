import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RequestError } from '../../lib/errors.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import {
  allowNetworks,
  clearAllowlist,
  createApiKey,
  disallowNetwork,
  getApiKey,
  listAllowlist,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from './keys.service.ts'
import type { Accounts } from './service.ts'
import { createReseller } from './service.ts'
import type { Reseller, Scope } from './types.ts'

let test: TestDatabase
let accounts: Accounts

beforeAll(async () => {
  test = await openTestDatabase()
  accounts = { database: test.database, vault: test.vault, environment: 'staging' }
})

afterAll(() => test.close())

function makeReseller(): Promise<Reseller> {
  return createReseller(accounts, { name: 'Kedai Kunci', email: 'kunci@example.com', priceLevel: 'STANDARD' })
}

async function refusalOf(work: Promise<unknown>): Promise<RequestError> {
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(RequestError)
  return error as RequestError
}

describe('API keys', () => {
  it('carry their environment and a secret of 32 bytes that is shown once', async () => {
    const { id } = await makeReseller()
    const made = await createApiKey(accounts, id, { label: 'till' })
    expect(made.key).toMatch(/^wk_stg_([a-z0-9]+_)?[0-9A-Za-z]{32}$/)
    expect(Buffer.from(made.signingSecret ?? '', 'base64')).toHaveLength(32)
    expect(made).toMatchObject({
      label: 'till',
      scopes: ['read', 'pay', 'support', 'configure'],
      state: 'active',
    })
    const { signingSecret, ...shown } = made
    expect(await listApiKeys(test.database, id)).toEqual([shown])

    const live = await createApiKey({ ...accounts, environment: 'production' }, id)
    expect(live.key).toMatch(/^wk_live_([a-z0-9]+_)?[0-9A-Za-z]{32}$/)
  })

  it('have secrets that lie sealed, each bound to its own key', async () => {
    const { id } = await makeReseller()
    const made = await createApiKey(accounts, id)
    const { rows } = await test.database.query<{ sealed_secret: Buffer }>(
      'select sealed_secret from api_keys where key = $1',
      [made.key],
    )
    const sealed = rows[0]?.sealed_secret ?? Buffer.alloc(0)
    expect(sealed.toString('latin1')).not.toContain(
      Buffer.from(made.signingSecret ?? '', 'base64').toString('latin1'),
    )
    expect(test.vault.open(`api_key:${made.key}`, sealed).toString('base64')).toBe(made.signingSecret)
    expect(() => test.vault.open('api_key:wk_stg_other', sealed)).toThrow()
  })

  it('may have fewer scopes, and may have no secret', async () => {
    const { id } = await makeReseller()
    const made = await createApiKey(accounts, id, { scopes: ['pay', 'read'], withoutSecret: true })
    expect(made).toMatchObject({ scopes: ['read', 'pay'], hasSecret: false, signingSecret: null })
    for (const scopes of [[], ['fly'], ['read', 'fly']]) {
      expect(await refusalOf(createApiKey(accounts, id, { scopes: scopes as Scope[] }))).toMatchObject({
        status: 400,
        fields: { scopes: [expect.any(String)] },
      })
    }
  })

  it('rotated at once are revoked, and their successor has a new secret', async () => {
    const { id } = await makeReseller()
    const old = await createApiKey(accounts, id, { label: 'till', scopes: ['read'] })
    const fresh = await rotateApiKey(accounts, id, old.id, { graceSeconds: 0 })
    expect(fresh).toMatchObject({ label: 'till', scopes: ['read'], state: 'active', hasSecret: true })
    expect(fresh.key).not.toBe(old.key)
    expect(fresh.signingSecret).not.toBe(old.signingSecret)
    expect(await getApiKey(test.database, id, old.key)).toMatchObject({ state: 'revoked' })
    expect(await refusalOf(rotateApiKey(accounts, id, old.id, { graceSeconds: 0 }))).toMatchObject({
      status: 409,
      code: 'key_not_active',
    })
  })

  it('rotated with a grace end that many seconds later, by the database clock', async () => {
    const { id } = await makeReseller()
    const old = await createApiKey(accounts, id)
    await rotateApiKey(accounts, id, old.id, { graceSeconds: 3_600 })
    const ending = await getApiKey(test.database, id, old.key)
    expect(ending).toMatchObject({ state: 'in_grace', revokedAt: null })
    const { rows } = await test.database.query<{ seconds: number }>(
      `select extract(epoch from expires_at - clock_timestamp())::float8 as seconds from api_keys where id = $1`,
      [old.id],
    )
    expect(rows[0]?.seconds).toBeGreaterThan(3_500)
    expect(rows[0]?.seconds).toBeLessThanOrEqual(3_600)

    await test.database.query('update api_keys set expires_at = clock_timestamp() where id = $1', [old.id])
    expect(await getApiKey(test.database, id, old.key)).toMatchObject({ state: 'expired' })
  })

  it('are given a grace of 30 days at most', async () => {
    const { id } = await makeReseller()
    const old = await createApiKey(accounts, id)
    for (const graceSeconds of [-1, 0.5, 30 * 86_400 + 1, Number.NaN]) {
      expect(await refusalOf(rotateApiKey(accounts, id, old.id, { graceSeconds }))).toMatchObject({
        fields: { grace_seconds: [expect.any(String)] },
      })
    }
    await rotateApiKey(accounts, id, old.id, { graceSeconds: 30 * 86_400 })
  })

  it('revoked once stay revoked at that time', async () => {
    const { id } = await makeReseller()
    const made = await createApiKey(accounts, id)
    const revoked = await revokeApiKey(accounts, id, made.id)
    expect(revoked.state).toBe('revoked')
    expect(await revokeApiKey(accounts, id, made.id)).toEqual(revoked)
  })

  it('API keys of one reseller are out of reach for another', async () => {
    const [one, other] = await Promise.all([makeReseller(), makeReseller()])
    const made = await createApiKey(accounts, one.id)
    for (const work of [
      () => revokeApiKey(accounts, other.id, made.id),
      () => rotateApiKey(accounts, other.id, made.id, { graceSeconds: 0 }),
      () => getApiKey(test.database, other.id, made.key),
    ]) {
      expect(await refusalOf(work())).toMatchObject({ status: 404, code: 'not_found' })
    }
    expect(await getApiKey(test.database, one.id, made.key)).toMatchObject({ state: 'active' })
  })

  it('are at most 50 that work, counted right under concurrency, and a rotation at once still works', async () => {
    const { id } = await makeReseller()
    for (let made = 0; made < 48; made += 1) await createApiKey(accounts, id)
    const racing = await Promise.allSettled(Array.from({ length: 6 }, () => createApiKey(accounts, id)))
    expect(racing.filter((each) => each.status === 'fulfilled')).toHaveLength(2)
    for (const each of racing) {
      if (each.status === 'rejected')
        expect(each.reason).toMatchObject({ status: 409, code: 'limit_reached' })
    }
    const [key] = await listApiKeys(test.database, id)
    const keyId = key?.id ?? 0n
    expect(await refusalOf(rotateApiKey(accounts, id, keyId, { graceSeconds: 60 }))).toMatchObject({
      status: 409,
    })
    expect(await getApiKey(test.database, id, key?.key ?? '')).toMatchObject({ state: 'active' })
    await rotateApiKey(accounts, id, keyId, { graceSeconds: 0 })
  })
})

describe('the IP allowlist', () => {
  it('holds addresses and networks in one spelling each, host bits cleared', async () => {
    const { id } = await makeReseller()
    await allowNetworks(accounts, id, { networks: ['10.1.2.3/8', '203.0.113.7', '2001:DB8::1/32'] })
    await allowNetworks(accounts, id, {
      networks: ['::ffff:198.51.100.9', '::ffff:172.16.0.0/108', '10.9.9.9/8'],
    })
    const entries = await listAllowlist(test.database, id)
    expect(entries.map((entry) => entry.network)).toEqual([
      '10.0.0.0/8',
      '172.16.0.0/12',
      '198.51.100.9',
      '203.0.113.7',
      '2001:db8::/32',
    ])
  })

  it('refuses what is no address, naming each, and takes nothing of that request', async () => {
    const { id } = await makeReseller()
    const networks = ['10.0.0.1', 'localhost', '10.0.0.1/33', '0x7f.1', 'fe80::1%eth0', '']
    const refusal = await refusalOf(allowNetworks(accounts, id, { networks }))
    expect(refusal.fields?.network).toHaveLength(5)
    expect(await listAllowlist(test.database, id)).toEqual([])
  })

  it('gives entries up one by one or all at once', async () => {
    const { id } = await makeReseller()
    await allowNetworks(accounts, id, { networks: ['10.0.0.0/8', '192.0.2.1', '192.0.2.2'], label: 'office' })
    const left = await disallowNetwork(accounts, id, '10.200.0.0/8')
    expect(left.map((entry) => entry.network)).toEqual(['192.0.2.1', '192.0.2.2'])
    expect(await refusalOf(disallowNetwork(accounts, id, '192.0.2.9'))).toMatchObject({ status: 404 })
    expect(await clearAllowlist(accounts, id)).toBe(2)
    expect(await listAllowlist(test.database, id)).toEqual([])
  })

  it('has at most 200 entries', async () => {
    const { id } = await makeReseller()
    const networks = Array.from({ length: 200 }, (_, index) => `10.0.${index}.0/24`)
    await allowNetworks(accounts, id, { networks })
    expect(await refusalOf(allowNetworks(accounts, id, { networks: ['192.0.2.1'] }))).toMatchObject({
      status: 409,
    })
    expect(await listAllowlist(test.database, id)).toHaveLength(200)
  })
})
