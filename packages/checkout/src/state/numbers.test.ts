import { describe, expect, it } from 'vitest'
import type { Product } from '../api/wire.ts'
import { memory, orderOf } from './fake-service.ts'
import { createNumbers, numberFieldOf, recentsIn } from './numbers.ts'
import type { State } from './types.ts'

const productOf = (kind: 'mobile' | undefined, code = 'KITA') =>
  ({
    code,
    fields: [{ id: 'phone', number_kind: kind }],
    fulfillment: { account: { from_field: 'phone' }, amount: { from_field: 'amount' } },
  }) as unknown as Product

function numbersOf(merchant = 'kedai', device = memory()) {
  let state = {
    order: orderOf({ merchant: { name: merchant } }),
    recents: [],
    remembers: true,
  } as unknown as State
  const numbers = createNumbers({
    client: { number: () => Promise.reject(new Error('not asked')) },
    kept: memory(),
    device,
    state: () => state,
    change: (part) => {
      state = { ...state, ...part }
    },
  })
  numbers.load()
  return { numbers, device, state: () => state }
}

describe('numbers on the device', () => {
  it('are telephone numbers alone, five of each shop, the latest first', () => {
    const { numbers, state, device } = numbersOf()
    numbers.remember(productOf(undefined), { phone: '900101145678' })
    expect(state().recents).toEqual([])
    for (const number of ['1', '2', '3', '4', '5', '6', '1']) {
      numbers.remember(productOf('mobile'), { phone: number })
    }
    expect(state().recents.map(({ number }) => number)).toEqual(['1', '6', '5', '4', '3'])
    expect(numbersOf('other', device).state().recents).toEqual([])
    expect(numbersOf('kedai', device).state().recents).toHaveLength(5)
  })

  it('go at a click, and none comes back for a customer who wants none kept', () => {
    const { numbers, state, device } = numbersOf()
    numbers.remember(productOf('mobile'), { phone: '1' })
    numbers.forget(false)
    numbers.remember(productOf('mobile'), { phone: '2' })
    expect(state()).toMatchObject({ recents: [], remembers: false })
    expect([...numbersOf('kedai', device).state().recents]).toEqual([])
    numbers.forget(true)
    numbers.remember(productOf('mobile'), { phone: '3' })
    expect(state().recents).toEqual([{ product: 'KITA', number: '3' }])
  })

  it('are none where others wrote into the storage', () => {
    expect(recentsIn({})).toEqual([])
    expect(recentsIn([null, 1, { product: 'A' }, { product: 'A', number: '1' }])).toEqual([
      { product: 'A', number: '1' },
    ])
    expect(numberFieldOf(productOf(undefined))).toBeUndefined()
  })
})
