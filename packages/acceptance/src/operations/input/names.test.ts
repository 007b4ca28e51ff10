import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { from, newAddress, TRUST_TEST_PROXY } from '../../clients.ts'
import type { TestReseller } from '../../edge.ts'
import { balanceOf, createReseller } from '../../edge.ts'
import type { Answer } from '../../http.ts'
import { send, signed } from '../../http.ts'
import type { Api, ListedOperation } from '../../listed.ts'
import { listOperations } from '../../listed.ts'
import { reload, TOPUP } from '../../payments.ts'
import type { Browser } from '../../portal/people.ts'
import { signInMember, signInOperator } from '../../portal/people.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, startService, stopServices, until } from '../../service.ts'

// Names that every JavaScript object has, used where callers may choose names. They are as unknown as any other.

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'] as const

let database: TestDatabase
let service: Service
let reseller: TestReseller
let operator: Browser
let member: Browser

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database, environment: TRUST_TEST_PROXY })
  reseller = await createReseller(service)
  operator = await signInOperator(service)
  member = await signInMember(service)
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

type Attempt = { readonly method: string; readonly path: string; readonly body?: string }

const cookieOf = ({ side, secret, csrfToken }: Browser) => ({
  Cookie: `${side === 'operator' ? 'warung_operator' : 'warung_member'}=${secret}`,
  'X-CSRF-Token': csrfToken,
})

function sendAs(api: Api, { method, path, body }: Attempt): Promise<Answer> {
  const headers = { ...from(newAddress()), ...(body !== undefined && { 'Content-Type': 'application/json' }) }
  if (api === 'reseller') return signed(service.baseUrl, reseller, { method, path, body, headers })
  const browser = api === 'operator' ? operator : member
  return send({ baseUrl: service.baseUrl, method, path, body, headers: { ...headers, ...cookieOf(browser) } })
}

/**
 * Puts the name into the body (alone, and in an object), the query and the path. The bodies are written by hand,
 * because a literal would set the prototype.
 */
function attemptsWith(name: string, { method, path, takesJson }: ListedOperation): Attempt[] {
  const elsewhere = path.replaceAll(/\{[^}]+\}/g, '999999999999')
  const named = path.replaceAll(/\{[^}]+\}/g, name)
  const bodies = takesJson
    ? [`{"${name}":1}`, `{"${name}":{"${name}":["x"]}}`, `{"reason":{"${name}":1}}`]
    : []
  const nothing = takesJson ? { body: '{}' } : {}
  return [
    ...bodies.map((body) => ({ method, path: elsewhere, body })),
    { method, path: `${elsewhere}?${name}=1&${name}=2&${name}%5B%5D=3`, ...nothing },
    ...(named === path ? [] : [{ method, path: named, ...nothing }]),
  ]
}

/** Operations that end the session with which the others are tried. */
const ENDING = /Session|SignOut/

describe.each(['reseller', 'operator', 'portal'] as const)('every operation of the %s API', (api) => {
  it.each(NAMES)('takes %s for a name like any other', async (name) => {
    const operations = await listOperations(service, api)
    expect(operations.length).toBeGreaterThan(10)
    const failed: string[] = []
    for (const operation of operations) {
      if (operation.method === 'DELETE' && ENDING.test(operation.id)) continue
      for (const attempt of attemptsWith(name, operation)) {
        const answer = await sendAs(api, attempt)
        if (answer.status < 500) continue
        failed.push(`${operation.id} ${attempt.path} ${attempt.body}: ${answer.status} ${answer.text}`)
      }
    }
    expect(failed).toEqual([])
  })
})

describe('names that the caller chose', () => {
  it.each(NAMES)('%s is named in the refusal where unknown members are refused', async (name) => {
    const answer = await sendAs('operator', {
      method: 'POST',
      path: '/operator/v1/resellers',
      body: `{"${name}":1}`,
    })
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.json<{ errors: object }>().errors)).toContain(name)
  })

  it.each(NAMES)('%s in the extras of a payment counts as absent', async (name) => {
    const body = JSON.stringify(reload({ extras: { other: 1 } })).replace('other', name)
    const headers = { 'Content-Type': 'application/json' }
    const path = TOPUP
    const answer = await signed(service.baseUrl, reseller, { method: 'POST', path, body, headers })
    expect(answer.status).toBe(400)
    // There is no catalog here: the product is reported as unknown after the body was found to be right.
    expect(answer.text).not.toContain(name)
    expect(answer.json()).toMatchObject({ data: { statusCode: expect.any(Number) } })
  })

  it.each(NAMES)('%s in catalogue files is a column or member that there is not', async (name) => {
    const files = [
      { name: 'groups.csv', content: `code,${name}\nA,1\n` },
      { name: 'all.json', content: `{"groups":[{"${name}":1}],"${name}":[]}` },
      { name: `${name}.csv`, content: `${name}\n1\n` },
    ]
    for (const file of files) {
      const answer = await operator.send('POST', '/catalogue/preview', { files: [file] })
      expect(answer.status, answer.text).toBe(400)
    }
    const body = `{"document":{"products":[{"${name}":1}],"${name}":{}}}`
    const path = '/operator/v1/catalogue/preview'
    expect((await sendAs('operator', { method: 'POST', path, body })).status).toBe(400)
  })

  it.each(NAMES)('%s as a heading of a reseller’s own file is no column of ours', async (name) => {
    const path = '/portal/v1/reconciliations?from=2026-10-01&to=2026-10-31'
    const headers = { 'Content-Type': 'text/csv', ...cookieOf(member), ...from(newAddress()) }
    const ask = (body: string) => send({ baseUrl: service.baseUrl, method: 'POST', path, headers, body })
    expect((await ask(`refid,status,${name}\na,${name},1\n`)).status).toBe(200)
    expect((await ask(`${name}\na\n`)).status).toBe(400)
  })

  it.each(NAMES)('%s as a header is ignored', async (name) => {
    expect((await balanceOf(service, reseller, { headers: { [name]: 'x' } })).status).toBe(200)
  })
})

it('after all of this the service serves, and nothing of it was a surprise', async () => {
  const marker = (await service.get('/marker')).headers['x-request-id']
  await until('the log has everything up to now', async () =>
    service.log().some(({ request_id }) => request_id === marker),
  )
  expect(service.log().filter(({ status, msg }) => status === 500 || msg === 'unexpected error')).toEqual([])
  expect((await operator.get('/session')).status).toBe(200)
  expect((await member.get('/session')).status).toBe(200)
})
