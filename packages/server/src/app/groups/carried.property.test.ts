import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isWrittenOnce, readCarried } from '../../db/carried.ts'
import type { Database, Tx } from '../../db/database.ts'
import { openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { openVault } from '../../db/vault.ts'
import { applyBase } from '../../modules/catalog/edit/base.service.ts'
import type { WholesalePrice } from '../../modules/catalog/model/types.ts'
import type { Connections } from '../../modules/providers/connections/connections.service.ts'
import {
  addConnection,
  changeConnection,
  openSecrets,
} from '../../modules/providers/connections/connections.service.ts'
import { listConnectionRows } from '../../modules/providers/connections/connections.sql.ts'
import { removeRoute, setRoute } from '../../modules/providers/connections/routing.service.ts'
import { PERCENTAGE, sampleOption, sampleProduct } from '../../testing/catalog/catalog-samples.ts'
import { BASE, FIXED } from '../../testing/catalog/catalog-store.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { kindsOf, scriptedKind } from '../../testing/providers/connector-kinds.ts'
import { CARRIED, OWN } from './carried.rules.ts'
import type { CarryPlace } from './carried.service.ts'
import { carry } from './carried.service.ts'

// Catalogue, prices and suppliers are written in the first group and carried to "east", a schema of the same database.

const ADDRESS = 'https://first.example'

let test: TestDatabase
let first: CarryPlace
let east: CarryPlace
let connections: Connections & { countUnfinished: () => Promise<number> }

beforeAll(async () => {
  test = await openTestDatabase()
  const database = openDatabase({ ...test.database.options, schema: 'east' })
  await migrate(database)
  first = test
  east = { database, vault: await openVault(database, [test.masterKey]) }
  connections = { ...test, kinds: kindsOf(scriptedKind()), countUnfinished: async () => 0 }
  await applyBase(first.database, BASE, 'seed')
  await addConnection(connections, {
    code: 'acme',
    kind: 'scripted',
    name: 'Acme',
    config: { url: 'https://acme.example' },
  })
  await carry(first, east, ADDRESS)
})
afterAll(async () => {
  await east.database.close()
  await test.close()
})

function route(provider: string, productCode: string, priority: number) {
  const usual = { weight: 100, cost: null, windows: [], isEnabled: true }
  return setRoute(first.database, { provider, productCode, priority, ...usual })
}

/** Columns of which each group has its own: when the catalogue was written here, and how a secret is sealed here. */
const OF_EACH = ['sealed_secrets', 'access_updated_at', 'password_hash']

async function rowsOf({ database }: CarryPlace): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {}
  for (const { name, owner } of CARRIED) {
    const without = [...OF_EACH, ...(owner === 'catalog' ? ['version'] : [])]
    // A translation that was taken back before it was carried has no row where it never was.
    const isThere = name === 'catalog_texts' ? 'where said is not null' : ''
    const { rows } = await database.query<{ row: unknown }>(
      `select to_jsonb(t) - $1::text[] as row from ${name} t ${isThere} order by (to_jsonb(t) - $1::text[])::text`,
      [without],
    )
    tables[name] = rows.map(({ row }) => row)
  }
  return tables
}

async function secretsOf({ database, vault }: CarryPlace) {
  const rows = await listConnectionRows(database)
  return Promise.all(rows.map(async (row) => [row.code, await openSecrets(vault, row)]))
}

async function expectSame(): Promise<void> {
  expect(await rowsOf(east)).toEqual(await rowsOf(first))
  expect(await secretsOf(east)).toEqual(await secretsOf(first))
}

// ── Changes in the first group ──

const name = fc
  .string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'abcdefg ') })
  .map((text) => `N${text}`)
const product = fc.constantFrom('NOVA', 'KITA', 'P1', 'P2')
const level = fc.constantFrom('STANDARD', 'GOLD')
const supplier = fc.constantFrom('acme', 'bolt', 'coal')
const price = fc.constantFrom<WholesalePrice | null>(null, PERCENTAGE, {
  ...PERCENTAGE,
  unitPrice: 97_000_000n,
})

