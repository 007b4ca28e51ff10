import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  openPaymentsBench,
  takeTogether,
  verdictsOf,
} from '../../../testing/payments/payments.ts'
import { expectSoundStock, fillShelf, newPin, SHELF, TEN } from '../../../testing/providers/stock.ts'
import type { IntakeResult } from '../../payments/take/intake.types.ts'
import { createStockProvider } from './service.ts'
import { withdrawBatch } from './shelf.service.ts'
import { listStock } from './sql.ts'

let bench: PaymentsBench
let nodes: Node[]

beforeAll(async () => {
  bench = await openPaymentsBench()
  nodes = Array.from({ length: 4 }, () => bench.openNode())
})
afterAll(() => bench.close())
afterEach(async () => {
  await expectSoundMoney(bench.database)
  await expectSoundStock(bench.database)
})

const sale = (resellerId: bigint, product: string) =>
  commandFor(resellerId, { product, amount: TEN, reservesStock: true, provider: SHELF })

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

async function countOf(product: string) {
  return (await listStock(bench.database)).find(({ productCode }) => productCode === product)
}

it('nodes that sell the last items at once sell each of them once, all of them, and refuse the rest', async () => {
  const pins = many(500, newPin)
  await fillShelf(bench, { productCode: 'RUSH', pins })
  const resellers = await Promise.all(many(5, () => bench.newReseller(10_000_000n)))
  const rounds = await Promise.all(
    nodes.map(async (node, index) => {
      const results: IntakeResult[] = []
      for (let round = 0; round < 20; round += 1) {
        const commands = many(10, (each) => sale(resellers[(index + each) % 5] as bigint, 'RUSH'))
        results.push(...(await takeTogether(node, commands)))
      }
      return results
    }),
  )
  const results = rounds.flat()
  const created = results.flatMap((result) => (result.verdict === 'created' ? [result.payment] : []))
  expect(created).toHaveLength(500)
  expect(verdictsOf(results).filter((verdict) => verdict === 'out_of_stock')).toHaveLength(300)
  expect(await countOf('RUSH')).toMatchObject({ free: 0, sold: 500 })

  const { database, vault } = bench
  const provider = createStockProvider({ code: SHELF, database, vault, onProblem: () => {} })
  const given = await Promise.all(
    created.map(async ({ id }) => {
      const reference = `W${id}-1`
      const order = { ...ORDER, reference }
      const outcome = await provider.submit(order, new AbortController().signal)
      return outcome.kind === 'succeeded' ? outcome.output.pin : outcome.kind
    }),
  )
  expect(given.sort()).toEqual(pins.sort())
})

const ORDER = {
  productCode: 'RUSH',
  account: '',
  amount: TEN,
  faceValue: TEN,
  subproductCode: null,
  billerCode: null,
  ref2: null,
  icNumber: null,
  submittedAt: new Date(),
}

it('a batch that is withdrawn during the sale is sold or withdrawn item by item, never both', async () => {
  const batches = await Promise.all(
    many(5, () => fillShelf(bench, { productCode: 'RECALL', pins: many(40, newPin) })),
  )
  const reseller = await bench.newReseller(10_000_000n)
  const selling = nodes.map(async (node) => {
    let created = 0
    for (let round = 0; round < 10; round += 1) {
      const results = await takeTogether(
        node,
        many(5, () => sale(reseller, 'RECALL')),
      )
      created += verdictsOf(results).filter((verdict) => verdict === 'created').length
    }
    return created
  })
  const withdrawing = batches.slice(1).map(async ({ id }) => {
    const { items } = await withdrawBatch(bench.database, id, { by: 'test', reason: 'recalled' })
    return items
  })
  const sold = (await Promise.all(selling)).reduce((sum, each) => sum + each, 0)
  const withdrawn = (await Promise.all(withdrawing)).reduce((sum, each) => sum + each, 0)
  const count = await countOf('RECALL')
  expect(count).toMatchObject({ sold, withdrawn })
  expect(sold + withdrawn + (count?.free ?? 0)).toBe(200)
})

it('an item that another transaction holds is passed over and not waited for', async () => {
  await fillShelf(bench, { productCode: 'HELD', pins: many(2, newPin) })
  const reseller = await bench.newReseller(10_000_000n)
  const [node] = nodes as [Node]
  await bench.database.transaction(async (tx) => {
    await tx.query(`select * from reserve_stock(array['HELD'], array[$1::bigint])`, [TEN])
    const results = await takeTogether(node, [sale(reseller, 'HELD'), sale(reseller, 'HELD')])
    expect(verdictsOf(results)).toEqual(['created', 'out_of_stock'])
  })
  expect(verdictsOf(await takeTogether(node, [sale(reseller, 'HELD')]))).toEqual(['created'])
})
