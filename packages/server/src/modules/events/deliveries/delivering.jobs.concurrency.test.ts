import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DeliveringBench, DeliveryRow, Receiver } from '../../../testing/events/delivering.ts'
import { openDeliveringBench, openReceiver } from '../../../testing/events/delivering.ts'
import { until, untilWaiting } from '../../../testing/payments/payments.ts'
import { HELD_CLOCK, STEADY_CLOCK } from '../../../testing/steady-clock.ts'
import { claimLanes, releaseLanes } from './lanes.sql.ts'

let bench: DeliveringBench
let receiver: Receiver

// Engines take whatever there is: each test has a database of its own.
beforeEach(async () => {
  bench = await openDeliveringBench()
  receiver = await openReceiver()
})
afterEach(async () => {
  await receiver.close()
  await bench.close()
})

/** Accounts with receivers of their own, at `/name/0`, `/name/1`…, and so many deliveries each. */
async function queueFor(name: string, accounts: number, deliveries: number): Promise<bigint[]> {
  const ids: bigint[] = []
  for (let index = 0; index < accounts; index += 1) {
    const id = await bench.newReseller()
    await bench.putEndpoint(id, 'balance', new URL(`/${name}/${index}`, receiver.url).href)
    await bench.queueBalance(id, deliveries)
    ids.push(id)
  }
  return ids
}

async function rowsOf(resellerIds: readonly bigint[]): Promise<DeliveryRow[]> {
  return (await Promise.all(resellerIds.map((id) => bench.deliveriesOf(id)))).flat()
}

function untilDelivered(resellerIds: readonly bigint[]): Promise<DeliveryRow[]> {
  return until('everything is delivered', async () => {
    const rows = await rowsOf(resellerIds)
    return rows.every(({ status }) => status === 'success') && rows
  })
}

const eventIds = () => receiver.received.map(({ headers }) => headers['webhook-id'])

describe('several nodes', () => {
  it('send every delivery once between them, and each is written down once', async () => {
    const ids = await queueFor('shop', 8, 20)
    const engines = [bench.openEngine(), bench.openEngine(), bench.openEngine()]
    const rows = await untilDelivered(ids)
    expect(rows).toHaveLength(160)
    for (const row of rows) expect(row.attempts).toHaveLength(1)
    expect(eventIds()).toHaveLength(160)
    expect(new Set(eventIds()).size).toBe(160)
    expect(new Set(eventIds())).toEqual(new Set(rows.map((row) => row.event_id)))
    await Promise.all(engines.map((engine) => engine.stop()))
  })

  it('have a receiver one at a time, so that it has no more requests than one node would send', async () => {
    let most = 0
    let atATime = 0
    receiver.answerWith((_, response) => {
      atATime += 1
      most = Math.max(most, atATime)
      setImmediate(() => {
        atATime -= 1
        response.end()
      })
    })
    const ids = await queueFor('shop', 1, 200)
    for (let count = 0; count < 3; count += 1) bench.openEngine()
    await untilDelivered(ids)
    expect(most).toBeLessThanOrEqual(16)
  })

  it('take over the lanes of one that died, and send what it left', async () => {
    const ids = await queueFor('shop', 3, 5)
    const terms = { limit: 10, leaseMs: 300, believedUntil: STEADY_CLOCK.believedUntil() }
    const dead = await claimLanes(bench.database, randomUUID(), terms)
    expect(dead).toHaveLength(3)
    bench.openEngine()
    expect(await untilDelivered(ids)).toHaveLength(15)
  })

  it('take nothing over whose lease seems to be over while the database’s clock is not believed', async () => {
    await queueFor('shop', 3, 1)
    const claim = (believedUntil: Date) =>
      claimLanes(bench.database, randomUUID(), { limit: 10, leaseMs: 0, believedUntil })
    expect(await claim(new Date(0))).toHaveLength(3)
    expect(await claim(new Date(0))).toEqual([])
    expect(await claim(STEADY_CLOCK.believedUntil())).toHaveLength(3)
  })

  it('nodes that saw the database’s clock move take free lanes alone, and those of others when the clock is believed again', async () => {
    const taken = await queueFor('taken', 1, 1)
    const terms = { limit: 10, leaseMs: 0, believedUntil: STEADY_CLOCK.believedUntil() }
    expect(await claimLanes(bench.database, randomUUID(), terms)).toHaveLength(1)
    const free = await queueFor('free', 1, 1)
    const held = bench.openEngine({ leaseClock: HELD_CLOCK })
    await untilDelivered(free)
    expect(await rowsOf(taken)).toMatchObject([{ attempts_made: 0 }])
    await held.stop()
    bench.openEngine()
    await untilDelivered(taken)
  })

  it('send again what one had sent and not written down when it lost its lanes', async () => {
    const waiting: ServerResponse[] = []
    receiver.answerWith((_, response) => void waiting.push(response))
    const ids = await queueFor('shop', 1, 1)
    // The first node does not take the lane back: it believes in the end of no lease.
    bench.openEngine({ leaseMs: 60_000, leaseClock: HELD_CLOCK })
    await until('the first node has sent it', () => waiting.length === 1)
    await bench.database.query(
      "update delivery_lanes set leased_until = '2000-01-01', next_at = '2000-01-01'",
    )
    bench.openEngine()
    await until('the second one has too', () => waiting.length === 2)
    for (const response of waiting) response.end()
    const [row] = await untilDelivered(ids)
    expect(new Set(eventIds()).size).toBe(1)
    // The second node finds it finished.
    expect(row?.attempts).toHaveLength(1)
  })
})

