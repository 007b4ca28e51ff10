import { describe, expect, it } from 'vitest'
import { parseNetwork } from '../lib/addresses.ts'
import { readTarget, refusalOfAddress, refusalOfUrl } from './targets.rules.ts'

describe('addresses that are never connected to', () => {
  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['loopback', '::1'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '192.168.1.1'],
    ['private', 'fd00::1'],
    ['site-local', 'fec0::1'],
    ['link-local', '169.254.169.254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['CGNAT', '100.64.0.1'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['nobody', '0.0.0.0'],
    ['nobody', '0.1.2.3'],
    ['nobody', '::'],
    ['reserved', '240.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '203.0.113.9'],
    ['documentation', '2001:db8::1'],
    ['benchmarking', '198.18.0.1'],
    ['IPv4-mapped, loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped, hexadecimal', '::ffff:7f00:1'],
    ['IPv4-mapped, public', '::ffff:8.8.8.8'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-compatible, hexadecimal', '::7f00:1'],
    ['IPv4-compatible, public', '::808:808'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['IPv4-translated, hexadecimal', '::ffff:0:7f00:1'],
    ['never given out', '1::1'],
    ['never given out', '4000::1'],
    ['never given out', '5f00::1'],
    ['never given out', 'e000::1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64 of a site', '64:ff9b:1::a00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:1::1'],
    ['discard', '100::1'],
    ['no address', 'localhost'],
    ['no address', '2130706433'],
    ['no address', ''],
  ])('%s: %s', (_, address) => {
    expect(refusalOfAddress(address, [])).toBeDefined()
  })

  it.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001::1'])(
    '%s may be connected to',
    (address) => {
      expect(refusalOfAddress(address, [])).toBeUndefined()
    },
  )

  it('are open where a network was opened, and only there', () => {
    const networks = [parseNetwork('127.0.0.0/8'), parseNetwork('fd00::/8')].filter(
      (each) => each !== undefined,
    )
    expect(networks).toHaveLength(2)
    expect(refusalOfAddress('127.0.0.1', networks)).toBeUndefined()
    expect(refusalOfAddress('::ffff:127.0.0.1', networks)).toBeUndefined()
    expect(refusalOfAddress('fd12::1', networks)).toBeUndefined()
    expect(refusalOfAddress('10.0.0.1', networks)).toBeDefined()
    expect(refusalOfAddress('::1', networks)).toBeDefined()
    expect(refusalOfAddress('64:ff9b::7f00:1', networks)).toBeDefined()
  })
})

it('an IPv6 network that was never given out is open where it was opened', () => {
  const network = parseNetwork('4000::/16')
  if (network === undefined) throw new Error('a network')
  expect(refusalOfAddress('4000::1', [network])).toBeUndefined()
  expect(refusalOfAddress('4001::1', [network])).toBeDefined()
})

describe('a URL can be refused before anybody connects', () => {
  const allowed = [parseNetwork('127.0.0.0/8')].filter((each) => each !== undefined)

  it.each(['https://10.0.0.1/', 'https://[::127.0.0.1]/', 'http://2130706434/x', 'https://[fd00::1]/', 'x'])(
    '%s is',
    (url) => {
      expect(refusalOfUrl(url, [])).toBeDefined()
    },
  )

  it.each(['https://127.0.0.1/', 'https://8.8.8.8/', 'https://nobody.invalid/', 'https://localhost/'])(
    '%s is not: it is open, or only looking it up can tell',
    (url) => {
      expect(refusalOfUrl(url, allowed)).toBeUndefined()
    },
  )
})

describe('a URL is judged as it will be used', () => {
  it.each([
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://127.1./', '127.0.0.1'],
    ['http://１２７.0.0.1/', '127.0.0.1'],
    ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
    ['http://[::1]:8080/', '::1'],
    ['http://localhost./', undefined],
    ['https://api.example.com/', undefined],
  ])('%s names the address %s', (url, literal) => {
    const reading = readTarget(url)
    expect(reading.ok && reading.target.literal).toBe(literal)
  })

  it.each([
    'api.example.com',
    'ftp://api.example.com/',
    'file:///etc/passwd',
    'https://user@api.example.com/',
    'https://:secret@api.example.com/',
    'https://@api.example.com/',
    'https://:@api.example.com/',
    'https:\\\\@api.example.com/',
    'https:/\n/@api.example.com/',
    'https://api.example.com/#top',
    'https://api.example.com/#',
    'http://[fe80::1%25eth0]/',
    'http://256.1.1.1/',
    '',
  ])('%s is none', (url) => {
    expect(readTarget(url).ok).toBe(false)
  })

  it('keeps path and query, and tells origins apart by scheme and port', () => {
    expect(readTarget('https://api.example.com:8443/a/b?c=d%20e')).toEqual({
      ok: true,
      target: {
        hostname: 'api.example.com',
        origin: 'https://api.example.com:8443',
        path: '/a/b?c=d%20e',
        literal: undefined,
      },
    })
  })
})
