import { afterEach, beforeEach, expect, it } from 'vitest'
import { createOutbound } from '../../../outbound/client.ts'
import type { Outbound } from '../../../outbound/types.ts'
import type { DeliveringBench } from '../../../testing/events/delivering.ts'
import { openDeliveringBench } from '../../../testing/events/delivering.ts'
import { LOOPBACK } from '../../../testing/providers/http-connection.ts'
import { STEADY_CLOCK } from '../../../testing/steady-clock.ts'
import { createEventReader } from '../messages/reader.service.ts'
import type { Dispatcher } from './dispatcher.service.ts'
import { createDispatcher } from './dispatcher.service.ts'

/** More lanes than one read takes. */
const LANES = 140
const LANES_OF_A_READ = 128

let bench: DeliveringBench
let outbound: Outbound
/** Accounts of the lanes of each read, in their order. */
let reads: string[][]

beforeEach(async () => {
  bench = await openDeliveringBench()
  outbound = createOutbound({ allow: LOOPBACK })
  reads = []
})
afterEach(async () => {
  await outbound.close()
  await bench.close()
})

/** Opens a dispatcher that holds all lanes and has read each of them. */
async function openHolder(): Promise<Dispatcher> {
  const { database, vault } = bench
  for (let count = 0; count < LANES; count += 1) await bench.newReseller()
  await bench.sequence()
  await database.query('delete from delivery_lanes')
  await database.query(
    `insert into delivery_lanes (reseller_id, stream, next_at)
     select id, 'balance', now() - interval '1 minute' from resellers order by id desc limit $1`,
    [LANES],
  )
  const dispatcher = createDispatcher({
    database: {
      ...database,
      query(statement, values) {
        if (typeof statement === 'object' && statement.name === 'deliveries_list_due') {
          reads.push(String(values?.[0]).slice(1, -1).split(','))
        }
        return database.query<never>(statement, values)
      },
    },
    vault,
    outbound,
    reader: createEventReader({ database, vault }),
    timeoutMs: 30_000,
    nowMs: () => Date.now(),
    isBusy: () => false,
    onFacts: () => {},
    onProblem: () => {},
    leaseMs: 600_000,
    leaseClock: STEADY_CLOCK,
    underwayMax: 1_000,
    onRequest: () => {},
  })
  while (await dispatcher.claim());
  while (dispatcher.hasRequests) await dispatcher.read(false)
  expect(reads.flat()).toHaveLength(LANES)
  return dispatcher
}

it('a lane that is asked for is read before the rest of all lanes', async () => {
  const dispatcher = await openHolder()
  await dispatcher.read(true)
  const [asked = ''] = reads.at(-1) ?? []
  expect(dispatcher.request(`${asked} balance`)).toBe(true)
  await dispatcher.read(false)
  expect(reads.at(-1)?.[0]).toBe(asked)
  expect(reads.at(-1)).toHaveLength(1 + LANES - LANES_OF_A_READ)
  expect(dispatcher.hasRequests).toBe(false)
})

it('lanes that nobody asks for are read, however many are asked for', async () => {
  const dispatcher = await openHolder()
  await dispatcher.read(true)
  const read = reads.at(-1) ?? []
  for (const reseller of read) dispatcher.request(`${reseller} balance`)
  await dispatcher.read(false)
  const others = reads.at(-1)?.filter((reseller) => !read.includes(reseller))
  expect(others).toHaveLength(LANES - LANES_OF_A_READ)
})

it('a lane of another node is not asked for', async () => {
  const dispatcher = await openHolder()
  expect(dispatcher.request('0 balance')).toBe(false)
  expect(dispatcher.hasRequests).toBe(false)
})
