import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import type { Database } from '../db/database.ts'
import { MACHINE } from '../lib/secrets/hash-turns.ts'
import { verifyPassword } from '../lib/secrets/passwords.ts'
import { listApiKeys, revokeApiKey } from '../modules/accounts/keys.service.ts'
import { findApiKeyByKey } from '../modules/accounts/keys.sql.ts'
import {
  createReseller,
  findLogin,
  getReseller,
  listResellers,
  listUsers,
} from '../modules/accounts/service.ts'
import { listBalances } from '../modules/wallet/balance/sql.ts'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import type { DemoCredentials } from './credentials.ts'
import type { DemoRuntime } from './seed.ts'
import { prepareDemo } from './seed.ts'

let test: TestDatabase
let dataDir: string
const addresses = { baseUrl: 'http://127.0.0.1:3000', dashboardUrl: 'http://127.0.0.1:3000/' }

beforeEach(async () => {
  test = await openTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'warung-demo-'))
})

afterEach(async () => {
  await test.close()
  await rm(dataDir, { recursive: true, force: true })
})

type GroundOptions = { shared?: boolean; production?: boolean; directory?: string; database?: Database }

function ground(options: GroundOptions = {}): DemoRuntime {
  const config = readConfig({ WARUNG_DATA_DIR: options.directory ?? dataDir })
  return {
    config: {
      ...config,
      environment: options.production ? 'production' : 'staging',
      demo: options.production ? 'none' : 'accounts',
      database: options.shared ? { kind: 'external', url: test.url } : { kind: 'embedded' },
    },
    database: options.database ?? test.database,
    vault: test.vault,
  }
}

async function readFileOf(directory = dataDir): Promise<DemoCredentials> {
  return JSON.parse(await readFile(join(directory, 'demo.json'), 'utf8'))
}

/**
 * Expects that the file's credentials work in the database: keys by their sealed secret, people by their
 * password.
 */
async function expectToWork(credentials: DemoCredentials): Promise<void> {
  for (const each of credentials.resellers) {
    const reseller = await getReseller(test.database, each.account)
    const key = await findApiKeyByKey(test.database, reseller.id, each.api_key)
    expect(key?.state).toBe('active')
    const { rows } = await test.database.query<{ sealed_secret: Buffer }>(
      'select sealed_secret from api_keys where key = $1',
      [each.api_key],
    )
    const secret = test.vault.open(`api_key:${each.api_key}`, rows[0]?.sealed_secret ?? Buffer.alloc(0))
    expect(secret.toString('base64')).toBe(each.signing_secret)
    const login = await findLogin(test.database, each.username)
    expect(login?.resellerId).toBe(reseller.id)
    expect(await verifyPassword(login?.passwordHash ?? '', each.password, MACHINE)).toBe(true)
  }
  const { rows } = await test.database.query<{ password_hash: string }>(
    'select password_hash from operators where email = $1',
    [credentials.operator.email],
  )
  expect(await verifyPassword(rows[0]?.password_hash ?? '', credentials.operator.password, MACHINE)).toBe(
    true,
  )
}

it('an empty database gets two resellers with money, people and keys, and a file that opens them', async () => {
  const demo = await prepareDemo(ground(), addresses)
  const file = await readFileOf()
  expect(demo).toEqual({ path: join(dataDir, 'demo.json'), credentials: file })
  expect(Object.keys(file)).toEqual(['base_url', 'dashboard_url', 'environment', 'operator', 'resellers'])
  expect(Object.keys(file.resellers[0] ?? {})).toEqual([
    'account',
    'name',
    'api_key',
    'signing_secret',
    'username',
    'password',
  ])
  expect(file).toMatchObject({
    base_url: addresses.baseUrl,
    dashboard_url: addresses.dashboardUrl,
    environment: 'staging',
  })
  expect((await stat(join(dataDir, 'demo.json'))).mode & 0o777).toBe(0o600)
  await expectToWork(file)

  const resellers = await listResellers(test.database, { limit: 10 })
  expect(resellers.map((each) => each.name)).toEqual(file.resellers.map((each) => each.name))
  expect(new Set(resellers.map((each) => each.priceLevel)).size).toBe(2)
  const balances = await listBalances(
    test.database,
    resellers.map((each) => each.id),
  )
  const [first, second] = resellers.map((each) => balances.get(each.id) ?? 0n)
  expect([first, second]).toEqual([1_250_000_0000n, 150_000_0000n])
  expect((await test.database.query('select from payments')).rowCount).toBe(0)
  for (const { id } of resellers) {
    const roles = (await listUsers(test.database, id)).map((user) => user.role)
    expect(roles.sort()).toEqual(['admin', 'viewer'])
  }
})

it('a later start changes the addresses in the file and nothing else', async () => {
  await prepareDemo(ground(), addresses)
  const before = await readFileOf()
  await prepareDemo(ground(), { baseUrl: 'http://127.0.0.1:4000', dashboardUrl: 'http://127.0.0.1:4001/' })
  expect(await readFileOf()).toEqual({
    ...before,
    base_url: 'http://127.0.0.1:4000',
    dashboard_url: 'http://127.0.0.1:4001/',
  })
  await expectToWork(before)
})

