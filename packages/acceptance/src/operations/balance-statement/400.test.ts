import { beforeAll, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import type { TestReseller } from '../../edge.ts'
import { createReseller, expectProblem } from '../../edge.ts'
import { signed } from '../../http.ts'
import type { Service } from '../../service.ts'

let service: Service
let reseller: TestReseller

beforeAll(async () => {
  service = (await shareDemo()).service
  reseller = await createReseller(service)
})

const DATE = 'date=2026-01-31'

it.each([
  ['', ['date']],
  ['date=', ['date']],
  ['date=2026-02-30', ['date']],
  ['date=31-01-2026', ['date']],
  ['date=2026-02-01+-+2026-01-31', ['date']],
  ['date=2026-01-01+-+2027-01-02', ['date']],
  [`${DATE}&type=T`, ['type']],
  [`${DATE}&type=deposit`, ['type']],
  [`${DATE}&type=DEPOSIT&type=REFUND`, ['type']],
  [`${DATE}&page=0`, ['page']],
  [`${DATE}&page=-1`, ['page']],
  [`${DATE}&page=1.5`, ['page']],
  [`${DATE}&limit=0`, ['limit']],
  [`${DATE}&limit=1001`, ['limit']],
  [`${DATE}&limit=ten`, ['limit']],
  ['date=x&type=x&page=x&limit=x', ['date', 'limit', 'page', 'type']],
])('%j is at fault in %j', async (query, fields) => {
  const path = `/v2/balance-statement${query && `?${query}`}`
  expectProblem(await signed(service.baseUrl, reseller, { path }), 400, fields)
})
