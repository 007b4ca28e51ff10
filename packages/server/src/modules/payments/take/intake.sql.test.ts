import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Queryable } from '../../../db/database.ts'
import type { CommandChange, Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  LEASE_MS,
  letBatchesWait,
  newRefid,
  openPaymentsBench,
  payWith,
  takeTogether,
  untilWaiting,
  verdictsOf,
} from '../../../testing/payments/payments.ts'
import { expectSoundStock, fillShelf, newPin, SHELF, TEN } from '../../../testing/providers/stock.ts'
import { listStock } from '../../providers/stock/sql.ts'
import type { Payment } from '../core/types.ts'
import { takePayments } from './intake.sql.ts'

let bench: PaymentsBench
let node: Node
let products = 0

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterEach(async () => {
  await expectSoundMoney(bench.database)
  await expectSoundStock(bench.database)
})

/** Creates a product for this test, with the given number of items in stock. */
async function shelve(items: number, expiry = ''): Promise<string> {
  products += 1
  const product = `PIN${products}`
  if (items > 0) await addTo(product, items, expiry)
  return product
}

async function addTo(productCode: string, items: number, expiry = ''): Promise<string[]> {
  const pins = Array.from({ length: items }, newPin)
  await fillShelf(bench, { productCode, pins, expiry })
  return pins
}

const sale = (product: string, change: CommandChange = {}): CommandChange => ({
  product,
  amount: TEN,
  reservesStock: true,
  provider: SHELF,
  ...change,
})

async function countOf(product: string) {
  return (await listStock(bench.database)).find(({ productCode }) => productCode === product)
}

async function expiryOf({ id }: Payment): Promise<string | undefined> {
  const { rows } = await bench.database.query<{ expiry: string }>(
    `select expiry::text from stock_items where payment_id = $1`,
    [id],
  )
  return rows[0]?.expiry
}

