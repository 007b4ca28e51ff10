import { describe, expect, it } from 'vitest'
import { nearest } from './nearest.ts'

describe('the nearest names', () => {
  it('are those with the fewest changes, nearest first', () => {
    expect(nearest('paymnet', ['payment', 'provider', 'pavement'])).toEqual(['payment'])
    expect(nearest('reseler', ['reseller', 'route'])).toEqual(['reseller'])
    expect(nearest('nova1', ['NOVA', 'NOVAD', 'BILLPAY'])).toEqual(['NOVA', 'NOVAD'])
  })

  it('are none when nothing is near, and never more than asked for', () => {
    expect(nearest('fly', ['reseller', 'payment'])).toEqual([])
    expect(nearest('aab', ['aaa', 'aac', 'aad', 'aae'], 2)).toEqual(['aaa', 'aac'])
    expect(nearest('', ['payment'])).toEqual([])
  })

  it('are found in bounded time, however long the word is', () => {
    expect(nearest('x'.repeat(1_000_000), ['y'.repeat(1_000_000)])).toEqual([])
  })
})
