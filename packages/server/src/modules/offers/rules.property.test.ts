import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Latest, Plan } from './rules.ts'
import { applied, differencesOf, planProposals } from './rules.ts'
import type { Offer } from './types.ts'

const text = fc.constantFrom(null, 'a', 'b')
const money = fc.option(
  fc.record({ amount: fc.constantFrom('1.00', '2.50'), currency: fc.constantFrom('MYR', 'USD') }),
  { nil: null },
)
const offerOf = (code: string): fc.Arbitrary<Offer> =>
  fc.record({
    code: fc.constant(code),
    name: fc.constantFrom('Nova 10', 'Nova 20'),
    brand: text,
    country: text,
    type: text,
    description: text,
    image: text,
    open: fc.boolean(),
    face: fc.constantFrom(null, { currency: 'MYR', min: '10.00', max: '10.00' }),
    cost: money,
    hours: fc.constantFrom(null, { opens: '08:00', closes: '22:00' }),
    validity: text,
    requires: fc.subarray(['sender', 'email']),
    values: fc.dictionary(fc.constantFrom('send', 'unit'), fc.constantFrom('1', '2')),
  })

const CODES = ['A', 'B', 'C']
const one = fc.option(offerOf('A'), { nil: null })
/** List with any of the offers; null: it does not have this one. */
const list = fc.tuple(...CODES.map((code) => fc.option(offerOf(code), { nil: null })))

describe('the differences between what is followed and what is listed', () => {
  it('turn the old list into the new one, in any order', () => {
    fc.assert(
      fc.property(list, list, fc.infiniteStream(fc.nat()), (old, now, random) => {
        for (const [index, known] of old.entries()) {
          const seen = now[index] ?? null
          const order = differencesOf(known, seen).map((each) => ({ each, at: random.next().value }))
          const shuffled = order.sort((a, b) => a.at - b.at).map(({ each }) => each)
          expect(shuffled.reduce(applied, known)).toEqual(seen)
        }
      }),
    )
  })

  it('are none between an offer and itself, and after all of them', () => {
    fc.assert(
      fc.property(list, list, (old, now) => {
        for (const [index, known] of old.entries()) {
          const seen = now[index] ?? null
          expect(differencesOf(seen, seen)).toEqual([])
          expect(differencesOf(differencesOf(known, seen).reduce(applied, known), seen)).toEqual([])
        }
      }),
    )
  })

  it('stand as the open proposals after any number of lists, each kind at most once', () => {
    fc.assert(
      fc.property(one, fc.array(one, { minLength: 1, maxLength: 5 }), (known, lists) => {
        let kept: Latest[] = []
        for (const seen of lists) {
          const wanted = differencesOf(known, seen)
          kept = carryOut(planProposals(wanted, latestOf(kept)), kept)
          const open = kept.filter(({ state }) => state === 'open')
          expect(open.map(({ id: _, state: __, ...each }) => each)).toEqual(expect.arrayContaining(wanted))
          expect(open).toHaveLength(wanted.length)
        }
      }),
    )
  })
})

function carryOut({ superseded, made }: Plan, kept: readonly Latest[]): Latest[] {
  return [
    ...kept.map((each) => (superseded.includes(each.id) ? { ...each, state: 'superseded' as const } : each)),
    ...made.map((each, index) => ({ ...each, id: BigInt(kept.length + index), state: 'open' as const })),
  ]
}

function latestOf(proposals: readonly Latest[]): Latest[] {
  return [...new Map(proposals.map((each) => [each.kind, each])).values()]
}

describe('rejections', () => {
  const [known, seen] = fc.sample(fc.tuple(offerOf('A'), offerOf('A')), { numRuns: 1, seed: 1 })[0] ?? []
  if (known === undefined || seen === undefined) throw new Error('there is a sample')
  const rejected = (kind: Latest['kind'], given: Pick<Latest, 'before' | 'after'>): Latest => ({
    id: 1n,
    kind,
    ...given,
    state: 'rejected',
  })
  const cost = (amount: string) => ({ ...known, cost: { amount, currency: 'MYR' } })

  it('a rejected cost is proposed again when it is another one', () => {
    const [first] = differencesOf(cost('1.00'), cost('2.00'))
    if (first === undefined) throw new Error('a cost differs')
    const latest = [rejected('cost_changed', first)]
    expect(planProposals([first], latest).made).toEqual([])
    expect(planProposals(differencesOf(cost('1.00'), cost('3.00')), latest).made).toHaveLength(1)
  })

  it('a rejected new offer is proposed again when it was away, and not when it changes', () => {
    const [first] = differencesOf(null, known)
    if (first === undefined) throw new Error('an offer is new')
    const latest = [rejected('new', first)]
    expect(planProposals(differencesOf(null, cost('9.00')), latest)).toEqual({ superseded: [], made: [] })
    expect(planProposals([], latest)).toEqual({ superseded: [1n], made: [] })
  })
})
