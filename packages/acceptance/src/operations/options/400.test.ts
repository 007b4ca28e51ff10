import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { expectProblem } from '../../edge.ts'

let demo: Demo

beforeAll(async () => {
  demo = await shareDemo()
})

function ask(query: string) {
  return demo.first.get(`/v2/options?${query}`)
}

const BILLERS = 'product_code=BILLPAY&field_id=biller'

describe('required parameters', () => {
  it.each([
    ['', ['field_id', 'product_code']],
    ['product_code=NOVA', ['field_id']],
    ['field_id=amount', ['product_code']],
    ['product_code=&field_id=', ['field_id', 'product_code']],
    // A parameter without `=` is not signed, and so not read.
    ['product_code&field_id=amount', ['product_code']],
    ['product_code=NOVA&product_code=KITA&field_id=amount', ['product_code']],
  ])('%j lacks %j', async (query, fields) => {
    expectProblem(await ask(query), 400, fields)
  })
})

describe('pages', () => {
  const WRONG = [
    '0',
    '-1',
    '25001',
    '1e3',
    '1.5',
    '10.0',
    'ten',
    '0x10',
    '+5',
    '%2B5',
    '1%20000',
    '9999999999',
  ]

  it.each(WRONG)('limit=%s and per_page=%s are refused', async (value) => {
    expectProblem(await ask(`${BILLERS}&limit=${value}`), 400, ['limit'])
    expectProblem(await ask(`${BILLERS}&per_page=${value}`), 400, ['per_page'])
  })

  it.each(['0', '-1', '1e3', '1.5', 'last', '9999999999'])('page=%s is refused', async (value) => {
    expectProblem(await ask(`${BILLERS}&page=${value}`), 400, ['page'])
  })

  it('limit and per_page that contradict each other are refused', async () => {
    expectProblem(await ask(`${BILLERS}&limit=10&per_page=20`), 400, ['per_page'])
  })

  it('every parameter at fault is named', async () => {
    expectProblem(await ask(`${BILLERS}&limit=0&page=0`), 400, ['limit', 'page'])
    expectProblem(await ask('limit=x'), 400, ['field_id', 'limit', 'product_code'])
  })

  it('are judged before the product is looked up', async () => {
    expectProblem(await ask('product_code=NOBODY&field_id=amount&limit=0'), 400, ['limit'])
  })
})

describe('flags', () => {
  it.each(['is_active', 'include_hidden', 'include_inactive'])('%s must be true or false', async (name) => {
    for (const value of ['maybe', '2', 'yes', 'null']) {
      expectProblem(await ask(`${BILLERS}&${name}=${value}`), 400, [name])
    }
    for (const value of ['true', 'false', 'TRUE', '']) {
      expect((await ask(`product_code=NOVA&field_id=amount&${name}=${value}`)).status).toBe(200)
    }
  })
})

describe('a dynamic field', () => {
  it.each([
    'product_code=EDULOAN&field_id=loan_account',
    'product_code=EDULOAN&field_id=loan_account&account_number=',
    'product_code=NOVAMY&field_id=plan',
  ])('%s depends on another and needs account_number, which the message says', async (query) => {
    const answer = await ask(query)
    expectProblem(answer, 400, ['account_number'])
    expect(answer.json<{ message: string }>().message).toMatch(/depends on another field.*account_number/)
  })
})
