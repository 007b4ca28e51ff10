import { afterAll, beforeAll, expect, it } from 'vitest'
import { leaseNowMs } from '../../../lib/lease-time.ts'
import { dispatcherAmong, dispatchOf } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import {
  createScriptedProvider,
  providersOf,
  SUCCEEDED,
} from '../../../testing/providers/scripted-provider.ts'
import { fillShelf, newPin, SHELF, TEN } from '../../../testing/providers/stock.ts'
import { createStockProvider } from './service.ts'
import { listStock } from './sql.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})

afterAll(() => bench.close())

const sale = { product: 'PINTEN', amount: TEN, reservesStock: true, provider: SHELF }

/** Brings a sale to its dispatcher when its lease is nearly over, with another provider available. */
async function sellTooLate() {
  await fillShelf(bench, { pins: [newPin()] })
  const { database, vault } = bench
  const shelf = createStockProvider({ code: SHELF, database, vault, onProblem: () => {} })
  const other = createScriptedProvider(SUCCEEDED)
  const payment = await payWith(node, await bench.newReseller(10_000n), sale)
  const leaseEndsMs = leaseNowMs() + 100
  const dispatcher = dispatcherAmong(node, providersOf(shelf, other))
  await dispatcher.send(dispatchOf(payment, { provider: SHELF, leaseEndsMs }))
  return { payment, other }
}

it('a sale whose turn comes too late is left to recovery: its item is neither lost nor bought elsewhere', async () => {
  const { payment, other } = await sellTooLate()
  expect(await bench.codeOf(payment)).toBe(0)
  expect(await listStock(bench.database)).toMatchObject([{ sold: 1, spent: 0 }])
  expect(other.submitted).toEqual([])
})
