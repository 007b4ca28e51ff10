import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf, from, newAddress, readBalance, TRUST_TEST_PROXY, untilAnswered } from '../clients.ts'
import type { TestReseller } from '../edge.ts'
import { balanceOf, createReseller } from '../edge.ts'
import { credentialsOf, send } from '../http.ts'
import { launch } from '../process.ts'
import type { Service, ServiceProcess, TestDatabase } from '../service.ts'
import {
  createDatabase,
  environmentOf,
  makeDirectory,
  newMasterKey,
  startService,
  stopServices,
  untilReady,
} from '../service.ts'
import type { Credentials } from '../signing.ts'
import { freshNonce, signRequest } from '../signing.ts'
import { balanceByToken, createUser, getTokens } from '../tokens.ts'

const RATE_LIMIT = 30

let database: TestDatabase
let masterKey: string
let dataDirs: [string, string]
let first: ServiceProcess
let second: ServiceProcess

function startNode(index: 0 | 1): Promise<ServiceProcess> {
  return startService({
    database,
    masterKey,
    dataDir: dataDirs[index],
    // Addresses that tests make up are counted. The tests' own address is not, because it polls a lot.
    environment: {
      ...TRUST_TEST_PROXY,
      WARUNG_RATE_LIMIT: String(RATE_LIMIT),
      WARUNG_RATE_EXEMPT: '127.0.0.1',
    },
  })
}

/** Starts both at once, so that they race for the schema, the first keys and the demo data. */
async function startBoth(): Promise<void> {
  ;[first, second] = await Promise.all([startNode(0), startNode(1)])
}

