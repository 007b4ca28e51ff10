import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { limitMember, limitReseller } from '../../../testing/payments/limits.ts'
import type { PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  openPaymentsBench,
  takeTogether,
} from '../../../testing/payments/payments.ts'

const RM = 10_000n
const RACERS = 25

let bench: PaymentsBench

beforeAll(async () => {
  bench = await openPaymentsBench()
})
afterAll(() => bench.close())
afterEach(() => expectSoundMoney(bench.database))

/** Pays on two nodes at once; returns how many payments were taken. */
async function race(reseller: bigint, change: Parameters<typeof commandFor>[1]): Promise<number> {
  const nodes = [bench.openNode(), bench.openNode()]
  const results = await Promise.all(
    nodes.flatMap((node) =>
      // Batches of five, so that both nodes take turns at the wallet.
      Array.from({ length: RACERS / 5 }, () =>
        takeTogether(
          node,
          Array.from({ length: 5 }, () => commandFor(reseller, change)),
        ),
      ),
    ),
  )
  const verdicts = results.flat().map(({ verdict }) => verdict)
  const taken = verdicts.filter((verdict) => verdict === 'created').length
  expect(verdicts.filter((verdict) => verdict === 'limited')).toHaveLength(2 * RACERS - taken)
  return taken
}

it('fifty payments that race on two nodes pass exactly as many as an account may get', async () => {
  const reseller = await bench.newReseller(100n * RM)
  await limitReseller(bench.database, reseller, { scope: 'account', period: 'day', payments: 17 })
  expect(await race(reseller, { cost: RM })).toBe(17)
})

it('fifty payments that race on two nodes pass exactly the sum that a reseller may pay', async () => {
  const reseller = await bench.newReseller(1_000n * RM)
  await limitReseller(bench.database, reseller, { scope: 'reseller', period: 'month', sum: 50n * RM })
  expect(await race(reseller, { cost: 2n * RM, faceValue: 3n * RM })).toBe(16)
})

it('fifty payments that race with one key pass exactly what its cap allows', async () => {
  const reseller = await bench.newReseller(1_000n * RM)
  expect(await race(reseller, { cost: 3n * RM, purposeId: 7n, caps: { dailyCap: 50n * RM } })).toBe(16)
})

it('fifty payments of a member that race on two nodes pass exactly the number and the sum that the member may sell', async () => {
  const reseller = await bench.newReseller(1_000n * RM)
  const many = await limitMember(bench.database, reseller, { period: 'day', payments: 13 })
  const much = await limitMember(bench.database, reseller, { period: 'month', sum: 50n * RM })
  const category = 'GAMES'
  expect(await race(reseller, { cost: RM, memberId: many, category })).toBe(13)
  expect(await race(reseller, { cost: 2n * RM, faceValue: 3n * RM, memberId: much, category })).toBe(16)
  const free = commandFor(reseller, { memberId: '999999', category })
  expect((await takeTogether(bench.openNode(), [free])).map(({ verdict }) => verdict)).toEqual(['created'])
})

it('a limit that is set while payments race counts each of them once', async () => {
  const reseller = await bench.newReseller(1_000n * RM)
  const node = bench.openNode()
  const pay = () => takeTogether(node, [commandFor(reseller), commandFor(reseller)])
  const before = await Promise.all([pay(), pay(), pay()])
  const [during] = await Promise.all([
    Promise.all([pay(), pay(), pay()]),
    limitReseller(bench.database, reseller, { scope: 'reseller', period: 'day', payments: 20 }),
  ])
  const taken = [...before, ...during].flat().length
  expect(await race(reseller, {})).toBe(20 - taken)
})