describe('a sale from the stock', () => {
  it('binds one item in the commit that takes the payment', async () => {
    const product = await shelve(3)
    const reseller = await bench.newReseller(100_000n)
    await payWith(node, reseller, sale(product))
    expect(await countOf(product)).toMatchObject({ free: 2, sold: 1 })
  })

  it('a sale from the stock of several at once is one commit, with an item for each', async () => {
    const [one, other] = [await shelve(3), await shelve(3)]
    const reseller = await bench.newReseller(100_000n)
    const commands = [one, other, one, other].map((product) => commandFor(reseller, sale(product)))
    expect(verdictsOf(await takeTogether(node, commands))).toEqual(Array(4).fill('created'))
    const { rows } = await bench.database.query<object>(
      `select distinct p.xmin::text as payment, i.xmin::text as item
         from payments p join stock_items i on i.payment_id = p.id where p.reseller_id = $1`,
      [reseller],
    )
    const [commit] = rows as [{ payment: string }]
    expect(rows).toEqual([{ payment: commit.payment, item: commit.payment }])
  })

  it('is refused when nothing is left, and nothing exists', async () => {
    const product = await shelve(2)
    const reseller = await bench.newReseller(100_000n)
    const commands = Array.from({ length: 4 }, () => commandFor(reseller, sale(product)))
    const results = await takeTogether(node, commands)
    expect(verdictsOf(results)).toEqual(['created', 'created', 'out_of_stock', 'out_of_stock'])
    expect(results[3]).toEqual({ verdict: 'out_of_stock', balance: 80_000n })
    expect(await bench.refidsOf(reseller)).toHaveLength(2)
    const later = await takeTogether(node, [commandFor(reseller, sale(product))])
    expect(verdictsOf(later)).toEqual(['out_of_stock'])
  })

  it('a sale of an item that was never loaded, or not in that denomination, is out of stock', async () => {
    const reseller = await bench.newReseller(100_000n)
    const product = await shelve(1)
    const results = await takeTogether(node, [
      commandFor(reseller, sale(await shelve(0))),
      commandFor(reseller, sale(product, { amount: TEN * 2n })),
    ])
    expect(verdictsOf(results)).toEqual(['out_of_stock', 'out_of_stock'])
  })

  it('a sale from the stock that the wallet cannot pay leaves the item to the next one, of the same batch too', async () => {
    const product = await shelve(1)
    const [poor, rich] = [await bench.newReseller(1n), await bench.newReseller(100_000n)]
    const results = await takeTogether(node, [
      commandFor(poor, sale(product)),
      commandFor(rich, sale(product)),
      commandFor(poor, sale(product)),
    ])
    // Commands run by reseller, and for each reseller in the order of arrival: the poor one asks while the item is
    // still there.
    expect(verdictsOf(results)).toEqual(['insufficient', 'created', 'insufficient'])
    expect(await countOf(product)).toMatchObject({ free: 0, sold: 1 })
  })

  it('says out of stock before it says that the wallet is too low', async () => {
    const product = await shelve(0)
    const poor = await bench.newReseller(1n)
    expect(verdictsOf(await takeTogether(node, [commandFor(poor, sale(product))]))).toEqual(['out_of_stock'])
  })

  it('takes what expires first, never what has expired, and what never expires last', async () => {
    const product = await shelve(1, '20991231')
    await addTo(product, 1)
    await addTo(product, 1, '20970101')
    await addTo(product, 1, '20981231')
    await bench.database.query(
      `update stock_items set expiry = (now() at time zone 'Asia/Kuala_Lumpur')::date - 1
        where product_code = $1 and expiry = '2097-01-01'`,
      [product],
    )
    expect(await countOf(product)).toMatchObject({ free: 3, expired: 1 })
    const reseller = await bench.newReseller(100_000n)
    const expiries: (string | undefined)[] = []
    for (let turn = 0; turn < 3; turn += 1)
      expiries.push(await expiryOf(await payWith(node, reseller, sale(product))))
    expect(expiries).toEqual(['2098-12-31', '2099-12-31', 'infinity'])
    const last = await takeTogether(node, [commandFor(reseller, sale(product))])
    expect(verdictsOf(last)).toEqual(['out_of_stock'])
  })

  it('is good until the end of its last day', async () => {
    const product = await shelve(1, '20991231')
    await bench.database.query(
      `update stock_items set expiry = (now() at time zone 'Asia/Kuala_Lumpur')::date where product_code = $1`,
      [product],
    )
    await payWith(node, await bench.newReseller(100_000n), sale(product))
  })

  it('a sale under one refid takes one item, however often it is asked for', async () => {
    const product = await shelve(5)
    const reseller = await bench.newReseller(100_000n)
    const refid = newRefid()
    const command = () => commandFor(reseller, sale(product, { refid }))
    const together = await takeTogether(node, [command(), command(), command()])
    const later = await takeTogether(node, [command()])
    expect(verdictsOf([...together, ...later])).toEqual(['created', 'existing', 'existing', 'existing'])
    expect(await countOf(product)).toMatchObject({ free: 4, sold: 1 })
  })

  it('a sale from the stock of the last item answers its own polls with the payment, and others with out of stock', async () => {
    const product = await shelve(1)
    const reseller = await bench.newReseller(100_000n)
    const refid = newRefid()
    const results = await takeTogether(node, [
      commandFor(reseller, sale(product, { refid })),
      commandFor(reseller, sale(product)),
      commandFor(reseller, sale(product, { refid })),
    ])
    expect(verdictsOf(results)).toEqual(['created', 'out_of_stock', 'existing'])
  })

  it('goes beside payments of other providers in one batch, several products at once', async () => {
    const [one, other] = [await shelve(1), await shelve(2)]
    const reseller = await bench.newReseller(100_000n)
    const results = await takeTogether(node, [
      commandFor(reseller),
      commandFor(reseller, sale(other)),
      commandFor(reseller, sale(one)),
      commandFor(reseller, sale(one)),
      commandFor(reseller, { isJudgedNo: true, reservesStock: true }),
      commandFor(reseller, sale(other)),
      commandFor(reseller, { product: one }),
    ])
    expect(verdictsOf(results)).toEqual([
      'created',
      'created',
      'created',
      'out_of_stock',
      'absent',
      'created',
      'created',
    ])
  })

  it('a sale whose money goes back has spent its item, and the item is never sold again', async () => {
    const product = await shelve(2)
    const reseller = await bench.newReseller(100_000n)
    const [failed, voided] = [
      await payWith(node, reseller, sale(product)),
      await payWith(node, reseller, sale(product)),
    ]
    const move = (payment: Payment, outcome: Parameters<Node['resolver']['submit']>[0]['outcome']) =>
      node.resolver.submit({ resellerId: reseller, id: payment.id, outcome, nextMs: 0 })
    await move(failed, { kind: 'failed', code: 47, reason: 'Service_Unavailable' })
    const output = { serialNumber: '', pin: '', expiry: '', voucherLink: '', note: '' }
    await move(voided, { kind: 'succeeded', output })
    expect(await countOf(product)).toMatchObject({ sold: 1, spent: 1 })
    await move(voided, { kind: 'voided' })
    expect(await countOf(product)).toMatchObject({ free: 0, sold: 0, spent: 2 })
    const later = await takeTogether(node, [commandFor(reseller, sale(product))])
    expect(verdictsOf(later)).toEqual(['out_of_stock'])
  })
})

