import { describe, expect, it } from 'vitest'
import type { Masks } from './masks.ts'
import { maskedData, NO_MASKS, urlWithoutQuery } from './masks.ts'

const MASKS: Masks = { secret: () => 'S', link: () => 'L', url: () => 'U' }

describe('masking', () => {
  it('reaches every secret of a payment, however deep and in whatever spelling', () => {
    const data = { pin: '123', a: [{ voucherlink: 'x', b: { pin: '4', sn: '5' } }], ic_number: '9', n: null }
    expect(maskedData(data, MASKS)).toEqual({
      pin: 'S',
      a: [{ voucherlink: 'L', b: { pin: 'S', sn: '5' } }],
      ic_number: 'S',
      n: null,
    })
    expect(maskedData(data, NO_MASKS)).toEqual(data)
  })

  it('a masked address keeps its place, and hides its query', () => {
    expect(urlWithoutQuery('https://shop.example/in?token=1?2')).toBe('https://shop.example/in?****')
    expect(urlWithoutQuery('https://shop.example/in')).toBe('https://shop.example/in')
  })
})