it('a demo key that was revoked on purpose stays revoked and stays in the file', async () => {
  await prepareDemo(ground(), addresses)
  const before = await readFileOf()
  const [first] = await listResellers(test.database, { limit: 1 })
  const [key] = await listApiKeys(test.database, first?.id ?? 0n)
  const accounts = { database: test.database, vault: test.vault, environment: 'staging' as const }
  await revokeApiKey(accounts, first?.id ?? 0n, key?.id ?? 0n)
  await prepareDemo(ground(), addresses)
  expect(await readFileOf()).toEqual(before)
  expect(await listApiKeys(test.database, first?.id ?? 0n)).toHaveLength(1)
})

it('a start killed between the commit and the file ends with a working file at the next start', async () => {
  await prepareDemo(ground(), addresses)
  const before = await readFileOf()
  await rename(join(dataDir, 'demo.json'), join(dataDir, 'demo.json.new'))
  await prepareDemo(ground(), addresses)
  expect(await readFileOf()).toEqual(before)
  await expect(stat(join(dataDir, 'demo.json.new'))).rejects.toThrow('ENOENT')
})

it('a start killed before the commit leaves an empty database, which the next start seeds anew', async () => {
  const failing: Database = {
    ...test.database,
    transaction: (work) =>
      test.database.transaction(async (tx) => {
        await work(tx)
        throw new Error('killed before the commit')
      }),
  }
  await expect(prepareDemo(ground({ database: failing }), addresses)).rejects.toThrow('killed')
  await expect(stat(join(dataDir, 'demo.json'))).rejects.toThrow('ENOENT')
  expect((await stat(join(dataDir, 'demo.json.new'))).mode & 0o777).toBe(0o600)
  await prepareDemo(ground(), addresses)
  await expectToWork(await readFileOf())
  expect(await listResellers(test.database, { limit: 10 })).toHaveLength(2)
})

it.each(['gone', 'unreadable'])(
  'beside the embedded database a file that is %s is replaced and its content ends',
  async (how) => {
    await prepareDemo(ground(), addresses)
    const before = await readFileOf()
    const path = join(dataDir, 'demo.json')
    await (how === 'gone' ? rm(path) : writeFile(path, '{"resellers": [}'))
    await prepareDemo(ground(), addresses)
    const after = await readFileOf()
    await expectToWork(after)
    expect(after.resellers.map((each) => each.account)).toEqual(before.resellers.map((each) => each.account))
    for (const each of before.resellers) {
      const reseller = await getReseller(test.database, each.account)
      expect((await findApiKeyByKey(test.database, reseller.id, each.api_key))?.state).toBe('revoked')
      const login = await findLogin(test.database, each.username)
      expect(await verifyPassword(login?.passwordHash ?? '', each.password, MACHINE)).toBe(false)
    }
  },
)

it('a second node on a shared database gets credentials of its own, and the first node keeps its own', async () => {
  const another = await mkdtemp(join(tmpdir(), 'warung-demo-'))
  try {
    await prepareDemo(ground({ shared: true }), addresses)
    await prepareDemo(ground({ shared: true, directory: another }), addresses)
    const [first, second] = [await readFileOf(), await readFileOf(another)]
    expect(second.resellers.map((each) => each.account)).toEqual(first.resellers.map((each) => each.account))
    expect(second.resellers[0]?.api_key).not.toBe(first.resellers[0]?.api_key)
    await expectToWork(first)
    await expectToWork(second)
  } finally {
    await rm(another, { recursive: true, force: true })
  }
})

it('two nodes that meet an empty database at once: one seeds it, and both end with working files', async () => {
  const another = await mkdtemp(join(tmpdir(), 'warung-demo-'))
  try {
    await Promise.all([
      prepareDemo(ground({ shared: true }), addresses),
      prepareDemo(ground({ shared: true, directory: another, database: test.openAnother() }), addresses),
    ])
    expect(await listResellers(test.database, { limit: 10 })).toHaveLength(2)
    await expectToWork(await readFileOf())
    await expectToWork(await readFileOf(another))
  } finally {
    await rm(another, { recursive: true, force: true })
  }
})

it('production seeds nothing and writes nothing', async () => {
  expect(await prepareDemo(ground({ production: true }), addresses)).toBeUndefined()
  expect(await listResellers(test.database, { limit: 10 })).toEqual([])
  await expect(stat(join(dataDir, 'demo.json'))).rejects.toThrow('ENOENT')
})

it('a database with resellers of its own gets no demo', async () => {
  await createReseller(
    { database: test.database, vault: test.vault, environment: 'staging' },
    { name: 'Kedai Sendiri', email: 'sendiri@example.com', priceLevel: 'STANDARD' },
  )
  expect(await prepareDemo(ground(), addresses)).toBeUndefined()
  expect(await listResellers(test.database, { limit: 10 })).toHaveLength(1)
  await expect(stat(join(dataDir, 'demo.json'))).rejects.toThrow('ENOENT')
})
