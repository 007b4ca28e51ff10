import { describe, expect, it } from 'vitest'
import { takesOrders } from './providers.ts'

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
})
