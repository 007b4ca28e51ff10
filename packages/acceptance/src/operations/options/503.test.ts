import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { expectProblem } from '../../edge.ts'
import type { Answer } from '../../http.ts'

let demo: Demo

beforeAll(async () => {
  demo = await shareDemo()
})

/** Expects an answer that tells the caller to retry later. The request itself is right. */
function expectToComeBack(answer: Answer): void {
  expectProblem(answer, 503)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
}

const LISTS = [
  '/v2/options?product_code=EDULOAN&field_id=loan_account',
  '/v2/options?product_code=NOVAMY&field_id=plan',
  '/v2/subproducts?product_code=EDULOAN',
]

describe.each(LISTS)('%s', (path) => {
  it('while the provider is down, and for that account alone', async () => {
    expectToComeBack(await demo.first.get(`${path}&account_number=900101145999`))
    expect((await demo.first.get(`${path}&account_number=900101145678`)).status).toBe(200)
    // A failure is not cached: the next request calls the provider again, and gets the same here.
    expectToComeBack(await demo.first.get(`${path}&account_number=900101145999`))
  })
})

it('a provider that never answers gives 503, not 504, and holds up nobody else', async () => {
  const ask = (account: string) => LISTS.map((path) => demo.first.get(`${path}&account_number=${account}`))
  const stuck = ask('900101145998')
  for (const answer of await Promise.all(ask('900101145678'))) expect(answer.status).toBe(200)
  for (const answer of await Promise.all(stuck)) expectToComeBack(answer)
})

it('an account number, which may be an identity number, is in no log', () => {
  expect(demo.service.output()).toContain('/v2/options')
  expect(demo.service.output()).not.toContain('900101145')
})
