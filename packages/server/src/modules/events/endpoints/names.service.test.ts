import { describe, expect, it } from 'vitest'
import { parseNetwork } from '../../../lib/addresses.ts'
import { createNames } from '../../../outbound/names.ts'
import { addressesBy, refusalOfName } from './names.service.ts'

const LOOPBACK = [parseNetwork('127.0.0.0/8')].filter((each) => each !== undefined)

function judge(addresses: readonly string[], allow = [] as typeof LOOPBACK) {
  return refusalOfName('https://shop.example/hook', 1n, allow, async (hostname) => {
    expect(hostname).toBe('shop.example')
    return addresses
  })
}

describe('a name that is saved', () => {
  it.each([
    [['127.0.0.1']],
    [['10.0.0.1', '192.168.1.1']],
    [['169.254.169.254']],
    [['100.64.0.1']],
    [['::1']],
    [['fd00::1', '10.0.0.1']],
    [['::ffff:10.0.0.1']],
  ])('a name that is saved with the addresses %j alone is refused', async (addresses) => {
    expect(await judge(addresses)).toMatch(/^resolves to /)
  })

  it.each([[['93.184.216.34']], [['10.0.0.1', '93.184.216.34']], [[]]])(
    'a name that is saved with the addresses %j is taken, and judged at each attempt',
    async (addresses) => {
      expect(await judge(addresses)).toBeUndefined()
    },
  )

  it('is taken where its address was opened', async () => {
    expect(await judge(['127.0.0.1'], LOOPBACK)).toBeUndefined()
  })

  it('is refused without asking anybody when it is this machine', async () => {
    const addressesOf = addressesBy(createNames())
    for (const host of ['localhost', 'LOCALHOST', 'shop.localhost', 'localhost.']) {
      expect(await refusalOfName(`http://${host}/`, 1n, [], addressesOf), host).toMatch(/loopback/)
      expect(await refusalOfName(`http://${host}/`, 1n, LOOPBACK, addressesOf), host).toBeUndefined()
    }
  })

  it('is not looked up when it is an address', async () => {
    const nobody = async () => {
      throw new Error('asked for an address')
    }
    expect(await refusalOfName('https://93.184.216.34/', 1n, [], nobody)).toBeUndefined()
  })
})
