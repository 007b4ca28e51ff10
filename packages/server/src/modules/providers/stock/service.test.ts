import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../db/database.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import type { Fate, ProviderBench } from '../../../testing/providers/provider-bench.ts'
import { cannotArrange, newOrder, withoutWire } from '../../../testing/providers/provider-bench.ts'
import { describeProviderConformance } from '../../../testing/providers/provider-conformance.ts'
import { fileOf, fillShelf, newPin, SHELF, TEN } from '../../../testing/providers/stock.ts'
import type { Order, Provider } from '../port/types.ts'
import { createStockKind, createStockProvider } from './service.ts'
import { loadStock } from './shelf.service.ts'

let test: TestDatabase
let provider: Provider
const problems: string[] = []

beforeAll(async () => {
  test = await openTestDatabase()
  provider = createStockProvider({
    code: SHELF,
    database: test.database,
    vault: test.vault,
    onProblem: (text) => problems.push(text),
  })
})
afterAll(() => test.close())

const never = () => new AbortController().signal

/** Makes an order whose payment has an item, as the commit that takes a payment leaves it. */
async function orderOfSold(): Promise<Order> {
  const order = newOrder({ productCode: 'PINTEN' })
  const id = /\d+/.exec(order.reference)?.[0]
  const { id: batch } = await fillShelf(test, { pins: [newPin()] })
  await test.database.query(
    `select bind_stock(array[i.id], array[1::bigint], array[$2::bigint], now()) from stock_items i
      where i.batch_id = $1`,
    [batch, id],
  )
  return order
}

const NO_FAILURE = 'whatever has an item succeeds'
const FATES_MADE: readonly Fate[] = ['succeeds', 'void_refused']
const FATES_WITHOUT_ITEM: readonly Fate[] = ['fails_45', 'not_acted']

describeProviderConformance(
  'stock',
  async (): Promise<ProviderBench> => ({
    provider,
    order(fate) {
      if (FATES_MADE.includes(fate)) return orderOfSold()
      if (FATES_WITHOUT_ITEM.includes(fate)) return Promise.resolve(newOrder({ productCode: 'PINTEN' }))
      return cannotArrange(fate)
    },
    spoil: (_, fault) => cannotArrange(fault),
    mend: async () => {},
    decide: async () => {},
    async countActs({ reference }) {
      const { rows } = await test.database.query('select from stock_items where payment_id = $1', [
        /\d+/.exec(reference)?.[0],
      ])
      return rows.length
    },
    secrets: [],
    close: async () => {},
  }),
  {
    ...withoutWire('the shelf is a table of the same database'),
    fails_47: NO_FAILURE,
    fails_48: NO_FAILURE,
    fails_52: NO_FAILURE,
    fails_54: NO_FAILURE,
    fails_55: NO_FAILURE,
    fails_56: NO_FAILURE,
    fails_57: NO_FAILURE,
    fails_61: NO_FAILURE,
    fails_62: NO_FAILURE,
    pending_then_succeeds: 'an item is there or it is not',
    pending_then_fails: 'an item is there or it is not',
    never_known: 'an item is there or it is not',
    not_found: 'the item is bound before the order is sent',
    void_approved: 'a PIN that may have been seen is not taken back',
    bills: 'there is none to present',
    options: 'there are none',
    float: 'no money lies there',
    callbacks: 'nobody calls',
    health: 'it is as healthy as the database',
  },
)

describe('the stock as a provider', () => {
  it('gives what the file had, for every attempt of the payment and to whoever asks', async () => {
    const order = newOrder()
    const id = /\d+/.exec(order.reference)?.[0]
    const [pin, link] = [newPin(), 'https://esim.example/activate']
    const file = fileOf('pin,serial,expiry,link', `${pin},SN-7,2099-12-31,${link}`)
    const batch = await loadStock(test, { productCode: 'ESIMGO', denomination: TEN, file, by: 'test' })
    await test.database.query(
      `select bind_stock(array[i.id], array[1::bigint], array[$2::bigint], now()) from stock_items i
        where i.batch_id = $1`,
      [batch.id, id],
    )
    const output = { serialNumber: 'SN-7', pin, expiry: '20991231', voucherLink: link, note: '' }
    for (const reference of [order.reference, `W${id}-2`]) {
      expect(await provider.submit({ ...order, reference }, never())).toEqual({ kind: 'succeeded', output })
      expect(await provider.query({ ...order, reference }, never())).toEqual({ kind: 'succeeded', output })
    }
  })

  it('never gives anything to a payment without an item', async () => {
    const order = newOrder()
    expect(await provider.submit(order, never())).toMatchObject({ kind: 'not_acted', code: 45 })
    expect(await provider.query(order, never())).toEqual({ kind: 'not_found' })
    expect(await provider.query({ ...order, reference: 'of somebody else' }, never())).toEqual({
      kind: 'not_found',
    })
  })

  it('says unknown of an item that does not open, and nothing of what is in it', async () => {
    const order = await orderOfSold()
    const other = await openTestDatabase()
    try {
      const foreign = createStockProvider({
        code: SHELF,
        database: test.database,
        vault: other.vault,
        onProblem: (text) => problems.push(text),
      })
      expect(await foreign.submit(order, never())).toEqual({
        kind: 'unknown',
        reason: 'the stock could not be read',
      })
      expect(problems.at(-1)).toMatch(/^the item of payment \d+ could not be read$/)
    } finally {
      await other.close()
    }
  })

  it('does not open a sealed item that was moved to another row', async () => {
    const [mine, theirs] = [await orderOfSold(), await orderOfSold()]
    const idOf = ({ reference }: Order) => /\d+/.exec(reference)?.[0]
    await test.database.query('alter table stock_items disable trigger stock_items_sold_once')
    await test.database.query(
      `update stock_items i set sealed = o.sealed from stock_items o where i.payment_id = $1 and o.payment_id = $2`,
      [idOf(mine), idOf(theirs)],
    )
    await test.database.query('alter table stock_items enable trigger stock_items_sold_once')
    expect((await provider.query(mine, never())).kind).toBe('unknown')
    expect((await provider.query(theirs, never())).kind).toBe('succeeded')
  })

  it('says unknown while the database is out of reach', async () => {
    const order = await orderOfSold()
    const gone = openDatabase(test.database.options)
    await gone.close()
    const lost = createStockProvider({ code: SHELF, database: gone, vault: test.vault, onProblem: () => {} })
    expect((await lost.submit(order, never())).kind).toBe('unknown')
    expect((await lost.query(order, never())).kind).toBe('unknown')
  })
})

it('a connection to the stock has nothing to configure, and says so', () => {
  const kind = createStockKind({ database: test.database, vault: test.vault, onProblem: () => {} })
  expect(kind.check({}, {})).toEqual([])
  expect(kind.check({ url: 'x' }, { token: 'x' })).toEqual([
    { path: 'url', message: 'the stock has no such setting' },
    { path: 'secrets.token', message: 'the stock has no secrets' },
  ])
  expect(kind.check([], {})).toHaveLength(1)
  const made = kind.create({ code: `shelf-${randomBytes(2).toString('hex')}`, config: {}, secrets: {} })
  expect(made.reservesStock).toBe(true)
})
