import { afterAll, beforeAll, expect, it } from 'vitest'
import { FAILURE_CODES } from '../../../lib/failure-codes.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { commandFor, openPaymentsBench, takeTogether } from '../../../testing/payments/payments.ts'
import { resolvePayments } from '../outcomes/resolve.sql.ts'
import { isFinal, mayMove } from './states.rules.ts'
import type { Payment, PaymentCode } from './types.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())

const CODES: readonly PaymentCode[] = [0, 1, 20, 53, ...FAILURE_CODES]
const PAIRS = CODES.flatMap((from) => CODES.map((to) => ({ from, to })))

it('the table says: Accepted and Processing end, Succesful is voided, and nothing else moves', () => {
  const moves = PAIRS.filter(({ from, to }) => mayMove(from, to)).map(({ from, to }) => `${from}>${to}`)
  const endings = [20, ...FAILURE_CODES]
  expect(moves.sort()).toEqual(
    [...endings.map((to) => `0>${to}`), ...endings.map((to) => `1>${to}`), '0>1', '20>53'].sort(),
  )
  expect(CODES.filter((code) => !isFinal(code))).toEqual([0, 1])
})

async function putInState({ resellerId, id }: Payment, code: PaymentCode): Promise<void> {
  await bench.database.query('update payments set code = $3 where reseller_id = $1 and id = $2', [
    resellerId,
    id,
    code,
  ])
  if (!isFinal(code)) return
  await bench.database.query('delete from payment_work where reseller_id = $1 and payment_id = $2', [
    resellerId,
    id,
  ])
}

it('the guard in the database agrees with the table for every pair of codes', async () => {
  const reseller = await bench.newReseller(BigInt(PAIRS.length) * 10_000n)
  const taken = await takeTogether(
    node,
    PAIRS.map(() => commandFor(reseller)),
  )
  const payments = taken.map((result) => {
    if (result.verdict !== 'created') throw new Error(result.verdict)
    return result.payment
  })
  for (const [index, { from }] of PAIRS.entries()) await putInState(payments[index] as Payment, from)
  const { moved } = await resolvePayments(
    bench.database,
    PAIRS.map(({ to }, index) => ({
      resellerId: reseller,
      id: (payments[index] as Payment).id,
      code: to,
      failure: null,
      serialNumber: null,
      expiry: null,
      note: null,
      sealedOutput: null,
      nextMs: 1_000,
    })),
  )
  for (const [index, { from, to }] of PAIRS.entries()) {
    const payment = payments[index] as Payment
    const after = mayMove(from, to) ? to : from
    const state = { isMoved: moved.has(index), code: await bench.codeOf(payment) }
    expect({ from, to, ...state }).toEqual({ from, to, isMoved: mayMove(from, to), code: after })
    // A payment that is not final must still have work.
    expect({ from, to, isWork: (await bench.workOf(payment)) !== undefined }).toEqual({
      from,
      to,
      isWork: !isFinal(after),
    })
  }
})