describe('a receiver that hangs', () => {
  it('delays nobody else: everything else arrives while it is still hanging', async () => {
    receiver.answerWith((request, response) => {
      if (!request.url.startsWith('/hanging')) response.end()
    })
    const hanging = await queueFor('hanging', 1, 50)
    const others = await queueFor('shop', 9, 20)
    bench.openEngine()
    expect(await untilDelivered(others)).toHaveLength(180)
    const rows = await rowsOf(hanging)
    expect(rows.every(({ status, attempts_made: made }) => status === 'pending' && made === 0)).toBe(true)
    expect(receiver.received.filter(({ url }) => url.startsWith('/hanging')).length).toBeLessThanOrEqual(2)
  })

  it('shares half of the places with its like, however many of them there are', async () => {
    receiver.answerWith((request, response) => {
      if (!request.url.startsWith('/hanging')) response.end()
    })
    const known = await queueFor('shop', 1, 1)
    const engine = bench.openEngine({ underwayMax: 8 })
    await untilDelivered(known)
    await queueFor('hanging', 10, 5)
    engine.wake()
    await until('they have their half', () => engine.figures.underway() === 4)
    await bench.queueBalance(known[0] ?? 0n, 50)
    engine.wake()
    expect(await untilDelivered(known)).toHaveLength(51)
    expect(engine.figures.underway()).toBe(4)
  })

  it('is tried again when its time is over', async () => {
    receiver.answerWith(() => {})
    const ids = await queueFor('hanging', 1, 5)
    bench.openEngine({ timeoutMs: 200 })
    const rows = await until('each was tried', async () => {
      const found = await rowsOf(ids)
      return found.every(({ attempts_made: made }) => made === 1) && found
    })
    for (const row of rows) {
      expect(row).toMatchObject({
        status: 'pending',
        response_status: 0,
        error: 'No whole answer within 0.2 seconds',
      })
    }
  })

  it('a receiver that answered before has its turns again when it answers again', async () => {
    const waiting: ServerResponse[] = []
    receiver.answerWith((_, response) => void waiting.push(response))
    const ids = await queueFor('shop', 1, 40)
    bench.openEngine()
    await until('it has some', () => waiting.length > 0)
    receiver.answerWith((_, response) => void response.end())
    for (const response of waiting) response.end()
    await untilDelivered(ids)
    expect(new Set(eventIds()).size).toBe(40)
  })
})

