import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Answer, SignedInput } from './http.ts'
import { send, signed } from './http.ts'
import type { Service } from './service.ts'
import { until } from './service.ts'
import type { Credentials } from './signing.ts'

// What the tests of the edge share: resellers of their own, and the bodies that every trouble has.

export const BALANCE = '/v2/balance'

export type TestReseller = Credentials & { account: string; name: string }

type NewKey = { key: string; signing_secret: string }

/** A reseller of the test's own with one key, known to the service when this returns. */
export async function createReseller(
  service: Service,
  scopes: readonly string[] = [],
): Promise<TestReseller> {
  const name = `Kedai ${randomBytes(6).toString('hex')}`
  const created = ['--name', name, '--email', 'someone@example.com']
  const { account } = await service.warungd<{ account: string }>('reseller', 'create', ...created)
  return { account, name, ...(await createKey(service, account, scopes)) }
}

/** Another key of the reseller, known to the service when this returns. */
export async function createKey(
  service: Service,
  account: string,
  scopes: readonly string[] = [],
): Promise<Credentials> {
  const flags = scopes.flatMap((scope) => ['--scope', scope])
  const made = await service.warungd<NewKey>('key', 'create', '--reseller', account, ...flags)
  const credentials = { apiKey: made.key, secretBase64: made.signing_secret }
  await untilKnown(service, credentials)
  return credentials
}

/** Nodes learn of a change within seconds; a test of the change itself waits for it here. */
export function untilKnown(service: Service, credentials: Credentials): Promise<unknown> {
  return until('the key is known', async () => {
    const { status, text } = await balanceOf(service, credentials)
    return status !== 401 || !text.includes('invalid_api_key')
  })
}

export function balanceOf(
  service: Pick<Service, 'baseUrl'>,
  credentials: Credentials,
  input: Partial<SignedInput> = {},
): Promise<Answer> {
  return signed(service.baseUrl, credentials, { path: BALANCE, ...input })
}

export function post(
  service: Pick<Service, 'baseUrl'>,
  path: string,
  body: Uint8Array | string,
  contentType = 'application/json',
): Promise<Answer> {
  const headers = { 'Content-Type': contentType }
  return send({ baseUrl: service.baseUrl, method: 'POST', path, headers, body })
}

/** What every answer of the service carries, good or bad. */
export function expectEdgeHeaders({ headers }: Pick<Answer, 'headers'>): void {
  expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
    expect(headers[name], name).toMatch(/^\d+$/)
  }
}

/** 401 in the one body that has both shapes of the contract; `debug` only where a test asks for it. */
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

/** Every other trouble: `{ message, errors }`, with nothing that is no field at fault. */
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

/** Seconds since 1970, as the signature wants them. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Where the figures are; an address of its own. */
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
