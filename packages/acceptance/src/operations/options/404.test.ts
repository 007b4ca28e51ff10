import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo, Reader } from '../../catalog.ts'
import { openDemo } from '../../catalog.ts'
import { expectProblem } from '../../edge.ts'
import type { Answer } from '../../http.ts'
import { makeDirectory, until } from '../../service.ts'

let demo: Demo
let first: Reader
let second: Reader

beforeAll(async () => {
  demo = await openDemo()
  first = demo.first
  second = demo.second
})

afterAll(() => demo?.end())

function expectNotFound(answer: Answer, message: RegExp): void {
  expectProblem(answer, 404)
  expect(answer.json()).toMatchObject({ errors: {} })
  expect(answer.json<{ message: string }>().message).toMatch(message)
}

function ask(reader: Reader, query: string): Promise<Answer> {
  return reader.get(`/v2/options?${query}`)
}

describe('a product that the account does not have', () => {
  it.each(['NOBODY', 'nova', 'NOVA%20', '__proto__', 'toString'])('%s is not found', async (code) => {
    expectNotFound(await ask(first, `product_code=${code}&field_id=amount`), /product not found/i)
  })

  it('is not found when it is another’s, whatever the flags say, and looks like one that does not exist', async () => {
    const flags = '&include_hidden=true&include_inactive=true'
    for (const query of ['', flags]) {
      const theirs = await ask(second, `product_code=FD&field_id=amount${query}`)
      const nobodys = await ask(second, `product_code=NOBODY&field_id=amount${query}`)
      expectNotFound(theirs, /product not found/i)
      expect(theirs.text).toBe(nobodys.text)
    }
  })

  it('is not found when it is off for everybody, unless asked for', async () => {
    expectNotFound(await ask(first, 'product_code=OLDONE&field_id=amount'), /product not found/i)
    expectNotFound(
      await ask(first, 'product_code=OLDONE&field_id=amount&include_hidden=true'),
      /product not found/i,
    )
    expect((await ask(first, 'product_code=OLDONE&field_id=amount&include_inactive=true')).status).toBe(200)
  })

  it('is not found once it is forbidden', async () => {
    const whose = ['--reseller', second.account, '--product', 'KERIS']
    const query = 'product_code=KERIS&field_id=amount&include_hidden=true&include_inactive=true'
    expect((await ask(second, query)).status).toBe(200)
    await demo.service.warungd('catalog', 'forbid', ...whose)
    const refused = await until('it is forbidden', async () => {
      const answer = await ask(second, query)
      return answer.status !== 200 && answer
    })
    expectNotFound(refused, /product not found/i)
    expect((await ask(first, query)).status).toBe(200)
    expect((await second.catalog('include_inactive=true')).products).not.toHaveProperty('KERIS')
  })
})

describe('a field without an options source', () => {
  it.each([
    ['NOVA', 'phone'],
    ['NOVA', 'plan'],
    ['NOVA', 'Amount'],
    ['NOVA', '__proto__'],
    ['KITA', 'amount'],
    ['BILLPAY', 'ref2'],
    ['EDULOAN', 'ic_number'],
    ['FD', 'amount'],
  ])('%s.%s is not found', async (product, field) => {
    const query = `product_code=${product}&field_id=${field}&include_hidden=true`
    expectNotFound(await ask(first, query), /\S/)
  })
})

describe('a hidden product', () => {
  it('is not listed, and resolves only with include_hidden', async () => {
    const query = 'product_code=PLAYPIN&field_id=amount'
    await hide('PLAYPIN')
    await until('it is hidden', async () => {
      const { products } = await first.catalog('include_inactive=true')
      return !Object.hasOwn(products, 'PLAYPIN')
    })
    expectNotFound(await ask(first, query), /product not found/i)
    expectNotFound(await ask(first, `${query}&include_inactive=true`), /product not found/i)
    expect((await first.options(`${query}&include_hidden=true`)).items).toHaveLength(4)
  })
})

async function hide(code: string): Promise<void> {
  const file = join(await makeDirectory(), 'products.json')
  await demo.service.warungd('catalog', 'export', '--file', file)
  const { products } = JSON.parse(await readFile(file, 'utf8')) as { products: { code: string }[] }
  const hidden = products
    .filter((each) => each.code === code)
    .map((product) => ({ ...product, is_hidden: true }))
  await writeFile(file, JSON.stringify({ products: hidden }))
  await demo.service.warungd('catalog', 'import', '--file', file)
}
