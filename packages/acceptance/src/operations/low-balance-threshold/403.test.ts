import { afterAll, beforeAll, expect, it } from 'vitest'
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

const PATH = '/v2/low-balance-threshold'

it('is read by keys with "read" alone', async () => {
  const reseller = await createReseller(service, ['pay', 'support', 'configure'])
  expectForbidden(await signed(service.baseUrl, reseller, { path: PATH }), 'insufficient_scope')
  const reading = await createKey(service, reseller.account, ['read'])
  expect((await signed(service.baseUrl, reading, { path: PATH })).status).toBe(200)
})

it('is for nobody without credentials', async () => {
  expectUnauthorized(await service.get(PATH), 'unauthorized')
})

it('is set by keys with "configure" alone', async () => {
  const reseller = await createReseller(service, ['read', 'pay', 'support'])
  const input = { method: 'POST', path: `${PATH}?amount=10` }
  expectForbidden(await signed(service.baseUrl, reseller, input), 'insufficient_scope')
  const unset = await signed(service.baseUrl, reseller, { path: PATH })
  expect(unset.json()).toMatchObject({ data: { BalanceThreshold: 0 } })
  const configuring = await createKey(service, reseller.account, ['configure'])
  expect((await signed(service.baseUrl, configuring, input)).status).toBe(200)
})