beforeAll(async () => {
  database = await createDatabase()
  masterKey = newMasterKey()
  dataDirs = [await makeDirectory(), await makeDirectory()]
  await startBoth()
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

/** Sends the exact same request, signature included, to a node. */
function replay(service: Service, credentials: Credentials, nonce: string) {
  const headers = { ...signRequest({ ...credentials, method: 'GET', nonce }) }
  return send({ baseUrl: service.baseUrl, path: '/v2/balance', headers })
}

/** Waits for both nodes, within the 5 seconds that a change of an account may take. */
async function untilBoth(credentials: Credentials, status: number, error?: string): Promise<void> {
  await Promise.all(
    [first, second].map((node) => untilAnswered(() => balanceOf(node, credentials), status, error)),
  )
}

async function onBoth(credentials: Credentials): Promise<number[]> {
  const answers = await Promise.all([first, second].map((node) => balanceOf(node, credentials)))
  return answers.map((answer) => answer.status)
}

type NewKey = { key: string; signing_secret: string }

async function rotate(account: string, old: Credentials, ...options: string[]): Promise<Credentials> {
  const key = ['--reseller', account, '--key', old.apiKey]
  const made = await first.warungd<NewKey>('key', 'rotate', ...key, ...options)
  return { apiKey: made.key, secretBase64: made.signing_secret }
}

function askAs(service: Service, address: string) {
  return send({ baseUrl: service.baseUrl, path: '/v2/balance', headers: from(address) })
}

const spentNonce = freshNonce()
const blockedAddress = newAddress()
let revoked: TestReseller
let kept: TestReseller
let tokens: string[]

describe('two nodes on one database', () => {
  it('give credentials that work on both, each its own, without breaking the other’s', async () => {
    const accounts = first.demo.resellers.map((each) => each.account)
    expect(second.demo.resellers.map((each) => each.account)).toEqual(accounts)
    for (const reseller of [...first.demo.resellers, ...second.demo.resellers]) {
      await untilBoth(credentialsOf(reseller), 200)
      expect(await readBalance(first, credentialsOf(reseller))).toBeGreaterThan(100_000)
      for (const node of [first, second]) {
        const { IdToken } = await getTokens(node, reseller)
        expect((await balanceByToken(node, IdToken)).status).toBe(200)
      }
    }
  })

  it('refuse a nonce that the other has seen', async () => {
    kept = await createReseller(first)
    await untilBoth(kept, 200)
    expect((await replay(first, kept, spentNonce)).status).toBe(200)
    for (const node of [second, first]) {
      const again = await replay(node, kept, spentNonce)
      expect(again.status).toBe(401)
      expect(errorOf(again)).toBe('nonce_reused')
    }
  })

  it('let exactly one of several through that bring the same nonce at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const nonce = freshNonce()
      const answers = await Promise.all(
        [first, second, first, second].map((node) => replay(node, kept, nonce)),
      )
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401, 401, 401])
    }
  })

  it('both stop taking a revoked key within 5 seconds', async () => {
    revoked = await createReseller(first)
    await untilBoth(revoked, 200)
    await second.warungd('key', 'revoke', '--reseller', revoked.account, '--key', revoked.apiKey)
    await untilBoth(revoked, 401, 'invalid_api_key')
  })

  it('both take the old and the new key while the grace of a rotation lasts', async () => {
    const old = await createReseller(second)
    await untilBoth(old, 200)
    const fresh = await rotate(old.account, old, '--grace-seconds', '3600')
    await untilBoth(fresh, 200)
    expect(await onBoth(old)).toEqual([200, 200])
  })

  it('both stop taking the old key when the grace is over', async () => {
    const old = await createReseller(second)
    await untilBoth(old, 200)
    const fresh = await rotate(old.account, old, '--grace-seconds', '1')
    await untilBoth(old, 401, 'invalid_api_key')
    await untilBoth(fresh, 200)
  })

  it('both stop taking the old key of a rotation without grace', async () => {
    const old = await createReseller(second)
    await untilBoth(old, 200)
    const fresh = await rotate(old.account, old)
    await untilBoth(old, 401, 'invalid_api_key')
    await untilBoth(fresh, 200)
  })

  it('both block an address that exceeded the limit on one of them', async () => {
    for (let count = 0; count < RATE_LIMIT; count += 1) {
      expect((await askAs(first, blockedAddress)).status).toBe(401)
    }
    const answers = [
      await askAs(first, blockedAddress),
      await untilAnswered(() => askAs(second, blockedAddress), 403, 'ip_blocked'),
      // A right signature does not help.
      await balanceOf(second, kept, { headers: from(blockedAddress) }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(403)
      expect(errorOf(answer)).toBe('ip_blocked')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(239 * 60)
    }
    expect((await askAs(second, newAddress())).status).toBe(401)
  })

  it('count an address’s requests together, and both let it in again when an operator says so', async () => {
    const address = newAddress()
    for (let count = 0; count <= RATE_LIMIT / 2; count += 1) {
      await askAs(first, address)
      await askAs(second, address)
    }
    const untilEach = (status: number, error: string) =>
      Promise.all([first, second].map((node) => untilAnswered(() => askAs(node, address), status, error)))
    await untilEach(403, 'ip_blocked')
    await second.warungd('block', 'lift', '--address', address)
    await untilEach(401, 'unauthorized')
  })

  it('accept each other’s tokens, also those signed by a new key and those of the key before', async () => {
    const user = await createUser(first)
    const before = await Promise.all([getTokens(first, user), getTokens(second, user)])
    const { kid } = await second.warungd<{ kid: string }>('token-key', 'rotate')
    expect(kid).toMatch(/^[\w-]{43}$/)
    // A node that starts now signs with the new key; the others may use the old one for a minute.
    await second.stop()
    second = await startNode(1)
    const after = await Promise.all([getTokens(first, user), getTokens(second, user)])
    tokens = [...before, ...after].map((each) => each.IdToken)
    expect(decodeProtectedHeader(tokens[3] ?? '').kid).toBe(kid)
    for (const node of [first, second]) {
      for (const token of tokens) expect((await balanceByToken(node, token)).status).toBe(200)
    }
  })

  it('remember all of it after kill -9 of both', async () => {
    await Promise.all([first.kill9(), second.kill9()])
    await startBoth()
    for (const node of [first, second]) {
      expect(errorOf(await replay(node, kept, spentNonce))).toBe('nonce_reused')
      expect(errorOf(await balanceOf(node, revoked))).toBe('invalid_api_key')
      expect(errorOf(await askAs(node, blockedAddress))).toBe('ip_blocked')
      expect((await balanceOf(node, kept)).status).toBe(200)
      for (const token of tokens) expect((await balanceByToken(node, token)).status).toBe(200)
    }
  })

  it('keep their demo credentials over a restart', async () => {
    const before = [first.demo, second.demo].map((demo) => demo.resellers)
    await Promise.all([first.stop(), second.stop()])
    await startBoth()
    expect([first.demo, second.demo].map((demo) => demo.resellers)).toEqual(before)
  })

  it('go on when the database cuts every connection: they open others, and still learn of changes', async () => {
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
                  where datname = current_database() and application_name like 'warungd%'`
    expect((await database.query(cut)).rowCount).toBeGreaterThan(1)
    await untilBoth(kept, 200)
    await second.warungd('key', 'revoke', '--reseller', kept.account, '--key', kept.apiKey)
    await untilBoth(kept, 401, 'invalid_api_key')
  })

  it('start also when the demo has no room for another node’s credentials', async () => {
    await database.query(
      `insert into api_keys (reseller_id, key, label, scopes)
       select id, 'wk_stg_' || md5(random()::text), 'demo', '{read}' from resellers, generate_series(1, 60)`,
    )
    const started = launch(environmentOf({ database, masterKey }, await makeDirectory()))
    const baseUrl = await untilReady(started)
    expect(started.output()).toContain('no demo credentials for this node')
    expect((await balanceOf({ baseUrl }, first.credentials)).status).toBe(200)
  })

  it('stop when told to, even while the database holds a request up', async () => {
    const environment = { WARUNG_REQUEST_TIMEOUT_SECONDS: '1' }
    const node = await startService({ database, masterKey, dataDir: dataDirs[0], environment })
    await database.query('begin')
    await database.query('lock table wallets in access exclusive mode')
    expect((await balanceOf(node, node.credentials)).status).toBe(504)
    expect(await node.stop()).toBe(0)
    await database.query('rollback')
  })
})
