import { describe, expect, it } from 'vitest'
import type { SettledAttempt } from '../payments/support/settled.types.ts'
import { compareLine } from './compare.rules.ts'
import type { SettlementLine } from './types.ts'

const line = (change: Partial<SettlementLine> = {}): SettlementLine => ({
  line: 7,
  reference: 'W5-1',
  paymentId: 5n,
  attempt: 1,
  amount: 100_000n,
  state: 'succeeded',
  serialNumber: '',
  at: null,
  ...change,
})
const ours = (change: Partial<SettledAttempt> = {}): SettledAttempt => ({
  resellerId: 1n,
  paymentId: 5n,
  attempt: 1,
  amount: 20_000n,
  faceValue: 100_000n,
  serialNumber: '',
  state: 'succeeded',
  isOpen: false,
  ...change,
})

describe('a line', () => {
  it.each([
    ['succeeded', 'succeeded', true],
    ['succeeded', 'failed', false],
    ['succeeded', 'pending', false],
    ['succeeded', 'voided', false],
    ['failed', 'succeeded', false],
    ['failed', 'failed', true],
    ['failed', 'pending', false],
    ['failed', 'voided', true],
    ['pending', 'succeeded', true],
    ['pending', 'failed', true],
    ['pending', 'pending', true],
    ['pending', 'voided', true],
  ] as const)('%s there and %s here agree: %s', (theirs, mine, agree) => {
    const found = compareLine(line({ state: theirs }), ours({ state: mine }))
    expect(found).toEqual(
      agree ? [] : [expect.objectContaining({ kind: 'state', theirs, ours: mine, line: 7 })],
    )
  })

  it.each([
    [100_000n, true],
    [20_000n, true],
    [100_001n, false],
    [0n, false],
  ])('a line of %s agrees with an amount of 2 and a face value of 10: %s', (amount, agree) => {
    const found = compareLine(line({ amount }), ours())
    expect(found.map(({ kind }) => kind)).toEqual(agree ? [] : ['amount'])
  })

  it('a line that failed at the provider has no amount to compare', () => {
    expect(compareLine(line({ state: 'failed', amount: 0n }), ours({ state: 'failed' }))).toEqual([])
  })

  it('may be wrong in both ways', () => {
    const found = compareLine(line({ amount: 1n }), ours({ state: 'failed' }))
    expect(found.map(({ kind }) => kind)).toEqual(['state', 'amount'])
  })

  it('about nothing of ours is missing here', () => {
    expect(compareLine(line(), undefined)).toMatchObject([
      { kind: 'missing_here', theirs: 'succeeded 10.00', ours: '', resellerId: null },
    ])
  })
})
