import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BudgetLimits, Holding } from './body-budget.ts'
import { BUDGET_LIMITS, createBodyBudget, SMALL_BODY_BYTES } from './body-budget.ts'

const MIB = 1024 * 1024

function holdingOf(address: string): Holding {
  return { address, bytes: 0 }
}

/** Adds bodies of this size until there is no room; returns those that fitted. */
function fill(budget: ReturnType<typeof createBodyBudget>, address: string, bytes: number): Holding[] {
  const held: Holding[] = []
  for (;;) {
    const holding = holdingOf(address)
    if (budget.grow(holding, bytes) !== undefined) return held
    held.push(holding)
  }
}

describe('the room for bodies', () => {
  it('one sender can hold a share of it, and others find theirs', () => {
    const budget = createBodyBudget()
    fill(budget, '192.0.2.1', 10 * MIB)
    fill(budget, '192.0.2.1', SMALL_BODY_BYTES)
    expect(budget.grow(holdingOf('192.0.2.1'), 5_000)).toContain('192.0.2.1')
    expect(budget.grow(holdingOf('192.0.2.2'), 10 * MIB)).toBeUndefined()
    expect(budget.grow(holdingOf('192.0.2.2'), SMALL_BODY_BYTES)).toBeUndefined()
  })

  it('a /64 of IPv6 is one sender', () => {
    const budget = createBodyBudget()
    const held = fill(budget, '2001:db8::1', MIB)
    expect(held.length * MIB).toBeLessThanOrEqual(BUDGET_LIMITS.senderLargeBytes)
    expect(budget.grow(holdingOf('2001:db8::2'), MIB)).toBeDefined()
    expect(budget.grow(holdingOf('2001:db8:0:1::2'), MIB)).toBeUndefined()
  })

  it('large bodies of everybody together leave the reserve to small ones', () => {
    const budget = createBodyBudget()
    for (let sender = 1; sender <= 20; sender += 1) fill(budget, `192.0.2.${sender}`, 10 * MIB)
    expect(budget.grow(holdingOf('203.0.113.1'), 10 * MIB)).toBeDefined()
    const small = fill(budget, '203.0.113.1', SMALL_BODY_BYTES)
    expect(small.length * SMALL_BODY_BYTES).toBe(64 * MIB)
  })

  it('large bodies of one sender leave it room for its own small ones', () => {
    const budget = createBodyBudget()
    fill(budget, '192.0.2.1', 10 * MIB)
    expect(fill(budget, '192.0.2.1', SMALL_BODY_BYTES).length).toBeGreaterThanOrEqual(256)
  })

  it('a payment of the usual size finds room, whatever else is held', () => {
    const budget = createBodyBudget()
    for (let sender = 1; sender <= 20; sender += 1) fill(budget, `192.0.2.${sender}`, SMALL_BODY_BYTES)
    expect(budget.grow(holdingOf('203.0.113.1'), SMALL_BODY_BYTES)).toBeDefined()
    for (let paid = 0; paid < 1_000; paid += 1) {
      expect(budget.grow(holdingOf('192.0.2.1'), 4_096)).toBeUndefined()
    }
  })

  it('never exceeds its limits, and comes back whole', () => {
    const limits: BudgetLimits = {
      bytes: 900_000,
      largeBytes: 500_000,
      senderBytes: 400_000,
      senderLargeBytes: 250_000,
    }
    const step = fc.record({
      sender: fc.integer({ min: 1, max: 4 }),
      body: fc.integer({ min: 0, max: 7 }),
      bytes: fc.integer({ min: 1, max: 200_000 }),
      ends: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = createBodyBudget(limits)
        const open = new Map<string, Holding>()
        for (const { sender, body, bytes, ends } of steps) {
          const name = `${sender}/${body}`
          const holding = open.get(name) ?? holdingOf(`192.0.2.${sender}`)
          open.set(name, holding)
          if (ends) budget.release(holding)
          else if (bytes > holding.bytes) budget.grow(holding, bytes)
          const counted = [...open.values()].filter((each) => each.bytes > 4_096)
          const sum = (of: Holding[]) => of.reduce((total, each) => total + each.bytes, 0)
          const large = counted.filter((each) => each.bytes > SMALL_BODY_BYTES)
          expect(sum(counted)).toBeLessThanOrEqual(limits.bytes)
          expect(sum(large)).toBeLessThanOrEqual(limits.largeBytes)
          const own = (of: Holding[]) => of.filter((each) => each.address === holding.address)
          expect(sum(own(counted))).toBeLessThanOrEqual(limits.senderBytes)
          expect(sum(own(large))).toBeLessThanOrEqual(limits.senderLargeBytes)
        }
        for (const holding of open.values()) budget.release(holding)
        expect(budget.grow(holdingOf('192.0.2.1'), limits.senderLargeBytes)).toBeUndefined()
        expect(
          budget.grow(holdingOf('192.0.2.2'), limits.largeBytes - limits.senderLargeBytes),
        ).toBeUndefined()
      }),
    )
  })
})
