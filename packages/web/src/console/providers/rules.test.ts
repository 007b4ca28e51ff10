import { describe, expect, it } from 'vitest'
import { isWell, takesOrders } from './rules.ts'

describe('a provider', () => {
  it('takes orders until its breaker opens, whoever connected it', () => {
    const health = { orders: 1, answered: 1, unknown: 0, p95_ms: 1 }
    const of = (state: 'closed' | 'open' | 'half_open') => ({ health: { ...health, state } as never })
    expect([{ health: null }, of('closed'), of('half_open'), of('open')].map(takesOrders)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('is well while it takes orders and answers at least half of them', () => {
    const of = (orders: number, answered: number, state = 'closed') =>
      isWell({ health: { orders, answered, state } as never })
    expect([isWell({ health: null }), of(0, 0), of(4, 2), of(4, 1), of(4, 0), of(4, 4, 'open')]).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
