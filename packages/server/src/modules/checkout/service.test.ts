import { describe, expect, it } from 'vitest'
import { RequestError } from '../../lib/errors.ts'
import { ORDER_STATES } from '../orders/order/types.ts'
import { requireDraft, requireOpenShop } from './service.ts'

function codeOf(act: () => void): string | undefined {
  try {
    act()
  } catch (error) {
    if (error instanceof RequestError) return error.code
    throw error
  }
  return undefined
}

describe('steps of a customer', () => {
  it.each(ORDER_STATES)('the basket of an order that is %s changes only while it is a draft', (state) => {
    expect(codeOf(() => requireDraft({ state }))).toBe(state === 'draft' ? undefined : 'order_not_open')
  })

  it('a shop that may not pay takes no orders, and its customers are not told why', () => {
    expect(codeOf(() => requireOpenShop({ status: 'active', access: 0 }))).toBeUndefined()
    expect(codeOf(() => requireOpenShop({ status: 'suspended', access: 0 }))).toBe('shop_closed')
    expect(codeOf(() => requireOpenShop({ status: 'active', access: 50 }))).toBe('shop_closed')
  })
})
