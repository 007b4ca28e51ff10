import { expect, it } from 'vitest'
import { hasPublicIpv6 } from './dns.ts'

const ADDRESS = { netmask: '', mac: '', internal: false, cidr: null } as const
const ipv6 = (address: string) => ({ ...ADDRESS, family: 'IPv6' as const, address, scopeid: 0 })

it('IPv6 is preferred only where the machine has a public address of it', () => {
  expect(hasPublicIpv6(() => ({ eth0: [ipv6('2001:db8::1')] }))).toBe(true)
  expect(hasPublicIpv6(() => ({ eth0: [ipv6('fe80::1')], lo: [{ ...ipv6('::1'), internal: true }] }))).toBe(
    false,
  )
})

it('names are looked up although the process may not list its own addresses', () => {
  const refuse = () => {
    throw new Error('A system error occurred: uv_interface_addresses returned Unknown system error 97')
  }
  expect(hasPublicIpv6(refuse)).toBe(false)
})
