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

const PATH = '/v2/networkstatus?product=NOBODY'

it('is for keys with "read" alone', async () => {
  const reseller = await createReseller(service, ['pay', 'support', 'configure'])
  expectForbidden(await signed(service.baseUrl, reseller, { path: PATH }), 'insufficient_scope')
  const reading = await createKey(service, reseller.account, ['read'])
  expect((await signed(service.baseUrl, reading, { path: PATH })).status).toBe(404)
})

it('is for nobody without credentials', async () => {
  expectUnauthorized(await service.get(PATH), 'unauthorized')
})
