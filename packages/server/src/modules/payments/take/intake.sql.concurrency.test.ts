import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Queryable } from '../../../db/database.ts'
import type { CommandChange, Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  LEASE_MS,
  openPaymentsBench,
  payWith,
} from '../../../testing/payments/payments.ts'
import { expectSoundStock, fillShelf, newPin, SHELF, TEN } from '../../../testing/providers/stock.ts'
import { takePayments } from './intake.sql.ts'

// Locks that taking must not wait for, and those that it must leave to others.

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterEach(async () => {
  await expectSoundMoney(bench.database)
  await expectSoundStock(bench.database)
})

async function take(connection: Queryable, resellerId: bigint, changes: readonly CommandChange[]) {
  const commands = changes.map((change) => ({ ...commandFor(resellerId, change), sealedInput: null }))
  const rows = await takePayments(connection, commands, { skewMaxSeconds: 300, leaseMs: LEASE_MS })
  return rows.map(({ verdict }) => verdict)
}

it('a payment that exists is found without waiting for the wallet, which somebody else may hold', async () => {
  const reseller = await bench.newReseller(100_000n)
  const { refid } = await payWith(node, reseller)
  const verdicts = await bench.database.transaction(async (tx) => {
    await tx.query('select from wallets where reseller_id = $1 for update', [reseller])
    return take(node.database, reseller, [{ refid }])
  })
  expect(verdicts).toEqual(['existing'])
})

it('a batch holds no more items of the stock than it sells from there', async () => {
  const [one, other] = [await bench.newReseller(1_000_000n), await bench.newReseller(1_000_000n)]
  await fillShelf(bench, { productCode: 'PINTEN', pins: [newPin(), newPin()] })
  const bought = { product: 'PINTEN', amount: TEN }
  const sale = { ...bought, reservesStock: true, provider: SHELF }
  const verdicts = await bench.database.transaction(async (tx) => [
    ...(await take(tx, one, [bought, sale])),
    ...(await take(node.database, other, [sale])),
  ])
  expect(verdicts).toEqual(['created', 'created', 'created'])
})
