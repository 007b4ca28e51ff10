import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { networkOf } from './addresses.ts'

describe('the network that an address counts with', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::/64', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
    ['', ''],
    ['no:address', 'no:address'],
  ])('the network of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
  const half = fc.tuple(group, group, group, group).map((groups) => groups.join(':'))

  it('is one for all addresses of a /64, and another for every other /64', () => {
    fc.assert(
      fc.property(half, half, half, half, (prefix, other, one, two) => {
        expect(networkOf(`${prefix}:${one}`)).toBe(networkOf(`${prefix}:${two}`))
        if (prefix !== other) {
          expect(networkOf(`${prefix}:${one}`)).not.toBe(networkOf(`${other}:${one}`))
        }
      }),
    )
  })

  it('counts with itself, so that a network can be asked about as the lists show it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        expect(networkOf(networkOf(address))).toBe(networkOf(address))
      }),
    )
  })
})
