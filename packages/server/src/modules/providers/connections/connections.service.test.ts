import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDataKey } from '../../../db/vault.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { kindsOf, scriptedKind } from '../../../testing/providers/connector-kinds.ts'
import type { Connections } from './connections.service.ts'
import {
  addConnection,
  changeConnection,
  enableConnection,
  getConnection,
  listConnections,
  openSecrets,
  removeConnection,
} from './connections.service.ts'
import { findConnectionRow } from './connections.sql.ts'
import { listRoutes, removeRoute, setRoute } from './routing.service.ts'

let test: TestDatabase
let connections: Connections & { countUnfinished: () => Promise<number> }
let unfinished = 0

beforeAll(async () => {
  test = await openTestDatabase()
  connections = {
    database: test.database,
    vault: test.vault,
    kinds: kindsOf(scriptedKind()),
    countUnfinished: () => Promise.resolve(unfinished),
  }
})
afterAll(() => test.close())
beforeEach(async () => {
  unfinished = 0
  await test.database.query('delete from provider_routes')
  await test.database.query('delete from provider_connections')
})

const NEW = { code: 'acme', kind: 'scripted', name: 'Acme', config: { url: 'https://acme.example' } }
const SECRET = 'correct horse battery staple'

function add(change: Record<string, unknown> = {}) {
  return addConnection(connections, { ...NEW, ...change })
}

async function secretsOf(code: string): Promise<unknown> {
  const row = await findConnectionRow(test.database, code)
  return row && openSecrets(test.vault, row)
}

