import type { ServerResponse } from 'node:http'
import type { Deliverer } from '../../modules/events/deliveries/delivering.jobs.ts'
import type { Stream } from '../../modules/events/types.ts'
import type { Node } from '../payments/payments.ts'
import { until } from '../payments/payments.ts'
import type { DeliveringBench, DeliveryRow, Receiver } from './delivering.ts'
import { openDeliveringBench, openReceiver } from './delivering.ts'

// Accounts with receivers, one node that delivers, and the results.

export type Listening = { receiver: Receiver; resellerId: bigint; secret: string; url: string }

type EndpointTimes = {
  failing_since: Date | null
  paused_at: Date | null
  failure_told_at: Date | null
  last_success_at: Date | null
}

export type DeliveryScene = {
  readonly bench: DeliveringBench
  readonly engine: Deliverer
  /** Node for payments. */
  readonly node: Node
  newReceiver(): Promise<Receiver>
  closeReceivers(): Promise<void>
  /** Makes an account with a receiver for one stream. */
  listeningAccount(stream: Stream, change?: { url?: string; method?: 'GET' | 'POST' }): Promise<Listening>
  queueOne(account: Listening): Promise<void>
  /** Queues a sample as the operation that sends one does. */
  queueTest(account: Listening): Promise<void>
  untilAll(resellerId: bigint, what: string, holds: (row: DeliveryRow) => boolean): Promise<DeliveryRow[]>
  untilFinished(resellerId: bigint): Promise<DeliveryRow[]>
  untilTried(resellerId: bigint, times: number): Promise<DeliveryRow[]>
  /** Advances the clock for every retry until there is none left. */
  giveUp(account: Listening): Promise<void>
  endpointOf(account: Listening): Promise<EndpointTimes | undefined>
  factsOf(account: Listening, type: string): Promise<Record<string, unknown>[]>
  noticesOf(account: Listening, kind: string): Promise<Record<string, unknown>[]>
  workOf(account: Listening): Promise<number>
}

export function answer(status: number, body = '') {
  return (_: unknown, response: ServerResponse) => void response.writeHead(status).end(body)
}

export async function openDeliveryScene(): Promise<DeliveryScene> {
  const bench = await openDeliveringBench()
  const engine = bench.openEngine()
  const { database } = bench
  const receivers: Receiver[] = []

  const scene: DeliveryScene = {
    bench,
    engine,
    node: bench.openNode(),
    async newReceiver() {
      const receiver = await openReceiver()
      receivers.push(receiver)
      return receiver
    },
    async closeReceivers() {
      await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
    },
    async listeningAccount(stream, change = {}) {
      const receiver = await scene.newReceiver()
      const resellerId = await bench.newReseller(100_000_000n)
      await bench.sequence()
      const url = change.url ?? receiver.url
      return { receiver, resellerId, url, secret: await bench.putEndpoint(resellerId, stream, url, change) }
    },
    async queueOne({ resellerId }) {
      await bench.queueBalance(resellerId, 1)
      engine.wake()
    },
    async queueTest({ resellerId, url }) {
      await database.query(QUEUE_TEST, [resellerId, url])
      engine.wake()
    },
    untilAll: (resellerId, what, holds) =>
      until(what, async () => {
        const rows = await bench.deliveriesOf(resellerId)
        return rows.length > 0 && rows.every(holds) && rows
      }),
    untilFinished: (resellerId) =>
      scene.untilAll(resellerId, 'every delivery is finished', ({ status }) => status !== 'pending'),
    untilTried: (resellerId, times) =>
      scene.untilAll(resellerId, `tried ${times} times`, ({ attempts_made: made }) => made === times),
    async giveUp({ resellerId }) {
      for (const attempt of [1, 2, 3, 4]) {
        const isTried = (row: DeliveryRow) => row.attempts_made >= attempt || row.status !== 'pending'
        await scene.untilAll(resellerId, `tried ${attempt} times`, isTried)
        await bench.advance(resellerId, 240)
      }
      await scene.untilFinished(resellerId)
    },
    async endpointOf({ resellerId }) {
      const { rows } = await database.query<EndpointTimes>(
        `select failing_since, paused_at, failure_told_at, last_success_at from event_endpoints
          where reseller_id = $1`,
        [resellerId],
      )
      return rows[0]
    },
    async factsOf({ resellerId }, type) {
      await bench.sequence()
      const { rows } = await database.query<{ data: Record<string, unknown> }>(
        'select data from events where reseller_id = $1 and type = $2 order by sequence',
        [resellerId, type],
      )
      return rows.map(({ data }) => data)
    },
    async noticesOf({ resellerId }, kind) {
      const { rows } = await database.query<{ data: Record<string, unknown> }>(
        'select data from mail_notices where reseller_id = $1 and kind = $2 order by id',
        [resellerId, kind],
      )
      return rows.map(({ data }) => data)
    },
    async workOf({ resellerId }) {
      const found = await database.query('select 1 from delivery_work where reseller_id = $1', [resellerId])
      return found.rowCount
    },
  }
  return scene
}

const QUEUE_TEST = `
  with made as (
    insert into deliveries (reseller_id, stream, id, event_id, source, subject, type, data, at, status, url, method,
                            created_at)
    select $1, 'balance', new_delivery_id(now(), 1), 'evt_test_' || gen_random_uuid(), 'test', 0, 'balance.added',
           '{"account": "1"}', now(), 'pending', $2, 'POST', now()
    returning id
  ), queued as (
    insert into delivery_work (reseller_id, stream, next_at, delivery_id) select $1, 'balance', now(), id from made
  )
  insert into delivery_lanes (reseller_id, stream, next_at) values ($1, 'balance', now())
  on conflict (reseller_id, stream) do update set next_at = least(delivery_lanes.next_at, excluded.next_at)`
