import { describe, expect, it } from 'vitest'
import { parseNetwork } from '../../lib/addresses.ts'
import { createGate } from './limits.ts'

const REFUSED = expect.objectContaining({ status: 503, code: 'saturated' })

function enter(gate: ReturnType<typeof createGate>, address: string, times: number): number {
  for (let entered = 0; entered < times; entered += 1) {
    try {
      gate.enter(address)
    } catch {
      return entered
    }
  }
  return times
}

describe('the gate', () => {
  it('keeps a quarter of its places from a network that holds as many already', () => {
    const gate = createGate(100)
    expect(enter(gate, '192.0.2.1', 200)).toBe(75)
    expect(enter(gate, '198.51.100.1', 200)).toBe(25)
    expect(() => gate.enter('203.0.113.1')).toThrow(REFUSED)
    gate.leave('192.0.2.1')
    // The place goes to the network that has fewer.
    expect(() => gate.enter('192.0.2.1')).toThrow(REFUSED)
    gate.enter('203.0.113.1')
    expect(gate.inside).toBe(100)
  })

  it('counts the addresses of an IPv6 /64 together', () => {
    const gate = createGate(8)
    expect(enter(gate, '2001:db8::1', 4) + enter(gate, '2001:db8::2', 4)).toBe(6)
    expect(enter(gate, '2001:db8:0:1::1', 8)).toBe(2)
  })

  it('lets an exempt network take all places, as behind it stand many callers', () => {
    const network = parseNetwork('192.0.2.0/24')
    const gate = createGate(100, network === undefined ? [] : [network])
    expect(enter(gate, '192.0.2.1', 200)).toBe(100)
  })

  it('has as many places as it is told, also when that is one', () => {
    const gate = createGate(1)
    gate.enter('192.0.2.1')
    expect(() => gate.enter('198.51.100.1')).toThrow(REFUSED)
    gate.leave('192.0.2.1')
    gate.enter('192.0.2.1')
  })
})
