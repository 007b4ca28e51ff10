import { beforeAll, expect, it } from 'vitest'
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

function ask(query: string) {
  return signed(service.baseUrl, reseller, { path: `/v2/transactions${query && `?${query}`}` })
}

const DATE = 'date=2026-01-31'

it.each([
  ['', ['date', 'limit']],
  [DATE, ['limit']],
  ['limit=10', ['date']],
  ['limit=&date=', ['date', 'limit']],
  // A parameter without `=` is not signed, and so not read.
  [`limit&${DATE}`, ['limit']],
  [`${DATE}&limit=5&limit=6`, ['limit']],
  ['limit=x&date=x&offset=x&status=x', ['date', 'limit', 'offset', 'status']],
])('%j is at fault in %j', async (query, fields) => {
  expectProblem(await ask(query), 400, fields)
})

it.each(['0', '-1', '1001', '1e3', '1.5', 'ten', '%2B5', '9999999999'])(
  'limit=%s is refused',
  async (limit) => {
    expectProblem(await ask(`${DATE}&limit=${limit}`), 400, ['limit'])
  },
)

it.each(['-1', '1.5', 'x', '9999999999'])('offset=%s is refused', async (offset) => {
  expectProblem(await ask(`${DATE}&limit=1&offset=${offset}`), 400, ['offset'])
})

it.each([
  '2026-02-30',
  '2026-02-29',
  '2026-13-01',
  '2026-1-1',
  '31-01-2026',
  '20260131',
  '2026-01-31T00:00:00Z',
  'today',
  '2026-01-31-2026-02-01',
  '2026-02-01 - 2026-01-31',
  '2026-01-01 - 2027-01-02',
  '2026-01-01 - 2026-02-30',
  '2026-01-01 - ',
])('date=%s is refused', async (date) => {
  expectProblem(await ask(new URLSearchParams({ date, limit: '1' }).toString()), 400, ['date'])
})

it.each(['DONE', 'successful', 'SUCCESSFUL,FAILED', '20'])('status=%s is refused', async (status) => {
  expectProblem(await ask(`${DATE}&limit=1&status=${status}`), 400, ['status'])
  expectProblem(await ask(`${DATE}&limit=1&status=PENDING&status=${status}`), 400, ['status'])
})

it('values that the database cannot hold are refused, and are no error of ours', async () => {
  expectProblem(await ask(`${DATE}&limit=1&account=%00`), 400, ['account'])
  expectProblem(await ask(`${DATE}&limit=1&product=A%00B`), 400, ['product'])
  expect((await ask(`${DATE}&limit=1&account=%zz&product=%F0%9F%8D%9C`)).status).toBe(200)
})
