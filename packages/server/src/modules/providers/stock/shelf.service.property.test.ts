import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  openPaymentsBench,
  takeTogether,
  verdictsOf,
} from '../../../testing/payments/payments.ts'
import { expectSoundStock, fillShelf, newPin, SHELF, TEN } from '../../../testing/providers/stock.ts'
import { runs } from '../../../testing/runs.ts'
import type { Payment } from '../../payments/core/types.ts'
import { withdrawBatch } from './shelf.service.ts'
import { listStock } from './sql.ts'

let bench: PaymentsBench
let node: Node
let shelves = 0

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())

const COST = 10_000n
const KINDS = 2

type Count = { free: number; sold: number; spent: number; expired: number; withdrawn: number }
type Sold = { payment: Payment; kind: number; state: 'open' | 'succeeded' | 'given back' }
type Batch = { id: bigint; kind: number; expired: number }

type Act =
  | { act: 'load'; kind: number; items: number; isExpired: boolean }
  | { act: 'sell'; kinds: number[] }
  | { act: 'succeed' | 'give back'; which: number }
  | { act: 'withdraw'; which: number }
  | { act: 'deposit'; payments: number }

const kind = fc.nat({ max: KINDS - 1 })
const which = fc.nat({ max: 30 })
const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    act: fc.constant('load' as const),
    kind,
    items: fc.integer({ min: 1, max: 4 }),
    isExpired: fc.boolean(),
  }),
  fc.record({
    act: fc.constant('sell' as const),
    kinds: fc.array(kind, { minLength: 1, maxLength: 6 }),
  }),
  fc.record({ act: fc.constantFrom('succeed' as const, 'give back' as const), which }),
  fc.record({ act: fc.constant('withdraw' as const), which }),
  fc.record({ act: fc.constant('deposit' as const), payments: fc.integer({ min: 1, max: 5 }) }),
)

it('each item is sold once, and the counts add up, whatever is loaded, sold, failed, voided and withdrawn', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 5, maxLength: 30 }), async (list) => {
      const model = await openModel()
      for (const each of list) await model.run(each)
      await model.check()
    }),
    { numRuns: runs(25) },
  )
  await expectSoundMoney(bench.database)
  await expectSoundStock(bench.database)
})

async function openModel() {
  shelves += 1
  const products = Array.from({ length: KINDS }, (_, index) => `RUN${shelves}K${index}`)
  const counts: Count[] = products.map(() => ({ free: 0, sold: 0, spent: 0, expired: 0, withdrawn: 0 }))
  const batches: Batch[] = []
  const sold: Sold[] = []
  const resellerId = await bench.newReseller(COST * 3n)
  let affordable = 3

  async function load(kindOf: number, items: number, isExpired: boolean): Promise<void> {
    const productCode = products[kindOf] as string
    const { id } = await fillShelf(bench, { productCode, pins: Array.from({ length: items }, newPin) })
    if (isExpired) {
      await bench.database.query('update stock_items set expiry = current_date - 10 where batch_id = $1', [
        id,
      ])
    }
    const count = counts[kindOf] as Count
    if (isExpired) count.expired += items
    else count.free += items
    batches.push({ id, kind: kindOf, expired: isExpired ? items : 0 })
  }

  async function sell(kinds: readonly number[]): Promise<void> {
    const expected = kinds.map((each) => {
      const count = counts[each] as Count
      if (count.free === 0) return 'out_of_stock'
      if (affordable === 0) return 'insufficient'
      affordable -= 1
      count.free -= 1
      count.sold += 1
      return 'created'
    })
    const results = await takeTogether(
      node,
      kinds.map((each) =>
        commandFor(resellerId, {
          product: products[each] as string,
          amount: TEN,
          cost: COST,
          reservesStock: true,
          provider: SHELF,
        }),
      ),
    )
    expect(verdictsOf(results)).toEqual(expected)
    for (const [index, result] of results.entries()) {
      if (result.verdict !== 'created') continue
      sold.push({ payment: result.payment, kind: kinds[index] as number, state: 'open' })
    }
  }

  async function resolve(act: 'succeed' | 'give back', place: number): Promise<void> {
    const each = sold[place % Math.max(1, sold.length)]
    if (each === undefined || each.state === 'given back') return
    if (act === 'succeed' && each.state === 'succeeded') return
    const output = { serialNumber: '', pin: '', expiry: '', voucherLink: '', note: '' }
    const outcome =
      act === 'succeed'
        ? ({ kind: 'succeeded', output } as const)
        : each.state === 'succeeded'
          ? ({ kind: 'voided' } as const)
          : ({ kind: 'failed', code: 47, reason: 'x' } as const)
    expect(await node.resolver.submit({ resellerId, id: each.payment.id, outcome, nextMs: 0 })).toBe(true)
    each.state = act === 'succeed' ? 'succeeded' : 'given back'
    if (act === 'succeed') return
    const count = counts[each.kind] as Count
    count.sold -= 1
    count.spent += 1
    affordable += 1
  }

  async function withdraw(place: number): Promise<void> {
    const [batch] = batches.splice(place % Math.max(1, batches.length), 1)
    if (batch === undefined) return
    const { rows } = await bench.database.query<{ id: bigint }>(
      'select id from stock_items where batch_id = $1 and payment_id is null',
      [batch.id],
    )
    const { items } = await withdrawBatch(bench.database, batch.id, { by: 'test', reason: 'test' })
    expect(items).toBe(rows.length)
    const count = counts[batch.kind] as Count
    count.withdrawn += items
    count.expired -= batch.expired
    count.free -= items - batch.expired
  }

  return {
    async run(each: Act): Promise<void> {
      if (each.act === 'load') await load(each.kind, each.items, each.isExpired)
      else if (each.act === 'sell') await sell(each.kinds)
      else if (each.act === 'withdraw') await withdraw(each.which)
      else if (each.act === 'deposit') {
        await bench.deposit(resellerId, COST * BigInt(each.payments))
        affordable += each.payments
      } else await resolve(each.act, each.which)
    },
    async check(): Promise<void> {
      const listed = await listStock(bench.database)
      for (const [index, productCode] of products.entries()) {
        const found = listed.find((count) => count.productCode === productCode)
        if (found === undefined) expect(counts[index]).toEqual(EMPTY)
        else expect(found).toMatchObject(counts[index] as Count)
      }
    },
  }
}

const EMPTY: Count = { free: 0, sold: 0, spent: 0, expired: 0, withdrawn: 0 }
