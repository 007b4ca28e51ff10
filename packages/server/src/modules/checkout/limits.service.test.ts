import { describe, expect, it } from 'vitest'
import { RequestError } from '../../lib/errors.ts'
import type { Counted } from './limits.rules.ts'
import { ORDER_LIMITS } from './limits.rules.ts'
import { createOrderLimits, proofOf } from './limits.service.ts'

const MINUTE_MS = 60_000

function open(ordersMax?: number) {
  const clock = { ms: 5_000 }
  const limits = createOrderLimits(() => clock.ms, ordersMax)
  const isRefused = (act: () => void): string | undefined => {
    try {
      act()
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      expect(error.status).toBe(429)
      return error.headers?.['Retry-After']
    }
    return undefined
  }
  const spend = (proof: string, kind: Counted = 'requests', more = 1) =>
    isRefused(() => limits.spend(proof, kind, more))
  return { clock, spend, flood: (proof: string) => isRefused(() => limits.refuseFlood(proof)) }
}

describe('the limits of an order', () => {
  it.each(Object.entries(ORDER_LIMITS))('%s are refused after so many in a minute', (kind, { perMinute }) => {
    const { clock, spend } = open()
    for (let n = 0; n < perMinute; n += 1) expect(spend('a', kind as Counted)).toBeUndefined()
    clock.ms += 20_000
    expect(spend('a', kind as Counted)).toBe('40')
    clock.ms += 40_000
    expect(spend('a', kind as Counted)).toBeUndefined()
  })

  it('the requests of one order leave all of theirs to the others', () => {
    const { spend } = open()
    for (let n = 0; n <= ORDER_LIMITS.requests.perMinute; n += 1) spend('a')
    expect(spend('a')).toBeDefined()
    expect(spend('b')).toBeUndefined()
  })

  it('bills and questions of a day are bounded too, however slowly they come', () => {
    const { clock, spend } = open()
    let asked = 0
    while (spend('a', 'bills') === undefined) {
      asked += 1
      clock.ms += MINUTE_MS / 2
    }
    expect(asked).toBe(ORDER_LIMITS.bills.perDay)
    clock.ms += 24 * 60 * MINUTE_MS
    expect(spend('a', 'bills')).toBeUndefined()
  })

  it('a step that asks several questions is refused whole, and counts nothing then', () => {
    const { spend } = open()
    const { perMinute } = ORDER_LIMITS.questions
    expect(spend('a', 'questions', perMinute - 1)).toBeUndefined()
    expect(spend('a', 'questions', 2)).toBeDefined()
    expect(spend('a', 'questions', 1)).toBeUndefined()
  })

  it('a flood of a proven customer is refused before it is counted, and a guess never is', () => {
    const { spend, flood } = open()
    expect(flood('a')).toBeUndefined()
    for (let n = 0; n < ORDER_LIMITS.requests.perMinute; n += 1) spend('a')
    expect(flood('a')).toBe('60')
    expect(flood('guess')).toBeUndefined()
    const proof = proofOf({ code: 'ord_1', token: 'ct_2' })
    expect(proofOf({ code: 'ord_1', token: 'ct_3' })).not.toBe(proof)
    expect(proofOf({ code: 'ord_2', token: 'ct_2' })).not.toBe(proof)
  })

  it('counts of a bounded number of orders are kept: those used last', () => {
    const { spend } = open(2)
    const { perMinute } = ORDER_LIMITS.requests
    for (let n = 0; n < perMinute; n += 1) spend('a')
    spend('b')
    expect(spend('a')).toBeDefined()
    spend('c')
    expect(spend('a')).toBeDefined()
    spend('b')
    spend('c')
    expect(spend('a')).toBeUndefined()
  })
})
