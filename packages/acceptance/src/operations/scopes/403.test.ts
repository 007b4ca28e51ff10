import { beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { createKey, createReseller, expectForbidden, expectUnauthorized } from '../../edge.ts'
import { send, signed } from '../../http.ts'
import type { Service } from '../../service.ts'

let service: Service

beforeAll(async () => {
  service = (await shareDemo()).service
})

/** Reads with the status for a key that may read. 404 and 400 are answers of the operation itself. */
const READS = [
  { path: '/v2/balance-statement?date=2026-01-31', status: 200 },
  { path: '/v2/bill-presentment?product=NOBODY&account=1', status: 400 },
  { path: '/v2/events', status: 200 },
  { path: '/v2/low-balance-threshold', status: 200 },
  { path: '/v2/networkstatus?product=NOBODY', status: 404 },
  { path: '/v2/transactions?date=2026-01-31&limit=1', status: 200 },
]

describe.each(READS)('$path', ({ path, status }) => {
  it('is for keys with "read" alone', async () => {
    const reseller = await createReseller(service, ['pay', 'support', 'configure'])
    expectForbidden(await signed(service.baseUrl, reseller, { path }), 'insufficient_scope')
    const reading = await createKey(service, reseller.account, ['read'])
    expect((await signed(service.baseUrl, reading, { path })).status).toBe(status)
  })

  it('is for nobody without credentials', async () => {
    expectUnauthorized(await service.get(path), 'unauthorized')
  })
})

it('the low balance threshold is set by keys with "configure" alone', async () => {
  const reseller = await createReseller(service, ['read', 'pay', 'support'])
  const input = { method: 'POST', path: '/v2/low-balance-threshold?amount=10' }
  expectForbidden(await signed(service.baseUrl, reseller, input), 'insufficient_scope')
  const unset = await signed(service.baseUrl, reseller, { path: '/v2/low-balance-threshold' })
  expect(unset.json()).toMatchObject({ data: { BalanceThreshold: 0 } })
  const configuring = await createKey(service, reseller.account, ['configure'])
  expect((await signed(service.baseUrl, configuring, input)).status).toBe(200)
})

describe('callbacks and webhooks', () => {
  const BASES = ['/v2/callback-url', '/v2/balance-webhook', '/v2/catalog-webhook', '/v2/order-webhook']
  const JOB = 'deliveries/0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
  const READING = ['status', 'deliveries', JOB, `${JOB}/attempts`]
  const WRITING = [`POST ${JOB}/replay`, 'POST deliveries/replay-bulk', 'POST test']
  const SETTING = ['PUT', 'DELETE', 'PATCH enabled', 'POST rotate-secret']

  const reads = [
    ...BASES.flatMap((base) => [base, ...READING.map((each) => `${base}/${each}`)]),
    '/v2/callback-url/secret',
    '/v2/balance-webhook/types',
  ].map((path) => ({ method: 'GET', path }))

  const writes = [
    ...BASES.flatMap((base) => WRITING.map((each) => at(base, each))),
    ...BASES.slice(1).flatMap((base) => SETTING.map((each) => at(base, each))),
    ...['POST', 'DELETE', 'POST secret/rotate'].map((each) => at('/v2/callback-url', each)),
    at('/v2/balance-webhook', 'PUT types'),
  ]

  function at(base: string, each: string) {
    const [method = '', rest] = each.split(' ')
    return { method, path: rest === undefined ? base : `${base}/${rest}` }
  }

  it('are read by keys with "read" alone, and set by keys with "configure" alone', async () => {
    const configuring = await createReseller(service, ['pay', 'support', 'configure'])
    const reading = await createKey(service, configuring.account, ['read', 'pay', 'support'])
    for (const [operations, allowed, refused] of [
      [reads, reading, configuring],
      [writes, configuring, reading],
    ] as const) {
      for (const input of operations) {
        const name = `${input.method} ${input.path}`
        const forbidden = await signed(service.baseUrl, refused, input)
        expect(forbidden.status, name).toBe(403)
        expectForbidden(forbidden, 'insufficient_scope')
        expect([200, 204, 400, 404], name).toContain((await signed(service.baseUrl, allowed, input)).status)
        expect((await send({ baseUrl: service.baseUrl, ...input })).status, name).toBe(401)
      }
    }
  })
})