type Change = () => Promise<unknown>
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(product, name, fc.boolean()).map(
    ([code, text, isActive]) =>
      () =>
        applyBase(first.database, { products: [sampleProduct({ code, name: text, isActive })] }, 'a change'),
  ),
  fc.tuple(level, fc.constantFrom('NOVA', 'KITA'), price).map(
    ([levelCode, productCode, given]) =>
      () =>
        applyBase(first.database, { prices: [{ levelCode, productCode, price: given }] }, 'a price'),
  ),
  fc.tuple(name, fc.boolean()).map(
    ([label, isActive]) =>
      () =>
        applyBase(first.database, { options: [sampleOption({ label, isActive })] }, 'an option'),
  ),
  fc.tuple(product, fc.option(name)).map(
    ([text, said]) =>
      () =>
        applyBase(first.database, { texts: [{ language: 'ms', text, said }] }, 'a text'),
  ),
  name.map((text) => () => applyBase(first.database, { levels: [{ code: 'GOLD', name: text }] }, 'a level')),
  fc.tuple(supplier, name, fc.boolean()).map(([code, text, isEnabled]) => async () => {
    const secrets = { password: `secret ${text}` }
    const given = { code, kind: 'scripted', name: text, config: { url: `https://${code}.example` }, secrets }
    await addConnection(connections, given).catch(() =>
      changeConnection(connections, code, { name: text, secrets, isEnabled }),
    )
  }),
  fc.tuple(supplier, fc.constantFrom('*', 'NOVA'), fc.integer({ min: 1, max: 9 })).map(
    ([provider, productCode, priority]) =>
      () =>
        route(provider, productCode, priority).catch(() => {}),
  ),
  supplier.map((code) => () => removeRoute(first.database, 'NOVA', code, { isToAny: true }).catch(() => {})),
  fc.bigInt({ min: 1n, max: 2n ** 62n }).map(
    (most) => () =>
      first.database.query(
        `insert into level_limits (price_level, scope, period, category, payments, face_value)
       values ('GOLD', 'reseller', 'day', '', 5, $1)
       on conflict (price_level, scope, period, category) do update set face_value = excluded.face_value`,
        [most],
      ),
  ),
  fc.constant(() => first.database.query('delete from level_limits')),
  fc.tuple(supplier, fc.constantFrom('admin', 'support'), fc.constantFrom('active', 'disabled')).map(
    ([who, role, status]) =>
      () =>
        first.database.query(
          `insert into operators (email, name, password_hash, role, status) values ($1, $1, 'secret', $2, $3)
           on conflict (email) do update set role = excluded.role, status = excluded.status`,
          [who, role, status],
        ),
  ),
  fc.integer({ min: 1, max: 99_999_999 }).map(
    (units) => () =>
      first.database.query(
        `insert into currency_rates (currency, rate, from_at, reason, set_by)
       values ('IDR', $1::numeric / 100000000, clock_timestamp(), 'a rate', 'somebody')`,
        [units],
      ),
  ),
  name.map(
    (text) => () =>
      first.database.query(
        `insert into number_plans (country, plan, version)
       select 'MY', jsonb_build_object('name', $1::text), coalesce(max(version), 0) + 1 from number_plans
       on conflict (country) do update set plan = excluded.plan, version = excluded.version`,
        [text],
      ),
  ),
  name.map(
    (text) => () =>
      first.database.query(
        `insert into network_notices (target_kind, target_code, message, starts_at, stops_payments, created_by)
       values ('product', 'NOVA', $1, now(), false, 'somebody')`,
        [text],
      ),
  ),
  fc.constant(() =>
    first.database.query('update network_notices set ended_at = now() where ended_at is null'),
  ),
)

