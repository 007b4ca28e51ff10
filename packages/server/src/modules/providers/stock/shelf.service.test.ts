import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RequestError } from '../../../lib/errors.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { fileOf, fillShelf, newPin, TEN } from '../../../testing/providers/stock.ts'
import { isLow, listBatches, loadStock, setStockLevel, withdrawBatch } from './shelf.service.ts'
import { listStock } from './sql.ts'

let test: TestDatabase
let products = 0

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

/** Returns a product that no other test uses. */
function newProduct(): string {
  products += 1
  return `PIN${products}`
}

const load = (productCode: string, ...lines: string[]) =>
  loadStock(test, { productCode, denomination: TEN, file: fileOf(...lines), by: 'aina' })

async function refusal(loading: Promise<unknown>): Promise<Record<string, readonly string[]>> {
  const error: RequestError = await loading.then(
    () => expect.unreachable('it was loaded'),
    (thrown) => thrown,
  )
  expect(error).toMatchObject({ status: 400, code: 'invalid_files' })
  return error.fields ?? {}
}

async function countOf(productCode: string) {
  return (await listStock(test.database)).filter((count) => count.productCode === productCode)
}

describe('loading', () => {
  it('takes over a file and remembers who did it', async () => {
    const productCode = newProduct()
    const batch = await load(productCode, 'pin,expiry', `${newPin()},20991231`, newPin().concat(','))
    expect(batch).toMatchObject({
      productCode,
      denomination: TEN,
      fileName: 'pins.csv',
      items: 2,
      loadedBy: 'aina',
      withdrawnAt: null,
    })
    expect((await listBatches(test.database, { limit: 1 }))[0]).toEqual(batch)
    expect(await countOf(productCode)).toEqual([
      {
        productCode,
        denomination: TEN,
        free: 2,
        sold: 0,
        spent: 0,
        expired: 0,
        withdrawn: 0,
        freeMin: null,
      },
    ])
  })

  it('refuses a link that was an item of its own, also beside a PIN, and takes one page for many PINs', async () => {
    const productCode = newProduct()
    const link = `https://esim.example/${newPin()}`
    const { id } = await load(productCode, 'link', link)
    expect(await refusal(load(productCode, 'pin,link', `${newPin()},${link}`))).toEqual({
      'pins.csv:2': [`was loaded before, with batch ${id} of ${productCode}`],
    })
    const other = `https://esim.example/${newPin()}`
    expect(await refusal(load(productCode, 'pin,link', `,${other}`, `${newPin()},${other}`))).toEqual({
      'pins.csv:3': ['has the same link as line 2, which has no PIN'],
    })
    const page = 'https://redeem.example'
    await load(productCode, 'pin,link', `${newPin()},${page}`, `${newPin()},${page}`)
    await load(productCode, 'pin,link', `${newPin()},${page}`)
  })

  it('is all or nothing', async () => {
    const productCode = newProduct()
    const good = newPin()
    const fields = await refusal(load(productCode, 'pin,expiry', `${good},`, `${newPin()},20200101`, ','))
    expect(fields).toEqual({
      'pins.csv:3': ['expiry: was on 2020-01-01'],
      'pins.csv:4': ['has neither pin nor link'],
    })
    expect(await countOf(productCode)).toEqual([])
    await load(productCode, 'pin', good)
  })

  it('refuses a PIN that stands twice, or was ever loaded, under whatever product and however it is spaced', async () => {
    const [product, other] = [newProduct(), newProduct()]
    const [sold, twice] = [newPin(), newPin()]
    const { id } = await load(product, 'pin', sold)
    await withdrawBatch(test.database, id, { by: 'aina', reason: 'recalled' })
    const spaced = `${sold.slice(0, 4)}-${sold.slice(4, 8)} ${sold.slice(8)}`
    const fields = await refusal(load(other, 'pin', newPin(), twice, spaced, twice))
    expect(fields).toEqual({
      'pins.csv:4': [`was loaded before, with batch ${id} of ${product}`],
      'pins.csv:5': ['is the same PIN or link as on line 3'],
    })
    expect(JSON.stringify(fields)).not.toContain(sold)
    expect(await countOf(other)).toEqual([])
  })

  it('loading the same file twice at once loads it once', async () => {
    const productCode = newProduct()
    const lines = ['pin', ...Array.from({ length: 50 }, newPin)]
    const results = await Promise.allSettled([load(productCode, ...lines), load(productCode, ...lines)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await countOf(productCode)).toMatchObject([{ free: 50 }])
  })

  it('leaves nothing in the database by which a PIN could be read or tried out', async () => {
    const pin = newPin()
    await load(newProduct(), 'pin,serial,link', `${pin},SERIAL${pin},https://x.example/${pin}`)
    const { rows } = await test.database.query<{ row: string }>(
      `select i::text || b::text || encode(i.sealed, 'escape') as row
         from stock_items i join stock_batches b on b.id = i.batch_id order by i.id desc limit 1`,
    )
    expect(rows[0]?.row).not.toContain(pin)
  })

  it('tells the first problems of a file that is wrong from end to end, and how many there are', async () => {
    const lines = Array.from({ length: 5_000 }, () => ',20200101')
    const fields = await refusal(load(newProduct(), 'pin,expiry', ...lines))
    expect(Object.keys(fields).length).toBeLessThanOrEqual(201)
    expect(fields['and more']).toEqual(['9800 problem(s) that are not shown'])
  })

  it.each([
    ['an empty file', Buffer.from('')],
    ['a file of a header alone', Buffer.from('pin,serial\n')],
    ['a file that is no UTF-8', Buffer.from([0x70, 0x69, 0x6e, 0x0a, 0xff, 0xfe])],
  ])('refuses %s', async (_, bytes) => {
    const file = { name: 'pins.csv', bytes }
    await refusal(loadStock(test, { productCode: newProduct(), denomination: TEN, file, by: 'aina' }))
  })

  it('takes files larger than what it handles at once, every line once', async () => {
    const productCode = newProduct()
    const pins = Array.from({ length: 4_501 }, newPin)
    await fillShelf(test, { productCode, pins })
    expect(await countOf(productCode)).toMatchObject([{ free: 4_501 }])
    const fields = await refusal(load(productCode, 'pin', ...pins))
    expect(fields['pins.csv:2']).toEqual([expect.stringMatching(/^was loaded before/)])
    expect(fields['and more']).toEqual(['4301 problem(s) that are not shown'])
  })
})

describe('withdrawing', () => {
  it('takes what is free off the shelf for good, and says so in the books', async () => {
    const productCode = newProduct()
    const { id } = await fillShelf(test, { productCode, pins: [newPin(), newPin(), newPin()] })
    const { items } = await withdrawBatch(test.database, id, { by: 'aina', reason: 'recalled' })
    expect(items).toBe(3)
    expect(await countOf(productCode)).toMatchObject([{ free: 0, withdrawn: 3 }])
    expect((await listBatches(test.database, { limit: 1 }))[0]).toMatchObject({
      withdrawnBy: 'aina',
      withdrawnReason: 'recalled',
      withdrawnAt: expect.any(Date),
    })
    const again = withdrawBatch(test.database, id, { by: 'aina', reason: 'recalled' })
    await expect(again).rejects.toMatchObject({ status: 409 })
    const absent = withdrawBatch(test.database, 999_999n, { by: 'aina', reason: 'recalled' })
    await expect(absent).rejects.toMatchObject({ status: 404 })
  })
})

describe('a level', () => {
  it('says when it is low, is changed and taken back', async () => {
    const kind = { productCode: newProduct(), denomination: TEN }
    await test.database.transaction((tx) => setStockLevel(tx, kind, 2))
    expect(await countOf(kind.productCode)).toMatchObject([{ free: 0, freeMin: 2 }])
    await fillShelf(test, { ...kind, pins: [newPin(), newPin()] })
    const [full] = await countOf(kind.productCode)
    expect(full && isLow(full)).toBe(false)
    await test.database.transaction((tx) => setStockLevel(tx, kind, 3))
    const [low] = await countOf(kind.productCode)
    expect(low && isLow(low)).toBe(true)
    await test.database.transaction((tx) => setStockLevel(tx, kind, 0))
    expect(await countOf(kind.productCode)).toMatchObject([{ freeMin: null }])
  })
})

describe('the database itself', () => {
  it('sells an item once, and keeps it', async () => {
    const { id } = await fillShelf(test, { productCode: newProduct(), pins: [newPin()] })
    const change = (set: string) =>
      test.database.query(`update stock_items set ${set} where batch_id = ${id}`)
    await change('reseller_id = 1, payment_id = 1, bound_at = now()')
    await expect(change('payment_id = 2')).rejects.toThrow(/sold once/)
    await expect(change('reseller_id = null, payment_id = null, bound_at = null')).rejects.toThrow(
      /sold once/,
    )
    await expect(change('withdrawn_at = now()')).rejects.toThrow(/check/)
    await expect(test.database.query('delete from stock_items')).rejects.toThrow(/kept/)
  })
})
