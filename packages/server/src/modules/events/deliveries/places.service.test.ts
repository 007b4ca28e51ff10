import { describe, expect, it } from 'vitest'
import type { Bearing } from './attempt.rules.ts'
import type { DueDelivery } from './deliveries.sql.ts'
import type { Lane } from './lanes.service.ts'
import { createPlaces } from './places.service.ts'
import type { Turn } from './turns.service.ts'
import { resultOf } from './turns.service.ts'

const LONG_AGO_MS = 1_001

function turn(id: string, readAtMs = performance.now()): Turn {
  const delivery: DueDelivery = {
    resellerId: 1n,
    stream: 'balance',
    id,
    ref: {
      resellerId: 1n,
      eventId: id,
      source: 'own',
      subject: 0n,
      code: null,
      amount: null,
      balance: null,
      type: 'balance.low',
      data: null,
      position: null,
      catalogSet: null,
      at: new Date(0),
    },
    attemptsMade: 0,
    isReplay: false,
    workAt: '',
    advancedMs: 0n,
  }
  const result = resultOf(delivery, { outcome: 'failed', error: '', attempt: undefined })
  return { delivery, readAtMs, kind: 'settled', result }
}

function lane(key: string, queue: Turn[], change: Partial<Lane> = {}): Lane {
  return {
    resellerId: 1n,
    stream: 'balance',
    key,
    queue,
    changes: 0,
    underway: 0,
    heardAtMs: 0,
    unrecorded: 0,
    leaseEndsMs: Number.POSITIVE_INFINITY,
    idleSinceMs: undefined,
    health: { window: 2, isProven: false },
    isHeld: true,
    ...change,
  }
}

function openPlaces(underwayMax = 100) {
  const begun: { id: string; end: (bearing?: Bearing) => void }[] = []
  const low = new Set<Lane>()
  const places = createPlaces({
    underwayMax,
    isBusy: () => false,
    begin: (_, { delivery }) =>
      new Promise((resolve) => {
        begun.push({ id: delivery.id, end: (bearing) => resolve(bearing) })
      }),
    onLow: (each) => void low.add(each),
  })
  return { places, low, begun, ids: () => begun.map(({ id }) => id) }
}

/** Until all that was resolved has had its effects. */
const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

describe('places', () => {
  it('begin as many of a lane as its receiver bears, and the next when one has ended', async () => {
    const { places, begun, ids } = openPlaces()
    places.offer(
      lane(
        'a',
        ['1', '2', '3', '4'].map((id) => turn(id)),
      ),
    )
    expect(ids()).toEqual(['1', '2'])
    begun[0]?.end('neutral')
    await settled()
    expect(ids()).toEqual(['1', '2', '3'])
    expect(places.underway).toBe(2)
  })

  it('begin nothing that was read long ago, though more was read since; it is asked for again', () => {
    const { places, low, ids } = openPlaces()
    const old = lane('a', [turn('1', performance.now() - LONG_AGO_MS), turn('2')])
    places.offer(old)
    expect(ids()).toEqual([])
    expect(low).toEqual(new Set([old]))
  })

  it('begin nothing of a lane that is not held, or whose lease is over', () => {
    const { places, ids } = openPlaces()
    places.offer(lane('a', [turn('1')], { isHeld: false }))
    places.offer(lane('b', [turn('2')], { leaseEndsMs: performance.now() - 1 }))
    expect(ids()).toEqual([])
  })

  it('keep half for receivers that are known to answer', () => {
    const { places, ids } = openPlaces(4)
    for (const key of ['a', 'b', 'c']) places.offer(lane(key, [turn(key)]))
    expect(ids()).toEqual(['a', 'b'])
    places.offer(lane('known', [turn('1'), turn('2')], { health: { window: 16, isProven: true } }))
    expect(ids()).toEqual(['a', 'b', '1', '2'])
  })

  it('stop counting on a receiver that has said nothing for a while', () => {
    const { places, ids } = openPlaces(2)
    const silent = lane('silent', [turn('1')], { health: { window: 16, isProven: true } })
    places.offer(silent)
    silent.heardAtMs = performance.now() - LONG_AGO_MS
    places.tick([silent])
    expect(silent.health.isProven).toBe(false)
    places.offer(lane('new', [turn('2')]))
    expect(ids()).toEqual(['1'])
  })
})
