import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey, createReseller, expectForbidden, expectUnauthorized } from '../../edge.ts'
import { signed } from '../../http.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, startService, stopServices } from '../../service.ts'

let database: TestDatabase
let service: Service

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database })
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

/** With what a key that may read is told: that there is nothing to see is an answer of the operation itself. */
const READS = [
  { path: '/v2/balance-statement?date=2026-01-31', status: 200 },
  { path: '/v2/bill-presentment?product=NOBODY&account=1', status: 400 },
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