describe('a saved connection', () => {
  it('comes back as it was, but for the secrets, of which there are the names alone', async () => {
    const saved = await add({
      secrets: { password: SECRET },
      limits: { concurrency: 7, rate_per_second: 2.5, breaker: { ill_in_a_row: 3 } },
      floatAlert: 1_000n,
    })
    expect(saved).toMatchObject({
      ...NEW,
      isEnabled: true,
      limits: { concurrency: 7, ratePerSecond: 2.5, breaker: { failuresInARow: 3 } },
      floatAlert: 1_000n,
      secretNames: { password: expect.any(Date) },
    })
    expect(await getConnection(test.database, 'acme')).toEqual(saved)
    expect(await listConnections(test.database)).toEqual([saved])
    const shown = JSON.stringify(saved, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    expect(shown).not.toContain(SECRET)
    const { rows } = await test.database.query<{ row: string }>(
      'select c::text as row from provider_connections c',
    )
    expect(rows[0]?.row).not.toContain(SECRET)
    expect(rows[0]?.row).not.toContain(Buffer.from(SECRET).toString('hex'))
    expect(await secretsOf('acme')).toEqual({ password: SECRET })
  })

  it('opens for its own code alone', async () => {
    await add({ secrets: { password: SECRET } })
    await add({ code: 'other' })
    await test.database.query(
      `update provider_connections set sealed_secrets =
         (select sealed_secrets from provider_connections where code = 'acme') where code = 'other'`,
    )
    await expect(secretsOf('other')).rejects.toThrow()
  })

  it('opens also under a data key that another process made since', async () => {
    await addDataKey(test.database, test.masterKey)
    const { openVault } = await import('../../../db/vault.ts')
    const fresh = await openVault(test.database, [test.masterKey])
    await addConnection({ ...connections, vault: fresh }, { ...NEW, secrets: { password: SECRET } })
    expect(await secretsOf('acme')).toEqual({ password: SECRET })
  })
})

describe('nothing is saved', () => {
  it.each([
    [
      'a mistake that the connector finds',
      { config: { wrong: 1, needs: ['token'] } },
      ['needs.token', 'wrong'],
    ],
    ['an unknown kind', { kind: 'telepathy' }, ['kind']],
    ['a configuration that is no object', { config: 'x' }, ['config']],
    ['a secret that is no text', { secrets: { pin: 5 } }, ['secrets.pin']],
    [
      'limits that are out of bounds',
      { limits: { concurrency: 0, wat: 1 } },
      ['limits.concurrency', 'limits.wat'],
    ],
    ['a breaker that is none', { limits: { breaker: { probes: 0 } } }, ['limits.breaker.probes']],
    ['a bad code', { code: 'Ac me' }, ['code']],
  ])('nothing is saved with %s, and its path is told', async (_, change, paths) => {
    await expect(add(change)).rejects.toMatchObject({ status: 400 })
    const error = await add(change).catch((caught: { fields: object }) => caught)
    expect(Object.keys((error as { fields: object }).fields).sort()).toEqual(paths)
    expect(await listConnections(test.database)).toEqual([])
  })

  it('nothing is saved under a code that is taken, or is the simulator of staging', async () => {
    await add()
    await expect(add()).rejects.toMatchObject({ status: 409 })
    await expect(add({ code: 'simulator' })).rejects.toMatchObject({ status: 409 })
  })

  it('a change with a mistake saves nothing: everything stays as it was', async () => {
    const before = await add({ config: { needs: ['token'] }, secrets: { token: SECRET } })
    const change = { name: 'New name', config: { wrong: true } }
    await expect(changeConnection(connections, 'acme', change)).rejects.toMatchObject({ status: 400 })
    // A secret that the configuration names cannot be forgotten either.
    const forget = changeConnection(connections, 'acme', { forgottenSecrets: ['token'] })
    await expect(forget).rejects.toMatchObject({ fields: { 'needs.token': expect.anything() } })
    expect(await getConnection(test.database, 'acme')).toEqual(before)
    expect(await secretsOf('acme')).toEqual({ token: SECRET })
  })
})

describe('a change', () => {
  it('leaves what it does not name, replaces secrets by name, and counts the version up', async () => {
    const before = await add({ secrets: { user: 'me', password: SECRET }, floatAlert: 5n })
    const after = await changeConnection(connections, 'acme', {
      name: 'Acme 2',
      secrets: { password: 'new' },
    })
    expect(after).toMatchObject({ config: NEW.config, name: 'Acme 2', floatAlert: 5n })
    expect(after.version).toBeGreaterThan(before.version)
    expect(await secretsOf('acme')).toEqual({ user: 'me', password: 'new' })
    await changeConnection(connections, 'acme', { forgottenSecrets: ['user'], floatAlert: null })
    expect(await secretsOf('acme')).toEqual({ password: 'new' })
    expect(await getConnection(test.database, 'acme')).toMatchObject({
      floatAlert: null,
      secretNames: { password: expect.any(Date) },
    })
  })

  it.each([
    ['the configuration', { config: { url: 'https://other.example' } }],
    ['a secret', { secrets: { password: 'new' } }],
    ['a secret more', { secrets: { user: 'me' } }],
    ['a secret less', { forgottenSecrets: ['password'] }],
  ])(
    'a change of %s waits for unfinished payments, unless it leads to the same supplier',
    async (_, change) => {
      const before = await add({ secrets: { password: SECRET } })
      unfinished = 3
      await expect(changeConnection(connections, 'acme', change)).rejects.toMatchObject({
        status: 409,
        publicText: expect.stringMatching(/3 unfinished.*another code.*--same-supplier/s),
      })
      expect(await getConnection(test.database, 'acme')).toEqual(before)
      expect(await secretsOf('acme')).toEqual({ password: SECRET })
      const told = await changeConnection(connections, 'acme', { ...change, isSameSupplier: true })
      expect(told.version).toBeGreaterThan(before.version)
      unfinished = 0
      await changeConnection(connections, 'acme', { config: { url: 'https://third.example' } })
    },
  )

  it('a change that keeps the supplier waits for no payments', async () => {
    await add({ config: { url: 'https://acme.example', a: 1 }, secrets: { password: SECRET } })
    unfinished = 3
    const same = { config: { a: 1, url: 'https://acme.example' }, secrets: { password: SECRET } }
    const change = { ...same, name: 'Acme 2', limits: { concurrency: 2 }, floatAlert: 7n }
    expect(await changeConnection(connections, 'acme', change)).toMatchObject({ name: 'Acme 2' })
  })

  it('a configuration that was saved when more was allowed keeps working, and can only be replaced by a right one', async () => {
    await add({ secrets: { password: SECRET } })
    const config = { outdated: true }
    await test.database.query(`update provider_connections set config = $1 where code = 'acme'`, [config])
    expect(
      await changeConnection(connections, 'acme', { name: 'Acme 2', config, secrets: { password: 'new' } }),
    ).toMatchObject({ name: 'Acme 2', config })
    for (const refused of [{ outdated: true, more: 1 }, { outdated: 1 }]) {
      const change = changeConnection(connections, 'acme', { config: refused })
      await expect(change).rejects.toMatchObject({ fields: { outdated: expect.anything() } })
    }
    await expect(add({ code: 'other', config })).rejects.toMatchObject({ status: 400 })
    await changeConnection(connections, 'acme', { config: NEW.config })
  })

  it('a change of an unknown provider is refused', async () => {
    await expect(changeConnection(connections, 'nobody', {})).rejects.toMatchObject({ status: 404 })
  })
})

describe('a provider is removed', () => {
  const remove = (waiting = 0, heardAfterMs = 0, isToAny = false) =>
    removeConnection(
      { database: test.database, countUnfinished: () => Promise.resolve(waiting), heardAfterMs, isToAny },
      'acme',
    )

  it('a provider with the last route of a product is removed only when * may have the product, or leads nowhere else', async () => {
    await add()
    await add({ code: 'other' })
    await setRoute(test.database, ROUTE)
    await setRoute(test.database, { ...ROUTE, productCode: '*', provider: 'other' })
    await enableConnection(connections, 'acme', false)
    await expect(remove()).rejects.toMatchObject({
      status: 409,
      publicText: expect.stringMatching(/^NOVA would/),
    })
    await remove(0, 0, true)
    await add()
    await setRoute(test.database, ROUTE)
    await setRoute(test.database, { ...ROUTE, provider: 'other' })
    await enableConnection(connections, 'acme', false)
    await remove()
    await add()
    await removeRoute(test.database, '*', 'other')
    await setRoute(test.database, { ...ROUTE, productCode: 'KITA' })
    await setRoute(test.database, { ...ROUTE, productCode: '*' })
    await enableConnection(connections, 'acme', false)
    await remove()
  })

  it('only when it is disabled, every node has had time to hear of it, and no payment waits for it', async () => {
    await add()
    await setRoute(test.database, ROUTE)
    await expect(remove()).rejects.toMatchObject({ status: 409 })
    await enableConnection(connections, 'acme', false)
    await expect(remove(0, 60_000)).rejects.toMatchObject({ status: 409 })
    await expect(remove(3)).rejects.toMatchObject({ status: 409, publicText: expect.stringContaining('3') })
    await remove()
    expect(await listConnections(test.database)).toEqual([])
    expect(await listRoutes(test.database)).toEqual([])
  })
})

const ROUTE = {
  productCode: 'NOVA',
  provider: 'acme',
  priority: 2,
  weight: 30,
  cost: '97.5%',
  windows: ['mon-fri 08:00-22:30', 'sat,sun 22:00-02:00'],
  isEnabled: true,
}

describe('a route', () => {
  it('is set, replaced and removed', async () => {
    await add()
    const saved = await setRoute(test.database, ROUTE)
    expect(saved).toEqual({
      productCode: 'NOVA',
      provider: 'acme',
      priority: 2,
      weight: 30,
      cost: { kind: 'percentage', value: 9_750n },
      windows: [
        { days: [1, 2, 3, 4, 5], fromMinute: 480, toMinute: 1_350 },
        { days: [6, 7], fromMinute: 1_320, toMinute: 120 },
      ],
      isEnabled: true,
    })
    expect(await listRoutes(test.database)).toEqual([saved])
    await setRoute(test.database, { ...ROUTE, weight: null, cost: '0.50', windows: [] })
    expect(await listRoutes(test.database, { productCode: 'NOVA' })).toEqual([
      { ...saved, weight: null, cost: { kind: 'fixed', value: 5_000n }, windows: [] },
    ])
    expect(await listRoutes(test.database, { provider: 'other' })).toEqual([])
    await removeRoute(test.database, 'NOVA', 'acme')
    await expect(removeRoute(test.database, 'NOVA', 'acme')).rejects.toMatchObject({ status: 404 })
  })

  it('a route that is the last of its product is removed only when * may have the product, or there is no *', async () => {
    await add()
    await add({ code: 'other' })
    await setRoute(test.database, ROUTE)
    await setRoute(test.database, { ...ROUTE, provider: 'other' })
    await setRoute(test.database, { ...ROUTE, productCode: '*' })
    await removeRoute(test.database, 'NOVA', 'other')
    await expect(removeRoute(test.database, 'NOVA', 'acme')).rejects.toMatchObject({
      status: 409,
      publicText: expect.stringContaining('--to-any'),
    })
    expect(await listRoutes(test.database, { productCode: 'NOVA' })).toHaveLength(1)
    await removeRoute(test.database, 'NOVA', 'acme', { isToAny: true })
    await removeRoute(test.database, '*', 'acme')
    await setRoute(test.database, ROUTE)
    await removeRoute(test.database, 'NOVA', 'acme')
  })

  it.each([
    ['to nobody', { provider: 'nobody' }, 404],
    ['without a priority', { priority: Number.NaN }, 400],
    ['with a weight that is none', { weight: 1_001 }, 400],
    ['with a cost that is none', { cost: '97,5%' }, 400],
    ['with a cost that nobody can pay', { cost: '999999999999999' }, 400],
    ['with a day that is none', { windows: ['mo 08:00-09:00'] }, 400],
    ['with a time that is none', { windows: ['08:00-24:01'] }, 400],
    ['of a product that is none', { productCode: 'NO VA' }, 400],
  ])('%s is refused', async (_, change, status) => {
    await add()
    await expect(setRoute(test.database, { ...ROUTE, ...change })).rejects.toMatchObject({ status })
    expect(await listRoutes(test.database)).toEqual([])
  })
})
