import { afterAll, beforeAll, expect, it } from 'vitest'
import { createReseller, expectProblem } from '../../edge.ts'
import { signed } from '../../http.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, startService, stopServices } from '../../service.ts'
import type { Credentials } from '../../signing.ts'

let database: TestDatabase
let service: Service
let reseller: Credentials

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database })
  reseller = await createReseller(service)
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

it.each([
  '',
  '?product=',
  '?product',
  '?Product=NOVA',
  '?product=A&product=B',
  `?product=${'x'.repeat(201)}`,
])('%j names no product', async (query) => {
  const answer = await signed(service.baseUrl, reseller, { path: `/v2/networkstatus${query}` })
  expectProblem(answer, 400, ['product'])
  expect(answer.json()).toHaveProperty('message')
})