describe('the choice of a provider', () => {
  it('is on the timeline where there is something to say about it, and only of what was taken', async () => {
    const reseller = await bench.newReseller(30_000n)
    const note = 'backup; passed over: acme (open)'
    const results = await takeTogether(node, [
      commandFor(reseller, { routeNote: note }),
      commandFor(reseller),
      commandFor(reseller, { routeNote: note, cost: 20_000n }),
      commandFor(reseller, { routeNote: 'of what was judged no', isJudgedNo: true }),
    ])
    expect(verdictsOf(results)).toEqual(['created', 'created', 'insufficient', 'absent'])
    const { rows } = await bench.database.query<object>(
      'select payment_id, kind, code, detail from payment_changes where reseller_id = $1',
      [reseller],
    )
    const [first] = results
    const id = first?.verdict === 'created' ? first.payment.id : undefined
    expect(rows).toEqual([{ payment_id: id, kind: 'route', code: 0, detail: note }])
  })
})

it('an item that a commit under way has sold is sold to nobody else, and nobody waits for it', async () => {
  const product = await shelve(2)
  const [one, other] = [await bench.newReseller(1_000_000n), await bench.newReseller(1_000_000n)]
  const sell = async (connection: Queryable, reseller: bigint) => {
    const command = { ...commandFor(reseller, sale(product)), sealedInput: null }
    const [row] = await takePayments(connection, [command], { skewMaxSeconds: 300, leaseMs: LEASE_MS })
    return row?.verdict
  }
  const verdicts = await bench.database.transaction(async (tx) => [
    await sell(tx, one),
    await sell(node.database, other),
    await sell(node.database, other),
  ])
  expect(verdicts).toEqual(['created', 'created', 'out_of_stock'])
  expect(await countOf(product)).toMatchObject({ free: 0, sold: 2 })
})

it('a payment that another commit makes while this one waits for the wallet is found, and not made again', async () => {
  const restore = await letBatchesWait(bench.database)
  const reseller = await bench.newReseller(100_000n)
  const command = { ...commandFor(reseller), sealedInput: null }
  const take = (connection: Queryable) =>
    takePayments(connection, [command], { skewMaxSeconds: 300, leaseMs: LEASE_MS })
  const { made, waiting } = await bench.database.transaction(async (tx) => {
    const [row] = await take(tx)
    const second = take(node.database)
    await untilWaiting(bench.database, 'take_payments', 1)
    return { made: row, waiting: second }
  })
  expect(made).toMatchObject({ verdict: 'created', balance: 90_000n })
  expect(await waiting).toMatchObject([{ verdict: 'existing', id: made?.id }])
  expect(await bench.balanceOf(reseller)).toBe(90_000n)
  await restore()
})
