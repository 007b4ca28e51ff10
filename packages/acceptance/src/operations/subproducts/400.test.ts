import { beforeAll, expect, it } from 'vitest'
import type { Demo, Reader } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { expectProblem } from '../../edge.ts'

let demo: Demo
let first: Reader

beforeAll(async () => {
  demo = await shareDemo()
  first = demo.first
})

function ask(query: string, reader = first) {
  return reader.get(`/v2/subproducts?${query}`)
}

it('a product code is needed', async () => {
  for (const query of ['', 'product_code=', 'account_number=60123456789', 'product_code=A&product_code=B']) {
    expectProblem(await ask(query), 400, ['product_code'])
  }
})

it.each(['NOBODY', 'nova', 'OLDONE', 'toString'])('%s is no product of the account', async (code) => {
  expectProblem(await ask(`product_code=${code}&account_number=60123456789`), 400, ['product_code'])
})

it('another’s product looks like one that does not exist', async () => {
  const [theirs, nobodys] = await Promise.all(
    ['FD', 'NOBODY'].map((code) => ask(`product_code=${code}`, demo.second)),
  )
  if (theirs === undefined || nobodys === undefined) throw new Error('two were asked for')
  expectProblem(theirs, 400, ['product_code'])
  expect(theirs.text).toBe(nobodys.text)
})

it('billers have a list of their own', async () => {
  const answer = await ask('product_code=BILLPAY')
  expectProblem(answer, 400, ['product_code'])
  expect(answer.text).toContain('/v1/billpay/billers')
})

it.each(['NOVAD', 'KITAD', 'BAYUD', 'RIMBAD', 'SELATD', 'LANGITD', 'ZAMRUDD', 'NOVAMY', 'EDULOAN'])(
  '%s needs an account number',
  async (code) => {
    expectProblem(await ask(`product_code=${code}`), 400, ['account_number'])
    expectProblem(await ask(`product_code=${code}&account_number=`), 400, ['account_number'])
  },
)

it.each(['0', '-1', '25001', '1e3', 'all', '1.5'])('limit=%s is refused', async (limit) => {
  const query = `product_code=NOVAD&account_number=60123456789&limit=${limit}`
  expectProblem(await ask(query), 400, ['limit'])
})

it('a refusal, too, says that the operation is deprecated', async () => {
  const { headers } = await ask('')
  expect(headers.deprecation).toMatch(/\S/)
  expect(headers.link).toContain('successor-version')
})
