import { afterAll, expect, it } from 'vitest'
import { compileGenerated } from '../../generated-client.ts'
import { makeDirectory, stopServices } from '../../service.ts'

// Types that a generator makes of our documents. A client with these types pays in sdk/journeys.test.ts.

/** Program of an integrator: the compiler knows what each type of event holds. */
const RIGHT = `
import type { components } from './reseller.js'

export function describeEvent(event: components['schemas']['Event']): string {
  switch (event.type) {
    case 'payment.accepted':
    case 'payment.processing':
    case 'payment.succeeded':
      return event.type + ' ' + event.data.refid
    case 'balance.deducted':
      return event.type + ' ' + event.data.amount
    default:
      return event.type
  }
}
`

/** Program in which each line is wrong by the document: the compiler reports it. */
const WRONG = `
import createClient from 'openapi-fetch'
import type { paths } from './reseller.js'
const client = createClient<paths>({ baseUrl: '' })
// @ts-expect-error the refid is required
await client.POST('/v2/topup', { body: { product: 'NOVA', account: '1', amount: 1 } })
// @ts-expect-error limit and date are required
await client.GET('/v2/transactions')
// @ts-expect-error there is no such status
await client.GET('/v2/transactions', { params: { query: { limit: 1, date: '2026-03-01', status: ['DONE'] } } })
// @ts-expect-error product is required
await client.GET('/v2/networkstatus', { params: { query: {} } })
`

afterAll(() => stopServices())

it('the documents give types that compile under strict settings, know each event, and refuse mistakes', async () => {
  const programs = { 'right.ts': RIGHT, 'wrong.ts': WRONG }
  const folder = await makeDirectory()
  expect(await compileGenerated(folder, ['reseller', 'operator', 'portal'], programs)).toBe('')
})
