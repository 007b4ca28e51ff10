import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { expect } from 'vitest'
import type { Answer, SignedInput } from './http.ts'
import { send, signed } from './http.ts'
import { launch } from './process.ts'
import type { Service, TestDatabase } from './service.ts'
import { environmentOf, makeDirectory, until, untilReady, warungd } from './service.ts'
import type { Credentials } from './signing.ts'
import { signRequest } from './signing.ts'

// Helpers of the edge tests: resellers of their own, and the bodies of all errors.

export const BALANCE = '/v2/balance'

/** Parts of a service that tests need to make resellers in it. */
export type Node = Pick<Service, 'baseUrl' | 'warungd'>

/** Starts production, which has no demo and a public address that differs from the one it listens at. */
export async function startProduction(database: TestDatabase): Promise<Node> {
  const environment = environmentOf(
    {
      database,
      environment: {
        WARUNG_ENV: 'production',
        WARUNG_TRUST_PROXY: 'none',
        WARUNG_PUBLIC_URL: 'https://api.example.com',
        WARUNG_DASHBOARD_URL: 'https://dashboard.example.com',
      },
    },
    await makeDirectory(),
  )
  const started = launch(environment)
  return {
    baseUrl: await untilReady(started),
    warungd: (...args) => warungd(environment, args),
  }
}

export type TestReseller = Credentials & { account: string; name: string }

type NewKey = { key: string; signing_secret: string }

/** Makes a reseller for the test with one key. The service knows it when this returns. */
export async function createReseller(service: Node, scopes: readonly string[] = []): Promise<TestReseller> {
  const name = `Kedai ${randomBytes(6).toString('hex')}`
  const created = ['--name', name, '--email', 'someone@example.com']
  const { account } = await service.warungd<{ account: string }>('reseller', 'create', ...created)
  return { account, name, ...(await createKey(service, account, scopes)) }
}

/** Makes another key of the reseller. The service knows it when this returns. */
export async function createKey(
  service: Node,
  account: string,
  scopes: readonly string[] = [],
): Promise<Credentials> {
  const flags = scopes.flatMap((scope) => ['--scope', scope])
  const made = await service.warungd<NewKey>('key', 'create', '--reseller', account, ...flags)
  const credentials = { apiKey: made.key, secretBase64: made.signing_secret }
  await untilKnown(service, credentials)
  return credentials
}

/** Waits until the service knows the key. Nodes learn of a change within seconds. */
export function untilKnown(service: Node, credentials: Credentials): Promise<unknown> {
  return until('the key is known', async () => {
    const { status, text } = await balanceOf(service, credentials)
    return status !== 401 || !text.includes('invalid_api_key')
  })
}

export function balanceOf(
  service: Pick<Node, 'baseUrl'>,
  credentials: Credentials,
  input: Partial<SignedInput> = {},
): Promise<Answer> {
  return signed(service.baseUrl, credentials, { path: BALANCE, ...input })
}

/**
 * Tells whether a read of balances waits for a lock. Jobs of the service may wait for the same table before it, so the
 * statement counts.
 */
export async function isBalanceWaiting(database: Pick<pg.Client, 'query'>): Promise<boolean> {
  // Inside a transaction the statements of others are shown as they were at the first look.
  await database.query('select pg_stat_clear_snapshot()')
  const { rowCount } = await database.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like 'select reseller_id, balance from wallets %'`,
  )
  return rowCount !== 0
}

/** Returns the signing headers of a GET without a query, as lines of a request written by hand. */
export function signatureLines(credentials: Credentials): string {
  return Object.entries(signRequest({ ...credentials, method: 'GET' }))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
}

/** Lists the statuses of all answers that came back on one connection. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
}

export type IssuedTokens = { AccessToken: string; IdToken: string; RefreshToken: string }

/** Returns the tokens of a new user of the reseller. */
export async function issueTokens(
  service: Node,
  account: string,
  role: 'admin' | 'viewer' = 'viewer',
): Promise<IssuedTokens> {
  const username = `user-${randomBytes(6).toString('hex')}`
  const whose = ['--reseller', account, '--username', username, '--role', role]
  const { password } = await service.warungd<{ password: string }>('user', 'create', ...whose)
  const answer = await post(service, '/v2/token', JSON.stringify({ username, password }))
  return answer.json<{ AuthenticationResult: IssuedTokens }>().AuthenticationResult
}

export function post(
  service: Pick<Node, 'baseUrl'>,
  path: string,
  body: Uint8Array | string,
  contentType = 'application/json',
): Promise<Answer> {
  const headers = { 'Content-Type': contentType }
  return send({ baseUrl: service.baseUrl, method: 'POST', path, headers, body })
}

/** Expects the headers that every answer of the service has, good or bad. */
export function expectEdgeHeaders({ headers }: Pick<Answer, 'headers'>): void {
  expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
    expect(headers[name], name).toMatch(/^\d+$/)
  }
  expect(headers['cache-control']).toMatch(/\S/)
}

/** Expects 401 in the one body that has both shapes of the contract. `debug` is expected only by tests that need it. */
export function expectUnauthorized(answer: Answer, code: string): void {
  expect(answer.json()).toEqual({
    error: code,
    message: expect.stringMatching(/\S/),
    metadata: { status_code: 401 },
  })
  expect(answer.status).toBe(401)
  expectJson(answer)
}

export function expectForbidden(answer: Answer, code: string): void {
  expect(answer.json()).toEqual({ error: code, message: expect.stringMatching(/\S/) })
  expect(answer.status).toBe(403)
  expectJson(answer)
}

/** Expects any other error: `{ message, errors }`, in which `errors` has only the fields at fault. */
export function expectProblem(answer: Answer, status: number, fields: readonly string[] = []): void {
  const body = answer.json<{ message: string; errors: Record<string, string[]> }>()
  expect(answer.status, answer.text).toBe(status)
  expect(Object.keys(body).sort()).toEqual(['errors', 'message'])
  expect(body.message).toMatch(/\S/)
  expect(Object.keys(body.errors).sort()).toEqual([...fields].sort())
  for (const texts of Object.values(body.errors)) {
    expect(texts.length).toBeGreaterThan(0)
    for (const text of texts) expect(text).toMatch(/\S/)
  }
  expectJson(answer)
}

function expectJson(answer: Answer): void {
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expectEdgeHeaders(answer)
}

/** Returns seconds since 1970, as the signature needs them. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Returns the address of the metrics, which have their own port. */
export function metricsUrlOf(service: Pick<Service, 'output'>): URL {
  const url = /^\s*metrics\s+(http:\/\/\S+\/metrics)$/m.exec(service.output())?.[1]
  if (url === undefined) throw new Error('the service announced no address for its metrics')
  return new URL(url)
}

export async function readMetric(service: Pick<Service, 'output'>, name: string): Promise<number> {
  const { origin, pathname } = metricsUrlOf(service)
  const { text } = await send({ baseUrl: origin, path: pathname })
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
  if (value === undefined) throw new Error(`the metrics lack ${name}`)
  return Number(value)
}