describe('payments that wait for the processors', () => {
  it('slow deliveries down, and never stop them', async () => {
    const ids = await queueFor('shop', 2, 30)
    bench.openEngine({ isBusy: () => true })
    expect(await untilDelivered(ids)).toHaveLength(60)
  })

  it('leave one account with much to tell no advantage over those with little', async () => {
    await queueFor('many', 1, 500)
    const few = await queueFor('few', 12, 1)
    bench.openEngine({ isBusy: () => true })
    await untilDelivered(few)
    expect(receiver.received.filter(({ url }) => url.startsWith('/many/')).length).toBeLessThan(400)
  })
})

describe('a node that stops', () => {
  it('lets what is under way end, and writes it down', async () => {
    const waiting: ServerResponse[] = []
    receiver.answerWith((_, response) => void waiting.push(response))
    const ids = await queueFor('shop', 1, 1)
    const engine = bench.openEngine()
    await until('it is under way', () => waiting.length === 1)
    const stopped = engine.stop()
    waiting[0]?.end()
    await stopped
    expect(await rowsOf(ids)).toMatchObject([{ status: 'success', attempts_made: 1 }])
  })

  it('gives its lanes back with what it could not end, and another sends that at once', async () => {
    receiver.answerWith(() => {})
    const ids = await queueFor('shop', 1, 3)
    const engine = bench.openEngine({ leaseMs: 600_000, stopPatienceMs: 50 })
    await until('it is under way', () => receiver.received.length > 0)
    await engine.stop()
    expect(await rowsOf(ids)).toMatchObject(Array(3).fill({ status: 'pending', attempts_made: 0 }))
    receiver.answerWith((_, response) => void response.end())
    bench.openEngine()
    await untilDelivered(ids)
  })
})

describe('work that is queued while its lane is given back', () => {
  async function holdLane(): Promise<{ id: bigint; holder: string }> {
    const [id = 0n] = await queueFor('shop', 1, 0)
    const holder = randomUUID()
    await bench.database.query(
      `insert into delivery_lanes (reseller_id, stream, next_at, holder, leased_until)
       values ($1, 'balance', now(), $2, now() + interval '1 hour')`,
      [id, holder],
    )
    return { id, holder }
  }
  const isDue = async () =>
    (await bench.database.query('select 1 from delivery_lanes where next_at <= now()')).rows.length === 1

  it('is not forgotten when it is committed first', async () => {
    const { id, holder } = await holdLane()
    const other = bench.openAnother()
    let released: Promise<void> | undefined
    await bench.database.transaction(async (tx) => {
      await tx.query(
        `insert into delivery_work (reseller_id, stream, next_at, delivery_id) values ($1, 'balance', now(), $2)`,
        [id, randomUUID()],
      )
      await tx.query('update delivery_lanes set next_at = least(next_at, now()) where reseller_id = $1', [id])
      released = releaseLanes(other, holder, [{ resellerId: id, stream: 'balance' }])
      await untilWaiting(bench.database, 'release_lanes', 1)
    })
    await released
    expect(await isDue()).toBe(true)
  })

  it('is not forgotten when the lane is given back first', async () => {
    const { id, holder } = await holdLane()
    let queued: Promise<unknown> | undefined
    await bench.database.transaction(async (tx) => {
      await releaseLanes(tx, holder, [{ resellerId: id, stream: 'balance' }])
      queued = bench.queueBalance(id, 1)
      await untilWaiting(bench.database, 'sequence_facts', 1)
    })
    await queued
    expect(await isDue()).toBe(true)
  })
})

it('a removed endpoint’s deliveries end hundreds in a commit, not one by one', async () => {
  const [id = 0n] = await queueFor('shop', 1, 1_000)
  await bench.database.query('delete from event_endpoints where reseller_id = $1', [id])
  bench.openEngine()
  const rows = await until('all have ended', async () => {
    await bench.sequence()
    const found = await rowsOf([id])
    return found.every(({ status }) => status === 'failed') && found
  })
  expect(
    rows.every(({ attempts, error }) => attempts.length === 0 && error === 'The endpoint was removed'),
  ).toBe(true)
  expect(new Set(rows.map((row) => row.completed_at?.getTime())).size).toBeLessThan(20)
  await bench.sequence()
  const { rows: told } = await bench.database.query(
    `select from events where reseller_id = $1 and type = 'delivery.failed'`,
    [id],
  )
  expect(told).toHaveLength(1_000)
})
