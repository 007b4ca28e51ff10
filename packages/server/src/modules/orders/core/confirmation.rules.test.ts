import { describe, expect, it } from 'vitest'
import type { RequestError } from '../../../lib/errors.ts'
import type { Decision, Judgement } from '../../payments/core/types.ts'
import type { JudgedLine } from './confirmation.rules.ts'
import { insufficientBalance, judgeConfirmation } from './confirmation.rules.ts'

function accepted(cost: bigint): Judgement {
  return { kind: 'accepted', decision: { cost } as Decision }
}

function rejected(errors: Readonly<Record<string, readonly string[]>>): Judgement {
  return {
    kind: 'rejected',
    rejection: { code: 45, remarks: 'Out_Of_Stock', message: 'None is left.', errors },
  }
}

function judgedLine(line: number, unitPrice: bigint, judgement: Judgement | undefined): JudgedLine {
  return { line: { line, quantity: 2, unitPrice }, judgement }
}

function refusalOf(work: () => unknown): RequestError {
  try {
    work()
  } catch (error) {
    return error as RequestError
  }
  throw new Error('it was not refused')
}

const CAREFUL = { acceptsLoss: false }

describe('the confirmation of a basket', () => {
  it('gives the cost of one unit of each line', () => {
    const lines = [judgedLine(1, 100n, accepted(90n)), judgedLine(2, 50n, accepted(50n))]
    expect(judgeConfirmation(lines, CAREFUL)).toEqual([90n, 50n])
  })

  it('names every line that cannot be bought now, and why', () => {
    const lines = [
      judgedLine(1, 100n, accepted(900n)),
      judgedLine(2, 100n, undefined),
      judgedLine(3, 100n, rejected({})),
      judgedLine(4, 100n, rejected({ product: ['Not sold.'], account: ['Unknown.'] })),
    ]
    const refusal = refusalOf(() => judgeConfirmation(lines, { acceptsLoss: true }))
    expect(refusal).toMatchObject({ status: 409, code: 'item_unavailable' })
    expect({ ...refusal.fields }).toEqual({
      'items.1': ['Its supplier did not answer. Confirm again later.'],
      'items.2': ['None is left.'],
      'items.3.product_code': ['Not sold.'],
      'items.3.account': ['Unknown.'],
    })
  })

  it('is refused for one line that cannot be bought, although the others can', () => {
    const lines = [judgedLine(1, 100n, accepted(90n)), judgedLine(2, 100n, rejected({}))]
    expect(refusalOf(() => judgeConfirmation(lines, CAREFUL))).toMatchObject({ code: 'item_unavailable' })
  })

  it('names every line that costs more than its price, unless the account accepts the loss', () => {
    const lines = [judgedLine(1, 20_000n, accepted(20_000n)), judgedLine(2, 20_000n, accepted(20_001n))]
    const refusal = refusalOf(() => judgeConfirmation(lines, CAREFUL))
    expect(refusal).toMatchObject({
      status: 409,
      code: 'cost_above_price',
      extra: { error: 'cost_above_price', items: [{ line: 2, cost: '2.0001', unit_price: '2.00' }] },
    })
    expect({ ...refusal.fields }).toEqual({ 'items.1': ['costs 2.0001 now, and its price is 2.00'] })
    expect(judgeConfirmation(lines, { acceptsLoss: true })).toEqual([20_000n, 20_001n])
  })
})

describe('the refusal for lack of money', () => {
  it('sums up all units, and shows the balance', () => {
    const refusal = insufficientBalance([{ quantity: 2 }, { quantity: 3 }], [10_000n, 5_000n], 12_300n)
    expect(refusal).toMatchObject({
      status: 409,
      code: 'insufficient_balance',
      extra: { error: 'insufficient_balance', needed: '3.50', balance: '1.23' },
    })
  })

  it('the smallest balance is shown', () => {
    expect(insufficientBalance([{ quantity: 1 }], [2n], 1n).extra).toMatchObject({ balance: '0.0001' })
  })

  it.each([0n, -50_000n])('a balance of %s units is shown as nothing', (available) => {
    expect(insufficientBalance([{ quantity: 1 }], [1n], available).extra).toMatchObject({ balance: '0.00' })
  })
})
