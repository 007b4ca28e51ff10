import { describe, expect, it } from 'vitest'
import type { Network } from '../../lib/addresses.ts'
import { isInNetworks, networkToString, normalizeAddress, parseNetwork } from '../../lib/addresses.ts'
import { clientAddress } from './client-address.ts'

function networks(...texts: string[]): Network[] {
  return texts.map((text) => parseNetwork(text)).filter((network) => network !== undefined)
}

describe('addresses', () => {
  it.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
  ])('%s is the network %s', (text, shown) => {
    const network = parseNetwork(text)
    expect(network && networkToString(network)).toBe(shown)
  })

  it.each([
    '',
    '1',
    '0x7f.1',
    '010.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/',
    'fe80::1%eth0',
    'example.com',
    '::/129',
    '1.2.3',
    '/8',
  ])('%j is no network', (text) => expect(parseNetwork(text)).toBeUndefined())

  it('membership follows the prefix, within one family', () => {
    expect(isInNetworks('10.255.0.1', networks('10.0.0.0/8'))).toBe(true)
    expect(isInNetworks('11.0.0.1', networks('10.0.0.0/8'))).toBe(false)
    expect(isInNetworks('::ffff:10.0.0.1', networks('10.0.0.0/8'))).toBe(true)
    expect(isInNetworks('2001:db8::5', networks('10.0.0.0/8', '2001:db8::/64'))).toBe(true)
    expect(isInNetworks('2001:db8:0:1::5', networks('2001:db8::/64'))).toBe(false)
    expect(isInNetworks('nonsense', networks('0.0.0.0/0'))).toBe(false)
  })

  it('an address has one spelling', () => {
    expect(normalizeAddress('::ffff:127.0.0.1')).toBe('127.0.0.1')
    expect(normalizeAddress('2001:DB8:0:0:0:0:0:1')).toBe('2001:db8::1')
  })
})

describe("the client's address", () => {
  const trusted = networks('10.0.0.0/8')

  it('is the socket when no proxy is trusted, whatever the headers say', () => {
    expect(clientAddress('198.51.100.1', '203.0.113.9', [])).toBe('198.51.100.1')
    expect(clientAddress('198.51.100.1', '203.0.113.9', trusted)).toBe('198.51.100.1')
  })

  it('has no interface behind it, which counters of other machines could not read', () => {
    expect(clientAddress('fe80::1%eth0', undefined, [])).toBe('fe80::1')
    expect(clientAddress('fe80::1%eth0', '203.0.113.9', networks('fe80::/10'))).toBe('203.0.113.9')
  })

  it('is the last hop that is not one of our proxies', () => {
    expect(clientAddress('10.0.0.1', '203.0.113.9', trusted)).toBe('203.0.113.9')
    expect(clientAddress('10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2', trusted)).toBe('203.0.113.9')
    expect(clientAddress('10.0.0.1', ['203.0.113.9', '10.0.0.2:4711'], trusted)).toBe('203.0.113.9')
  })

  it('stays at the last address that can be read', () => {
    expect(clientAddress('10.0.0.1', 'unknown', trusted)).toBe('10.0.0.1')
    expect(clientAddress('10.0.0.1', '203.0.113.9, rubbish', trusted)).toBe('10.0.0.1')
    expect(clientAddress('10.0.0.1', '[2001:db8::9]:443', trusted)).toBe('2001:db8::9')
  })
})
