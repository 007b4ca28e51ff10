import { beforeAll, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import type { TestReseller } from '../../edge.ts'
import { createKey, createReseller, expectForbidden } from '../../edge.ts'
import { signed } from '../../http.ts'
import type { Service } from '../../service.ts'

const CLOCK = '/v2/test-clock'

let service: Service
let reseller: TestReseller

beforeAll(async () => {
  service = (await shareDemo()).service
  reseller = await createReseller(service)
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
