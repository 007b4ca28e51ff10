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
  '?account=',
  '?account=twelve',
  '?account=12345',
  `?account=${'1'.repeat(101)}`,
  '?account=1&account=2',
])('%j has no telephone number', async (query) => {
  const answer = await signed(service.baseUrl, reseller, { path: `/v2/number-lookup${query}` })
  expectProblem(answer, 400, ['account'])
  expect(answer.json()).toHaveProperty('message')
})
