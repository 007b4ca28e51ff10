import { expect, it } from 'vitest'
import { networkOf } from './addresses.ts'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['no address', 'no address'],
  ['no:address', 'no:address'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

it('addresses of one /64 are one network, those of another are another', () => {
  expect(networkOf('2001:db8::1')).toBe(networkOf('2001:db8::ffff:1'))
  expect(networkOf('2001:db8::1')).not.toBe(networkOf('2001:db8:0:1::1'))
})
