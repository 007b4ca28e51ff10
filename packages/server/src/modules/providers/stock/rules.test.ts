import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { referenceOf } from '../../payments/core/schedule.rules.ts'
import { fingerprintOf, packContent, paymentIdOf, unpackContent } from './rules.ts'

const KEY = Buffer.alloc(32, 7)
const of = (pin: string, link = '') => fingerprintOf(KEY, { pin, link, serialNumber: '' }).toString('hex')

describe('a reference', () => {
  it('a reference of any payment and attempt leads back to the payment', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 63n - 1n), fc.integer({ min: 1, max: 99 }), (id, attempt) => {
        expect(paymentIdOf(referenceOf(id, attempt))).toBe(id)
      }),
    )
  })

  it.each(['', 'W', 'W1', '1-1', 'W1-', 'W-1', 'W1-1 ', 'W9223372036854775808-1', 'W1-1\nW2-1'])(
    'a text that is no reference of ours leads nowhere: %j',
    (reference) => expect(paymentIdOf(reference)).toBeUndefined(),
  )
})

describe('a fingerprint', () => {
  it('is the same for one PIN however it is spaced, and another for another PIN', () => {
    expect(of('1234-5678 9012')).toBe(of('123456789012'))
    expect(of('1234')).not.toBe(of('1235'))
    expect(of('abcd')).not.toBe(of('ABCD'))
  })

  it('is of the PIN where there is one, and of the link otherwise', () => {
    expect(of('1234', 'https://a.example/1')).toBe(of('1234', 'https://a.example/2'))
    expect(of('', 'https://a.example/1')).not.toBe(of('', 'https://a.example/2'))
    expect(of('https://a.example/1')).not.toBe(of('', 'https://a.example/1'))
  })

  it('says nothing to whoever has not got the key', () => {
    const other = fingerprintOf(Buffer.alloc(32, 8), { pin: '1234', link: '', serialNumber: '' })
    expect(other.toString('hex')).not.toBe(of('1234'))
  })
})

it('a packed item is unpacked as it was', () => {
  const content = { pin: '1"2,3', serialNumber: 'é', link: 'https://a.example/?q=1' }
  expect(unpackContent(packContent(content))).toEqual(content)
})
