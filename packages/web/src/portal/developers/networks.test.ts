import { expect, it } from 'vitest'
import { covers } from './networks.ts'

it('knows which addresses a network holds, in both families', () => {
  expect(covers('203.0.113.24', '203.0.113.24')).toBe(true)
  expect(covers('203.0.113.0/24', '203.0.113.255')).toBe(true)
  expect(covers('203.0.113.0/25', '203.0.113.128')).toBe(false)
  expect(covers('0.0.0.0/0', '198.51.100.7')).toBe(true)
  expect(covers('2001:db8::/32', '2001:db8:1::5')).toBe(true)
  expect(covers('2001:db8::/32', '2001:db9::5')).toBe(false)
  expect(covers('127.0.0.1', '::ffff:127.0.0.1')).toBe(true)
})

it('holds nothing in what is no network', () => {
  for (const network of [
    '',
    'office',
    '203.0.113',
    '203.0.113.0/33',
    '203.0.113.0/',
    '::1::',
    '1:2:3',
    '256.0.0.1',
  ]) {
    expect(covers(network, '203.0.113.0'), network).toBe(false)
    expect(covers(network, '::1'), network).toBe(false)
  }
})
