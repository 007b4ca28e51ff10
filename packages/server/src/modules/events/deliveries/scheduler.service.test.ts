import { describe, expect, it, vi } from 'vitest'
import type { Bearing } from './attempt.rules.ts'
import type { DueDelivery, ReadyDelivery } from './deliveries.types.ts'
import { resultOf } from './due.service.ts'
import type { Health } from './health.rules.ts'
import type { Lane, LaneTotals } from './lane.rules.ts'
import { createLane, createTotals, drop, end, offer, QUIET_MS, STALE_MS } from './lane.rules.ts'
import { createScheduler } from './scheduler.service.ts'
import type { Sent } from './sender.service.ts'

function ready(id: string, readAtMs = performance.now()): ReadyDelivery {
  const delivery: DueDelivery = {
    resellerId: 1n,
    stream: 'balance',
    id,
    ref: { source: 'own', resellerId: 1n, eventId: id, type: 'balance.low', data: {}, at: new Date(0) },
    attemptsMade: 0,
    isReplay: false,
    workAt: '',
    advancedMs: 0n,
  }
  const result = resultOf(delivery, { outcome: 'failed', error: '', attempt: undefined })
  return { delivery, readAtMs, kind: 'settled', result }
}

type NewLane = { readonly resellerId?: bigint; readonly health?: Health; readonly leaseEndsMs?: number }

function openScheduler(underwayMax = 100) {
  const begun: { id: string; end: (bearing?: Bearing) => void }[] = []
  const low = new Set<Lane>()
  const problems: unknown[] = []
  const totals: LaneTotals = createTotals()
  const scheduler = createScheduler({
    totals,
    underwayMax,
    isBusy: () => false,
    send: (next) =>
      new Promise<Sent>((resolve) => {
        const { result } = next as ReadyDelivery & { kind: 'settled' }
        begun.push({ id: next.delivery.id, end: (bearing) => resolve({ result, bearing }) })
      }),
    onEnded: () => {},
    onLow: (each) => void low.add(each),
    onProblem: (error) => void problems.push(error),
  })
  function lane(
    queue: readonly ReadyDelivery[],
    { resellerId = 1n, health, leaseEndsMs }: NewLane = {},
  ): Lane {
    const made = createLane({
      resellerId,
      stream: 'balance',
      totals,
      leaseEndsMs: leaseEndsMs ?? Number.POSITIVE_INFINITY,
      health: health ?? { window: 2, isProven: false },
    })
    for (const each of queue) offer(made, each)
    return made
  }
  return { scheduler, totals, lane, low, begun, problems, ids: () => begun.map(({ id }) => id) }
}

/** Waits until all that was resolved has had its effects. */
const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

describe('the scheduler', () => {
  it('begins as many of a lane as its receiver bears, and the next when one has ended', async () => {
    const { scheduler, totals, lane, begun, ids } = openScheduler()
    scheduler.schedule(lane(['1', '2', '3', '4'].map((id) => ready(id))))
    expect(ids()).toEqual(['1', '2'])
    begun[0]?.end('neutral')
    await settled()
    expect(ids()).toEqual(['1', '2', '3'])
    expect(totals.underway).toBe(2)
  })

  it('begins nothing that was read long ago, though more was read since; it is asked for again', () => {
    const { scheduler, lane, low, ids } = openScheduler()
    const old = lane([ready('1', performance.now() - STALE_MS - 1), ready('2')])
    scheduler.schedule(old)
    expect(ids()).toEqual([])
    expect(low).toEqual(new Set([old]))
  })

  it('begins nothing of a lane that is not held, or whose lease is over', () => {
    const { scheduler, lane, ids } = openScheduler()
    const dropped = lane([ready('1')])
    drop(dropped)
    scheduler.schedule(dropped)
    scheduler.schedule(lane([ready('2')], { resellerId: 2n, leaseEndsMs: performance.now() - 1 }))
    expect(ids()).toEqual([])
  })

  it('keeps half for receivers that are known to answer', () => {
    const { scheduler, lane, ids } = openScheduler(4)
    for (const [index, id] of ['a', 'b', 'c'].entries()) {
      scheduler.schedule(lane([ready(id)], { resellerId: BigInt(index) }))
    }
    expect(ids()).toEqual(['a', 'b'])
    const health = { window: 16, isProven: true }
    scheduler.schedule(lane([ready('1'), ready('2')], { resellerId: 9n, health }))
    expect(ids()).toEqual(['a', 'b', '1', '2'])
  })

  it('stops counting on a receiver that has said nothing for a while', () => {
    const { scheduler, totals, lane, ids } = openScheduler(2)
    const now = vi.spyOn(performance, 'now')
    const startMs = performance.now()
    const silent = lane([ready('1')], { health: { window: 16, isProven: true } })
    scheduler.schedule(silent)
    now.mockReturnValue(startMs + 10 * QUIET_MS)
    scheduler.tick([silent])
    expect(silent.health.isProven).toBe(false)
    expect(totals).toEqual({ underway: 1, unproven: 1 })
    scheduler.schedule(lane([ready('2')], { resellerId: 2n }))
    expect(ids()).toEqual(['1'])
    now.mockRestore()
  })

  it('reports a broken count instead of going on with it', async () => {
    const { scheduler, lane, begun, problems } = openScheduler()
    const broken = lane([ready('1')])
    scheduler.schedule(broken)
    end(broken, performance.now(), undefined)
    begun[0]?.end('well')
    await settled()
    expect(problems).toMatchObject([{ message: expect.stringContaining('an attempt ends that has begun') }])
  })
})
