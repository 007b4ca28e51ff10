import { beforeAll, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import type { TestReseller } from '../../edge.ts'
import { createReseller, expectProblem } from '../../edge.ts'
import type { SignedInput } from '../../http.ts'
import { signed } from '../../http.ts'
import type { Service } from '../../service.ts'

const CLOCK = '/v2/test-clock'

let service: Service
let reseller: TestReseller

beforeAll(async () => {
  service = (await shareDemo()).service
  reseller = await createReseller(service)
})

function advance(query: string, input: Partial<SignedInput> = {}) {
  return signed(service.baseUrl, reseller, { method: 'POST', path: `${CLOCK}${query}`, ...input })
}

async function expectUnmoved(): Promise<void> {
  const answer = await signed(service.baseUrl, reseller, { path: CLOCK })
  expect(answer.json()).toEqual({ data: { advanced_seconds: 0 } })
}

it.each([
  '',
  '?advance_seconds=',
  '?advance_seconds',
  '?advance_seconds=0',
  '?advance_seconds=-1',
  '?advance_seconds=1.5',
  '?advance_seconds=1e3',
  '?advance_seconds=31536001',
  '?advance_seconds=99999999999999999999',
  '?advance_seconds=soon',
  '?advance_seconds=1&advance_seconds=2',
  '?seconds=5',
])('%j does not say by how much', async (query) => {
  expectProblem(await advance(query), 400, ['advance_seconds'])
  await expectUnmoved()
})

it('a body with wrong content is refused', async () => {
  expectProblem(await advance('', { json: { advance_seconds: 5 } }), 400, ['advance_seconds'])
  await expectUnmoved()
})
