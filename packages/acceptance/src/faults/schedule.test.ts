import { describe, expect, it } from 'vitest'
import type { Fault, Focus, Shape } from './schedule.ts'
import { describeFault, planFaults } from './schedule.ts'

const SHAPE: Shape = { nodes: 3, suppliers: 2, leaseMs: 4_000, heldMaxMs: 1_000, ownsDatabase: true }
const HOUR_MS = 3_600_000

describe('the plan of faults', () => {
  it('is the same for the same seed, and another for another seed', () => {
    expect(planFaults(5, SHAPE, 60_000)).toEqual(planFaults(5, SHAPE, 60_000))
    expect(planFaults(5, SHAPE, 60_000)).not.toEqual(planFaults(6, SHAPE, 60_000))
  })

  it('has every kind of fault in the long run', () => {
    const kinds = new Set(planFaults(1, SHAPE, HOUR_MS).map(({ fault }) => fault.kind))
    const every: Fault['kind'][] = [
      'burst',
      'cut',
      'database_clock',
      'freeze',
      'hold',
      'kill',
      'lose_answers',
      'node_clock',
      'receiver',
      'refuse',
      'restart_database',
      'supplier',
      'supplier_callback',
      'suspend',
    ]
    expect([...kinds].sort()).toEqual(every)
  })

  it('freezes nodes for longer than their lease and for shorter, and holds no bytes longer than an order may be under way', () => {
    const plan = planFaults(2, SHAPE, HOUR_MS)
    const freezes = plan.filter(({ fault }) => fault.kind === 'freeze').map(({ forMs }) => forMs)
    expect(freezes.filter((ms) => ms > SHAPE.leaseMs).length).toBeGreaterThan(freezes.length / 2)
    expect(freezes.some((ms) => ms < SHAPE.leaseMs)).toBe(true)
    const held = plan.filter(({ fault }) => fault.kind === 'hold' || fault.kind === 'lose_answers')
    for (const { forMs } of held) expect(forMs).toBeLessThanOrEqual(SHAPE.heldMaxMs)
  })

  it('has nothing but what it is focused on', () => {
    const focus: Focus = {
      weights: { freeze: 1, cut: 1, supplier: 1 },
      places: ['dispatch.before'],
      freezeLeases: [2, 3],
      nodes: [1],
      links: ['database'],
      on: ['void'],
    }
    const plan = planFaults(1, SHAPE, HOUR_MS, focus)
    expect(new Set(plan.map(({ fault }) => fault.kind))).toEqual(new Set(['freeze', 'cut', 'supplier']))
    for (const { fault, forMs } of plan) {
      if (fault.kind === 'freeze') {
        expect(fault).toMatchObject({ node: 1, place: { place: 'dispatch.before' } })
        expect(forMs).toBeGreaterThanOrEqual(2 * SHAPE.leaseMs)
      }
      if (fault.kind === 'cut') expect(fault.link).toBe('database')
      if (fault.kind === 'supplier') expect(fault.on).toBe('void')
    }
  })

  it('keeps the clock of the database within the time of a signature', () => {
    const moved = planFaults(3, SHAPE, HOUR_MS)
      .map(({ fault }) => (fault.kind === 'database_clock' ? fault.seconds : 0))
      .reduce((sum, seconds) => sum + seconds, 0)
    expect(moved).toBeGreaterThan(0)
    expect(moved).toBeLessThan(300)
  })

  it('moves no clock of a database that others use', () => {
    const kinds = planFaults(1, { ...SHAPE, ownsDatabase: false }, HOUR_MS).map(({ fault }) => fault.kind)
    expect(kinds).not.toContain('database_clock')
  })

  it('has words for every fault', () => {
    for (const { fault } of planFaults(4, SHAPE, HOUR_MS)) expect(describeFault(fault)).toMatch(/\w+ \w+/)
  })
})
