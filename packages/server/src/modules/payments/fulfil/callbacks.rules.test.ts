import { describe, expect, it } from 'vitest'
import { FAILED, PENDING, SUCCEEDED, UNKNOWN } from '../../../testing/providers/scripted-provider.ts'
import type { CallbackContent, Called } from './callbacks.rules.ts'
import { decideCallback, shownId } from './callbacks.rules.ts'

const CALLED: Called = { amount: 50_000n, faceValue: 230_000n, attemptProvider: 'acme' }

function decide(news: Partial<CallbackContent>, called: Called | undefined = CALLED, isReused = false) {
  const said: CallbackContent = {
    kind: 'news',
    id: '1',
    reference: 'W1-1',
    outcome: SUCCEEDED,
    claimedAmount: null,
    ...news,
  }
  return decideCallback('acme', said, called, isReused)
}

describe('a callback', () => {
  it.each([SUCCEEDED, FAILED])('$kind resolves the payment', (outcome) => {
    expect(decide({ outcome })).toEqual({ kind: 'resolve', outcome })
  })

  it.each([PENDING, UNKNOWN])('$kind changes nothing', (outcome) => {
    expect(decide({ outcome })).toEqual({ kind: 'nothing' })
  })

  it('a callback without an outcome has the provider asked', () => {
    expect(decide({ outcome: null })).toEqual({ kind: 'ask' })
  })

  it.each([CALLED.amount, CALLED.faceValue])(
    'a callback with our amount or face value is believed',
    (claimedAmount) => {
      expect(decide({ claimedAmount }).kind).toBe('resolve')
    },
  )

  it.each([0n, 1n, CALLED.amount + 1n, -CALLED.amount])(
    'a callback with the amount %s is not believed',
    (claimed) => {
      expect(decide({ claimedAmount: claimed })).toEqual({ kind: 'amount', claimed })
      expect(decide({ claimedAmount: claimed, outcome: null })).toEqual({ kind: 'amount', claimed })
    },
  )

  it('a callback under an id that belonged to another one has the provider asked', () => {
    expect(decide({}, CALLED, true)).toEqual({ kind: 'ask' })
  })

  it.each(['other', null])('about an attempt of %s is not the sender’s to speak of', (attemptProvider) => {
    expect(decide({ claimedAmount: 1n }, { ...CALLED, attemptProvider })).toEqual({ kind: 'foreign' })
  })
})

it('a callback about no payment is unknown', () => {
  const said: CallbackContent = {
    kind: 'news',
    id: '1',
    reference: 'x',
    outcome: SUCCEEDED,
    claimedAmount: null,
  }
  expect(decideCallback('acme', said, undefined, false)).toEqual({ kind: 'unknown' })
})

it.each([
  ['evt_1', 'evt_1'],
  ['a\nb\0c\u{1F600}', 'a?b?c??'],
  ['x'.repeat(60), 'x'.repeat(60)],
  ['x'.repeat(61), `${'x'.repeat(60)}…`],
])('the id %j is shown as %j', (id, shown) => {
  expect(shownId(id)).toBe(shown)
})
