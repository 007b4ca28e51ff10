import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../db/database.ts'
import type { DeliveringBench } from '../../../testing/events/delivering.ts'
import { openDeliveringBench } from '../../../testing/events/delivering.ts'
import { withStatementHooks } from '../../../testing/payments/payments.ts'
import { STEADY_CLOCK } from '../../../testing/steady-clock.ts'
import type { Lane } from './lane.rules.ts'
import { begin, end, offer } from './lane.rules.ts'
import type { HeldLanes } from './lanes.service.ts'
import { createHeldLanes } from './lanes.service.ts'

const LEASE_MS = 60_000

let bench: DeliveringBench
let resellerId: bigint
let dropped: Lane[]

beforeEach(async () => {
  bench = await openDeliveringBench()
  resellerId = await bench.newReseller()
  await bench.sequence()
  await bench.putEndpoint(resellerId, 'balance', 'https://shop.example/hook')
  await bench.queueBalance(resellerId, 1)
  dropped = []
})
afterEach(() => bench.close())

function openLanes(database: Database = bench.database): HeldLanes {
  return createHeldLanes({
    database,
    leaseMs: LEASE_MS,
    leaseClock: STEADY_CLOCK,
    onDropped: (lane) => void dropped.push(lane),
  })
}

async function claimOne(lanes: HeldLanes): Promise<Lane> {
  expect(await lanes.claim(8)).toHaveLength(1)
  const lane = lanes.find(`${resellerId} balance`)
  if (lane === undefined) throw new Error('the lane was claimed')
  return lane
}

/** Makes the lease of every lane end, as the database sees it. */
async function endLeases(): Promise<void> {
  await bench.database.query(
    "update delivery_lanes set leased_until = now() - interval '1 second', next_at = now()",
  )
}

describe('the lanes of a node', () => {
  it('are of streams that it knows: nodes of the version before the order stream never get a lane of it', async () => {
    await bench.database.query(
      "insert into delivery_lanes (reseller_id, stream, next_at) select reseller_id, 'order', next_at from delivery_lanes",
    )
    const claim = async (statement: string) => {
      const { rows } = await bench.database.query<{ stream: string }>(
        `select stream from ${statement} order by stream`,
        [randomUUID(), STEADY_CLOCK.believedUntil()],
      )
      return rows.map(({ stream }) => stream)
    }
    expect(await claim('claim_lanes($1, 8, 60000, $2)')).toEqual(['balance'])
    expect(await claim('claim_lanes($1, 8, 60000, $2)')).toEqual([])
    expect(await claim("claim_lanes_of('{order}', $1, 8, 60000, $2)")).toEqual(['order'])
  })

  it('are of every stream', async () => {
    await bench.database.query("update delivery_lanes set stream = 'order'")
    expect(await openLanes().claim(8)).toHaveLength(1)
  })

  it('are held by one node until it gives them back, and then by the next at once', async () => {
    const [one, two] = [openLanes(), openLanes()]
    const lane = await claimOne(one)
    expect(await two.claim(8)).toEqual([])
    await one.release([lane])
    expect([one.count, lane.isHeld]).toEqual([0, false])
    await claimOne(two)
  })

  it('are dropped when another node has taken them over', async () => {
    const [one, two] = [openLanes(), openLanes()]
    const lane = await claimOne(one)
    await one.renew()
    expect(dropped).toEqual([])
    await endLeases()
    await claimOne(two)
    await one.renew()
    expect(dropped).toEqual([lane])
    expect(one.count).toBe(0)
  })

  it('stay dropped when they are dropped while their lease is renewed', async () => {
    let onRenewed = () => {}
    const lanes = openLanes(withStatementHooks(bench.database, { after: () => onRenewed() }))
    const lane = await claimOne(lanes)
    const { leaseEndsMs } = lane
    onRenewed = () => lanes.drop(lane)
    await lanes.renew()
    expect(lane).toMatchObject({ isHeld: false, leaseEndsMs })
    lanes.drop(lane)
    expect(dropped).toEqual([lane])
  })

  it('lanes that are claimed again keep the health of their receiver, and still count requests of the old lane', async () => {
    const lanes = openLanes()
    const first = await claimOne(lanes)
    const result = { kind: 'settled', readAtMs: performance.now() } as Parameters<typeof offer>[1]
    for (const each of [result, result]) offer(first, each)
    begin(first, performance.now())
    end(first, performance.now(), 'well')
    begin(first, performance.now())
    await endLeases()
    const second = await claimOne(lanes)
    expect(second).not.toBe(first)
    expect([first.isHeld, second.isHeld, second.underway]).toEqual([false, true, 0])
    expect(second.health).toEqual({ window: 3, isProven: true })
    expect(lanes.totals).toEqual({ underway: 1, unproven: 0 })
    end(first, performance.now(), undefined)
    expect(lanes.totals).toEqual({ underway: 0, unproven: 0 })
  })
})
