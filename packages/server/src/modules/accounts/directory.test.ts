import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../db/database.ts'
import { addDataKey, openVault } from '../../db/vault.ts'
import { createHmacKey } from '../../lib/secrets/hmac.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import type { DirectoryOptions } from './directory.ts'
import { openDirectory } from './directory.ts'
import { allowNetworks, clearAllowlist, createApiKey, revokeApiKey, rotateApiKey } from './keys.service.ts'
import type { Accounts } from './service.ts'
import { createReseller, createUser, updateReseller, updateUser } from './service.ts'
import type { Directory, Reseller } from './types.ts'

// Long enough that only a notification or a call can refresh the view within a test.
const NEVER_MS = 1_000_000

let test: TestDatabase
let accounts: Accounts
const opened: Directory[] = []

beforeAll(async () => {
  test = await openTestDatabase()
  accounts = { database: test.database, vault: test.vault, environment: 'staging' }
})

afterEach(async () => {
  await Promise.all(opened.splice(0).map((directory) => directory.close()))
})

afterAll(() => test.close())

async function open(options: Partial<DirectoryOptions> = {}): Promise<Directory> {
  const directory = await openDirectory({
    database: test.database,
    vault: test.vault,
    environment: 'staging',
    pollMs: NEVER_MS,
    ...options,
  })
  opened.push(directory)
  return directory
}

function makeReseller(demo = false): Promise<Reseller> {
  return createReseller(accounts, {
    name: 'Kedai Peta',
    email: 'peta@example.com',
    priceLevel: 'STANDARD',
    demo,
  })
}

async function eventually(condition: () => boolean, deadlineMs = 30_000): Promise<void> {
  const givesUpAt = performance.now() + deadlineMs
  while (!condition()) {
    if (performance.now() > givesUpAt) throw new Error('the condition did not come true in time')
    await new Promise((resume) => setTimeout(resume, 5))
  }
}

function hmacKeyOf(signingSecret: string | null) {
  return createHmacKey(Buffer.from(signingSecret ?? '', 'base64'))
}

