import { beforeAll, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import type { TestReseller } from '../../edge.ts'
import { createReseller, expectProblem } from '../../edge.ts'
import { signed } from '../../http.ts'
import type { Service } from '../../service.ts'

const PATH = '/v2/low-balance-threshold'

let service: Service
let reseller: TestReseller

beforeAll(async () => {
  service = (await shareDemo()).service
  reseller = await createReseller(service)
})

async function expectNothingSet(): Promise<void> {
  const answer = await signed(service.baseUrl, reseller, { path: PATH })
  expect(answer.json()).toMatchObject({ data: { Status: '', BalanceThreshold: 0 } })
}

it.each([
  '',
  'amount',
  'amount=',
  'amount=0',
  'amount=0.9999',
  'amount=-5',
  'amount=%2B5',
  'amount=1e3',
  'amount=1,000',
  'amount=1.00001',
  'amount=5&amount=6',
  'amount=ten',
  'amount=999999999999999',
])('?%s is refused, and sets nothing', async (query) => {
  const path = `${PATH}${query && `?${query}`}`
  expectProblem(await signed(service.baseUrl, reseller, { method: 'POST', path }), 400, ['amount'])
  await expectNothingSet()
})

it.each([{ amount: '100' }, { amount: 100 }])('the amount in the body %j is not read', async (json) => {
  expectProblem(await signed(service.baseUrl, reseller, { method: 'POST', path: PATH, json }), 400, [
    'amount',
  ])
  await expectNothingSet()
})
