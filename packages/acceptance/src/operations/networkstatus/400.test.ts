import { beforeAll, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { createReseller, expectProblem } from '../../edge.ts'
import { signed } from '../../http.ts'
import type { Service } from '../../service.ts'
import type { Credentials } from '../../signing.ts'

let service: Service
let reseller: Credentials

beforeAll(async () => {
  service = (await shareDemo()).service
  reseller = await createReseller(service)
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