describe('the directory', () => {
  it('knows at once what was there before it opened', async () => {
    const reseller = await makeReseller()
    const key = await createApiKey(accounts, reseller.id, { scopes: ['read', 'pay'] })
    const bare = await createApiKey(accounts, reseller.id, { withoutSecret: true })
    const user = await createUser(accounts, reseller.id, {
      username: 'peta.admin',
      password: 'long enough to do',
      role: 'admin',
    })
    const directory = await open()
    const found = directory.findKey(key.key)
    expect(found).toMatchObject({ id: key.id, key: key.key, scopes: new Set(['read', 'pay']) })
    expect(found?.secret).toEqual(hmacKeyOf(key.signingSecret))
    expect(found?.reseller).toMatchObject({
      id: reseller.id,
      account: reseller.account,
      priceLevel: 'STANDARD',
    })
    expect(directory.findKey(bare.key)?.secret).toBeNull()
    expect(directory.findUser(reseller.id, user.id)).toMatchObject({ id: user.id, role: 'admin' })
    expect(directory.findUser(reseller.id + 1n, user.id)).toBeUndefined()
    expect(directory.findReseller(reseller.id)).toBe(found?.reseller)
    expect(directory.findKey('wk_stg_unknown')).toBeUndefined()
    expect(directory.ageMs()).toBeLessThan(5_000)
  })

  it('hears of a change without waiting for a poll', async () => {
    const { id } = await makeReseller()
    const directory = await open()
    const key = await createApiKey(accounts, id)
    await eventually(() => directory.findKey(key.key) !== undefined)
    await revokeApiKey(accounts, id, key.id)
    await eventually(() => directory.findKey(key.key) === undefined)
  })

  it('finds a change by polling when no notification came', async () => {
    const { id } = await makeReseller()
    const key = await createApiKey(accounts, id)
    const directory = await open({ pollMs: 50 })
    await test.database.transaction(async (tx) => {
      await tx.query('update directory_version set version = version + 1')
      await tx.query('update api_keys set revoked_at = now() where id = $1', [key.id])
      await tx.query('update resellers set version = (select version from directory_version) where id = $1', [
        id,
      ])
    })
    await eventually(() => directory.findKey(key.key) === undefined)
  })

  it('shows every change after refresh() returned', async () => {
    const { id } = await makeReseller()
    const directory = await open()
    for (let round = 0; round < 20; round += 1) {
      const name = `Kedai ${round}`
      const key = await createApiKey(accounts, id)
      await updateReseller(accounts, id, { name })
      await directory.refresh()
      expect(directory.findKey(key.key)?.reseller.name).toBe(name)
    }
  })

  it('shows suspension, settings and the allowlist through keys it already had', async () => {
    const { id } = await makeReseller()
    const { key } = await createApiKey(accounts, id)
    const directory = await open()
    expect(directory.findKey(key)?.reseller.allowsAddress('203.0.113.9')).toBe(true)

    await allowNetworks(accounts, id, { networks: ['10.0.0.0/8', '2001:db8::/32'] })
    await updateReseller(accounts, id, { status: 'suspended', access: 50, topupRequiresApiKey: true })
    await directory.refresh()
    const reseller = directory.findKey(key)?.reseller
    expect(reseller).toMatchObject({ status: 'suspended', access: 50, topupRequiresApiKey: true })
    expect(reseller?.allowsAddress('10.9.9.9')).toBe(true)
    expect(reseller?.allowsAddress('::ffff:10.9.9.9')).toBe(true)
    expect(reseller?.allowsAddress('2001:db8::5')).toBe(true)
    expect(reseller?.allowsAddress('203.0.113.9')).toBe(false)
    expect(reseller?.allowsAddress('nonsense')).toBe(false)

    await clearAllowlist(accounts, id)
    await directory.refresh()
    expect(directory.findKey(key)?.reseller.allowsAddress('203.0.113.9')).toBe(true)
  })

  it('drops a disabled user and takes it back when enabled', async () => {
    const { id } = await makeReseller()
    const user = await createUser(accounts, id, {
      username: 'on.and.off',
      password: 'long enough to do',
      role: 'viewer',
    })
    const directory = await open()
    await updateUser(accounts, id, user.id, { status: 'disabled' })
    await directory.refresh()
    expect(directory.findUser(id, user.id)).toBeUndefined()
    await updateUser(accounts, id, user.id, { status: 'active', role: 'admin' })
    await directory.refresh()
    expect(directory.findUser(id, user.id)?.role).toBe('admin')
  })

  it('stops a key at the end of its grace, with nobody changing anything', async () => {
    const { id } = await makeReseller()
    const old = await createApiKey(accounts, id)
    const directory = await open()
    const fresh = await rotateApiKey(accounts, id, old.id, { graceSeconds: 1 })
    await directory.refresh()
    expect(directory.findKey(old.key)).toBeDefined()
    expect(directory.findKey(fresh.key)).toBeDefined()
    await eventually(() => directory.findKey(old.key) === undefined)
    const { rows } = await test.database.query<{ late_ms: number }>(
      `select (extract(epoch from clock_timestamp() - expires_at) * 1000)::float8 as late_ms
       from api_keys where id = $1`,
      [old.id],
    )
    expect(rows[0]?.late_ms).toBeGreaterThan(-200)
    expect(directory.findKey(fresh.key)).toBeDefined()
  })

  it('opens secrets sealed under a data key made after it opened', async () => {
    const { id } = await makeReseller()
    const directory = await open()
    await addDataKey(test.database, test.masterKey)
    const another = test.openAnother()
    const vault = await openVault(another, [test.masterKey])
    const key = await createApiKey({ database: another, vault, environment: 'staging' }, id)
    await directory.refresh()
    expect(directory.findKey(key.key)?.secret).toEqual(hmacKeyOf(key.signingSecret))
  })

  it('leaves out a key whose secret does not open, tells it once, and serves all the others', async () => {
    const { id } = await makeReseller()
    const [broken, fine] = [await createApiKey(accounts, id), await createApiKey(accounts, id)]
    const { rows } = await test.database.query<{ sealed_secret: Buffer }>(
      'select sealed_secret from api_keys where id = $1',
      [broken.id],
    )
    const swap = (from: string) =>
      test.database.query(
        'update api_keys set sealed_secret = (select sealed_secret from api_keys where key = $2) where id = $1',
        [broken.id, from],
      )
    await swap(fine.key)

    const problems: string[] = []
    const directory = await open({ onProblem: (text) => problems.push(text) })
    expect(directory.findKey(broken.key)).toBeUndefined()
    expect(directory.findKey(fine.key)).toBeDefined()
    await directory.refresh()
    await directory.refresh()
    expect(problems).toEqual([expect.stringContaining(`API key ${broken.id}`)])
    expect(problems.join()).not.toContain(broken.key)

    await test.database.query('update api_keys set sealed_secret = $2 where id = $1', [
      broken.id,
      rows[0]?.sealed_secret,
    ])
    await directory.refresh()
    expect(directory.findKey(broken.key)).toBeDefined()
  })

  it('keeps up, and listens again, after its connection was cut', async () => {
    const { id } = await makeReseller()
    const pids: number[] = []
    const database: Database = {
      ...test.database,
      async dedicatedConnection() {
        const connection = await test.database.dedicatedConnection()
        const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid')
        pids.push(...rows.map((row) => row.pid))
        return connection
      },
    }
    const directory = await open({ database })
    expect(pids).toHaveLength(1)
    await test.database.query('select pg_terminate_backend($1)', [pids[0]])
    // The first attempt may still meet the connection that is going down.
    await directory.refresh().catch(() => directory.refresh())
    expect(pids).toHaveLength(2)
    const key = await createApiKey(accounts, id)
    await eventually(() => directory.findKey(key.key) !== undefined)
  })

  it('ages while the database does not answer, and is fresh again when it does', async () => {
    const problems: string[] = []
    const directory = await open({ pollMs: 50, onProblem: (text) => problems.push(text) })
    await test.database.transaction(async (tx) => {
      await tx.query('lock table directory_version in access exclusive mode')
      // Longer than the statement timeout: the connection was cut and the next one hangs as well.
      await eventually(() => directory.ageMs() > 2_500)
    })
    await eventually(() => directory.ageMs() < 200)
    expect(problems).toHaveLength(1)
  })

  it('knows in production neither staging keys nor the demo', async () => {
    const [reseller, demo] = [await makeReseller(), await makeReseller(true)]
    const live: Accounts = { ...accounts, environment: 'production' }
    const keys = {
      staging: await createApiKey(accounts, reseller.id),
      live: await createApiKey(live, reseller.id),
      demo: await createApiKey(live, demo.id),
    }
    const user = await createUser(accounts, demo.id, {
      username: 'demo.user',
      password: 'long enough to do',
      role: 'admin',
    })
    const production = await open({ environment: 'production' })
    expect(production.findKey(keys.live.key)).toBeDefined()
    expect(production.findKey(keys.staging.key)).toBeUndefined()
    expect(production.findKey(keys.demo.key)).toBeUndefined()
    expect(production.findUser(demo.id, user.id)).toBeUndefined()
    const staging = await open()
    expect(staging.findKey(keys.staging.key)).toBeDefined()
    expect(staging.findKey(keys.live.key)).toBeUndefined()
    expect(staging.findUser(demo.id, user.id)).toBeDefined()
  })

  it('misses nobody among more changes than one batch holds, though many share a version', async () => {
    const directory = await open()
    const { rows } = await test.database.query<{ id: bigint }>(
      `with taken as (update directory_version set version = version + 1000 returning version)
       insert into resellers (account, name, email, price_level, version)
       select '88' || lpad(each::text, 8, '0'), 'Kedai Ramai', 'ramai@example.com', 'STANDARD',
         taken.version - 999 + each / 300
       from taken, generate_series(1, 1203) as each
       returning id`,
    )
    expect(rows).toHaveLength(1_203)
    await directory.refresh()
    expect(rows.filter(({ id }) => directory.findReseller(id) === undefined)).toEqual([])
    const fresh = await open()
    expect(rows.filter(({ id }) => fresh.findReseller(id) === undefined)).toEqual([])
  })

  it('does not open on a database that cannot be read', async () => {
    const gone = test.openAnother()
    const unreachable = {
      ...gone,
      dedicatedConnection: () => Promise.reject(new Error('no server there')),
    }
    await expect(open({ database: unreachable })).rejects.toThrow('no server there')
  })

  it('is closed when close() returned: it asks nothing any more', async () => {
    const directory = await open({ pollMs: 20 })
    await directory.close()
    await expect(directory.refresh()).rejects.toThrow('closed')
  })

  // Must be last in this file: it removes the resellers of the other tests.
  it('starts over when the database was restored to an earlier day', async () => {
    const { id } = await makeReseller()
    const key = await createApiKey(accounts, id)
    const directory = await open()
    expect(directory.findKey(key.key)).toBeDefined()
    await test.database.transaction(async (tx) => {
      await tx.query('delete from api_keys where id = $1', [key.id])
      await tx.query('update directory_version set version = 1')
      await tx.query('update resellers set version = 1')
    })
    await directory.refresh()
    expect(directory.findKey(key.key)).toBeUndefined()
    expect(directory.findReseller(id)).toBeDefined()
  })
})