describe('the data that is written in the first group', () => {
  it('is the same in every other one, row by row and secret by secret, whatever changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        for (const make of changes) await make()
        const state = await carry(first, east, ADDRESS)
        await expectSame()
        const { rows } = await east.database.query(`select from operators where password_hash <> '!'`)
        expect(rows).toEqual([])
        expect(state?.version).toBe((await readCarried(first.database)).version)
      }),
      { numRuns: 8 },
    )
  })

  it('arrives whole or not at all, wherever the work ends', async () => {
    let isBroken = true
    for (let step = 0; isBroken; step += 1 + Math.floor(step / 6)) {
      await applyBase(
        first.database,
        { prices: [{ levelCode: 'GOLD', productCode: 'NOVA', price: null }] },
        'off',
      )
      await carry(first, east, ADDRESS)
      const before = await rowsOf(east)
      await applyBase(
        first.database,
        { prices: [{ levelCode: 'GOLD', productCode: 'NOVA', price: FIXED }] },
        'on',
      )
      await applyBase(first.database, { products: [sampleProduct({ name: `Step ${step}` })] }, 'a name')
      await first.database.query('delete from level_limits')
      await route('acme', 'KITA', 1 + (step % 9))
      isBroken = await carry(first, { ...east, database: brokenBefore(step) }, ADDRESS).then(
        () => false,
        () => true,
      )
      if (isBroken) expect(await rowsOf(east)).toEqual(before)
      else await expectSame()
    }
  })

  it('is refused in another group, and the refusal names the first one', async () => {
    const refusal = (promise: Promise<unknown>) =>
      promise.then(
        () => undefined,
        (error: unknown) => error,
      )
    const errors = [
      await refusal(applyBase(east.database, { levels: [{ code: 'NEW', name: 'New' }] }, 'here')),
      await refusal(east.database.query('update provider_connections set is_enabled = false')),
      await refusal(east.database.query('delete from level_limits')),
    ]
    for (const error of errors) {
      expect(isWrittenOnce(error)).toBe(true)
      expect(String(error)).toContain(ADDRESS)
    }
    await expectSame()
  })

  it('stays and is switched off where a group has more than the first one', async () => {
    await writeIn(east, async (tx) => {
      await tx.query(`insert into provider_connections (code, kind, name, is_enabled, config, version, created_at, updated_at)
                      values ('own', 'scripted', 'Own', true, '{}', 1, now(), now())`)
    })
    await addConnection(connections, {
      code: 'more',
      kind: 'scripted',
      name: 'More',
      config: { url: 'https://m.example' },
    })
    await carry(first, east, ADDRESS)
    const { rows } = await east.database.query(
      'select code, is_enabled from provider_connections order by code',
    )
    expect(rows).toContainEqual({ code: 'own', is_enabled: false })
    expect(rows).toContainEqual({ code: 'more', is_enabled: true })
    await writeIn(
      east,
      async (tx) => void (await tx.query(`delete from provider_connections where code = 'own'`)),
    )
  })

  it('a supplier that leads to another account waits for the payments that only the present one knows', async () => {
    await carry(first, east, ADDRESS)
    await east.database.query(
      `insert into payment_open_attempts (reseller_id, payment_id, attempt, provider, submitted_at, next_at, is_leased, lease)
       values (1, 1, 1, 'more', now(), now(), false, 1)`,
    )
    const other = { config: { url: 'https://other.example' } }
    await changeConnection(connections, 'more', other)
    await expect(carry(first, east, ADDRESS)).rejects.toThrow('more has 1 unfinished')
    expect(await readCarried(east.database)).toMatchObject({ trouble: expect.stringContaining('more') })
    await east.database.query('delete from payment_open_attempts')
    expect(await carry(first, east, ADDRESS)).toMatchObject({ trouble: null })
    await expectSame()
    // The same account with another password may be needed for these very payments.
    await east.database.query(
      `insert into payment_open_attempts (reseller_id, payment_id, attempt, provider, submitted_at, next_at, is_leased, lease)
       values (1, 1, 1, 'more', now(), now(), false, 1)`,
    )
    await changeConnection(connections, 'more', { secrets: { password: 'another' }, isSameSupplier: true })
    await carry(first, east, ADDRESS)
    await expectSame()
  })
})

describe('every table', () => {
  const schema = readFileSync(new URL('../../../schema.sql', import.meta.url), 'utf8')
  const owned = [...schema.matchAll(/^-- ── (\w+) ──$|^create (?:unlogged )?table (\w+)/gm)].reduce(
    ({ owner, tables }, [, begun, table]) =>
      begun === undefined ? { owner, tables: [...tables, `${owner} ${table}`] } : { owner: begun, tables },
    { owner: '', tables: [] as string[] },
  ).tables

  it('is named as carried or as a group’s own, under its owner', () => {
    const named = [
      ...CARRIED.map(({ name: table, owner }) => `${owner} ${table}`),
      ...Object.entries(OWN).flatMap(([owner, tables]) => tables.map((table) => `${owner} ${table}`)),
    ]
    expect(named.sort()).toEqual([...owned].sort())
  })

  it('refuses to be written in a further group if it is carried, and else does not', async () => {
    const { rows } = await east.database.query<{ name: string }>(
      `select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where t.tgname = 'written_once' and c.relnamespace = current_schema()::regnamespace order by c.relname`,
    )
    expect(rows.map((row) => row.name)).toEqual(CARRIED.map((table) => table.name).sort())
  })
})

async function writeIn({ database }: CarryPlace, work: (tx: Tx) => Promise<void>): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(`select set_config('warung.carries', 'on', true)`)
    await work(tx)
  })
}

/** Database whose transaction breaks before the statement with this number. */
function brokenBefore(statements: number): Database {
  return {
    ...east.database,
    transaction: (work, limits) =>
      east.database.transaction((tx) => {
        let left = statements
        const query: Tx['query'] = async (statement, values) => {
          if (left === 0) throw new Error('the process ended')
          left -= 1
          return tx.query(statement, values)
        }
        return work({ ...tx, query })
      }, limits),
  }
}
