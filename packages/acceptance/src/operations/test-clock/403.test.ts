import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestReseller } from '../../edge.ts'
import { createKey, createReseller, expectForbidden } from '../../edge.ts'
import { signed } from '../../http.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, startService, stopServices } from '../../service.ts'

const CLOCK = '/v2/test-clock'

let database: TestDatabase
let service: Service
let reseller: TestReseller

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database })
  reseller = await createReseller(service)
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

it('a key that may not configure reads the clock and does not move it', async () => {
  const reader = await createKey(service, reseller.account, ['read'])
  const path = `${CLOCK}?advance_seconds=5`
  expectForbidden(await signed(service.baseUrl, reader, { method: 'POST', path }), 'insufficient_scope')
  const configurer = await createKey(service, reseller.account, ['configure'])
  expectForbidden(await signed(service.baseUrl, configurer, { path: CLOCK }), 'insufficient_scope')
  const answer = await signed(service.baseUrl, reader, { path: CLOCK })
  expect(answer.json()).toEqual({ data: { advanced_seconds: 0 } })
})
