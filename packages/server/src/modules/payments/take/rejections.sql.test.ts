import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CommandChange, Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  databaseMs,
  expectSoundMoney,
  LEASE_MS,
  newRefid,
  openPaymentsBench,
  payWith,
} from '../../../testing/payments/payments.ts'
import type { IntakeRow } from './intake.sql.ts'
import { takePayments } from './intake.sql.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

async function take(resellerId: bigint, changes: readonly CommandChange[]): Promise<IntakeRow[]> {
  const commands = changes.map((change) => ({ ...commandFor(resellerId, change), sealedInput: null }))
  const rows = await takePayments(bench.database, commands, { skewMaxSeconds: 300, leaseMs: LEASE_MS })
  return rows.sort((a, b) => a.command - b.command)
}

it('a rejection is answered with its instant by the database’s clock; an existing payment has none', async () => {
  const reseller = await bench.newReseller(10_000n)
  const { refid } = await payWith(node, reseller)
  const fromMs = await databaseMs(bench.database)
  const rows = await take(reseller, [{ isJudgedNo: true }, { refid }, {}, { isLookupOnly: true }])
  const toMs = await databaseMs(bench.database)
  expect(rows.map(({ verdict }) => verdict)).toEqual(['absent', 'existing', 'insufficient', 'absent'])
  const [judged, existing, short, looked] = rows.map(({ rejected_ms }) => rejected_ms)
  expect([existing, looked]).toEqual([null, null])
  expect(short).toBe(judged)
  expect(judged).toBeGreaterThanOrEqual(fromMs)
  expect(judged).toBeLessThanOrEqual(toMs)
})

it('a rejection that is repeated holds against requests that were received before the last one', async () => {
  const reseller = await bench.newReseller(100_000n)
  const refid = newRefid()
  await take(reseller, [{ refid, isJudgedNo: true }])
  const receivedAtMs = await databaseMs(bench.database)
  await take(reseller, [{ refid, isJudgedNo: true }])
  expect(await take(reseller, [{ refid, times: { receivedAtMs } }])).toMatchObject([{ verdict: 'outranked' }])
  const later = { receivedAtMs: await databaseMs(bench.database) }
  expect(await take(reseller, [{ refid, times: later }])).toMatchObject([{ verdict: 'created' }])
})

it('a rejection of two requests of one batch holds against those that were signed before the later one', async () => {
  const reseller = await bench.newReseller(100_000n)
  const refid = newRefid()
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const signedAt = (seconds: number) => ({ times: { signedAtSeconds: nowSeconds + seconds } })
  await take(reseller, [
    { refid, isJudgedNo: true, ...signedAt(20) },
    { refid, isJudgedNo: true, ...signedAt(0) },
  ])
  expect(await take(reseller, [{ refid, ...signedAt(10) }])).toMatchObject([{ verdict: 'outranked' }])
  expect(await take(reseller, [{ refid, ...signedAt(20) }])).toMatchObject([{ verdict: 'created' }])
})

it('a request is taken while its client waits', async () => {
  const reseller = await bench.newReseller(100_000n)
  const times = { notAfterMs: (await databaseMs(bench.database)) + 3_600_000 }
  expect(await take(reseller, [{ times }])).toMatchObject([{ verdict: 'created' }])
})
