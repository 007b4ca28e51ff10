import { describe, expect, it } from 'vitest'
import type { SettledAttempt } from '../payments/support/settled.types.ts'
import type { FileAmounts } from './compare.rules.ts'
import { addToSums, compareLine, missingThere, NO_SUMS } from './compare.rules.ts'
import type { SettlementLine } from './types.ts'

const OF_PAYMENTS: FileAmounts = { amountOf: 'payment', currency: 'MYR' }
const IN_USD: FileAmounts = { amountOf: 'cost', currency: 'USD' }

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
  cost: null,
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
    const found = compareLine(OF_PAYMENTS, line({ state: theirs }), ours({ state: mine }))
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
    const found = compareLine(OF_PAYMENTS, line({ amount }), ours())
    expect(found.map(({ kind }) => kind)).toEqual(agree ? [] : ['amount'])
  })

  it('a line that failed at the provider has no amount to compare', () => {
    expect(
      compareLine(OF_PAYMENTS, line({ state: 'failed', amount: 0n }), ours({ state: 'failed' })),
    ).toEqual([])
  })

  it('may be wrong in both ways', () => {
    const found = compareLine(OF_PAYMENTS, line({ amount: 1n }), ours({ state: 'failed' }))
    expect(found.map(({ kind }) => kind)).toEqual(['state', 'amount'])
  })

  it('about nothing of ours is missing here', () => {
    expect(compareLine(OF_PAYMENTS, line(), undefined)).toMatchObject([
      { kind: 'missing_here', theirs: 'succeeded 10.00', ours: '', resellerId: null },
    ])
  })
})

describe('a line that says what the supplier took', () => {
  const RATE = 470_000_000n
  const paid = (amount: bigint, currency = 'USD', rate: bigint | null = RATE) =>
    ours({ cost: { amount, currency, rate } })

  it.each([
    [2_300n, 2_300n, true],
    [2_300n, 2_349n, true],
    [2_300n, 2_250n, true],
    [2_300n, 2_350n, false],
    [2_301n, 2_300n, false],
    [2_300n, 2_400n, false],
  ])('a line of %s agrees with an answer of %s to its hundredth: %s', (amount, answered, agree) => {
    const found = compareLine(IN_USD, line({ amount }), paid(answered))
    expect(found.map(({ kind }) => kind)).toEqual(agree ? [] : ['amount'])
  })

  it('shows both sides in the currency, and in ringgit by the rate that is kept', () => {
    expect(compareLine(IN_USD, line({ amount: 2_500n }), paid(2_300n))).toMatchObject([
      { theirs: '0.25 USD', ours: '0.23 USD', theirsRinggit: 11_750n, oursRinggit: 10_810n },
    ])
    expect(compareLine(IN_USD, line({ amount: 2_500n }), paid(2_300n, 'USD', null))).toMatchObject([
      { theirsRinggit: null, oursRinggit: null },
    ])
    expect(compareLine(IN_USD, line({ amount: 2_300n }), paid(2_300n, 'EUR'))).toMatchObject([
      { theirs: '0.23 USD', ours: '0.23 EUR', theirsRinggit: null, oursRinggit: 10_810n },
    ])
    expect(compareLine(IN_USD, line({ amount: 2_500n }), undefined)).toMatchObject([
      { kind: 'missing_here', theirs: 'succeeded 0.25 USD' },
    ])
    expect(missingThere(IN_USD, paid(2_300n), 'W5-1')).toMatchObject({
      ours: 'succeeded 0.23 USD',
      oursRinggit: 10_810n,
    })
  })

  it('has nothing to compare where the answer said no cost', () => {
    expect(compareLine(IN_USD, line({ amount: 2_500n }), ours())).toEqual([])
  })

  it('is summed beside the answers, in ringgit until a rate is missing', () => {
    const sums = [paid(2_300n), ours(), paid(2_400n)].reduce(
      (former, each) => addToSums(former, IN_USD, line({ amount: 2_500n }), each),
      NO_SUMS,
    )
    const expected = { theirs: 5_000n, ours: 4_700n, theirsRinggit: 23_500n, oursRinggit: 22_090n }
    expect(sums).toEqual({ ...expected, told: 2, untold: 1 })
    const more = addToSums(sums, IN_USD, line({ amount: 1n }), paid(1n, 'USD', null))
    expect(more).toMatchObject({ theirs: 5_001n, theirsRinggit: null, oursRinggit: null, told: 3 })
  })
})
