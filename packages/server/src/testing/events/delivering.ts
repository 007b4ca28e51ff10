import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Deliverer, DelivererOptions } from '../../modules/events/deliveries/delivering.jobs.ts'
import { startDelivering } from '../../modules/events/deliveries/delivering.jobs.ts'
import { newSecret, sealSecret } from '../../modules/events/endpoints/secrets.service.ts'
import { createEventReader } from '../../modules/events/messages/reader.service.ts'
import { sequenceFacts } from '../../modules/events/outbox/sequencer.sql.ts'
import type { Stream } from '../../modules/events/types.ts'
import { createTestClocks } from '../../modules/payments/core/clock.service.ts'
import { createOutbound } from '../../outbound/client.ts'
import type { PaymentsBench } from '../payments/payments.ts'
import { openPaymentsBench } from '../payments/payments.ts'
import { LOOPBACK } from '../providers/http-connection.ts'
import { STEADY_CLOCK } from '../steady-clock.ts'

// Deliveries on the real database to real receivers on loopback.

export type Received = {
  readonly method: string
  /** Path and query, unchanged. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Answers a request. By default a receiver answers 200. */
export type Answer = (request: Received, response: ServerResponse) => void

export type Receiver = {
  readonly url: string
  readonly received: readonly Received[]
  answerWith(answer: Answer): void
  close(): Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  let answer: Answer = (_, response) => void response.end('ok')
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { method = '', url = '', headers } = request
      const all = { method, url, headers, body }
      received.push(all)
      answer(all, response)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answerWith(next) {
      answer = next
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

export type DeliveryRow = {
  reseller_id: bigint
  stream: Stream
  id: string
  event_id: string
  status: 'pending' | 'success' | 'failed' | 'superseded'
  attempts: { at: string; ms: number; status: number; error: string }[]
  attempts_made: number
  error: string
  response_status: number
  sealed_response: Buffer | null
  url: string
  completed_at: Date | null
}

export type EndpointChange = { url?: string; method?: 'GET' | 'POST'; types?: string[] }

export type DeliveringBench = PaymentsBench & {
  /** Creates or changes an endpoint. Returns its secret. */
  putEndpoint(resellerId: bigint, stream: Stream, url: string, change?: EndpointChange): Promise<string>
  /** Queues `count` events of the balance stream, which are about nothing else, with their deliveries. */
  queueBalance(resellerId: bigint, count: number): Promise<void>
  sequence(): Promise<void>
  deliveriesOf(resellerId: bigint): Promise<DeliveryRow[]>
  /** Opens another node, with its own pool. */
  openEngine(options?: Partial<DelivererOptions>): Deliverer
  /** Stops deliveries to the account while `work` runs: an idle holder has its lanes. */
  withheld(resellerId: bigint, stream: Stream, work: () => Promise<unknown>): Promise<void>
  /** Advances the account's clock. */
  advance(resellerId: bigint, seconds: number): Promise<void>
}

export async function openDeliveringBench(): Promise<DeliveringBench> {
  const bench = await openPaymentsBench()
  const { database, vault } = bench
  const toClose: (() => Promise<unknown>)[] = []

  async function sequence(): Promise<void> {
    while ((await sequenceFacts(database, 1_000))?.facts !== 0);
  }

  return {
    ...bench,
    sequence,
    async putEndpoint(
      resellerId,
      stream,
      url,
      { method = 'POST', types = ['balance.low', 'balance.added'] } = {},
    ) {
      const secret = newSecret()
      await database.query(
        `insert into event_endpoints (reseller_id, stream, url, method, is_enabled, types, sealed_secret,
                                      secret_last_four, secret_created_at, created_at, updated_at)
         values ($1, $2, $3, $4, true, $5, $6, $7, now(), now(), now())`,
        [
          resellerId,
          stream,
          url,
          method,
          types,
          sealSecret(vault, resellerId, stream, secret),
          secret.slice(-4),
        ],
      )
      return secret
    },
    async queueBalance(resellerId, count) {
      await database.query(
        `select append_facts('own', array_fill($1::bigint, array[$2::integer]), array_fill(0::bigint, array[$2::integer]),
                             null, null, null, null, 'balance.low', '{"threshold": 10000, "balance": 5000}', now())
          where $2 > 0`,
        [resellerId, count],
      )
      await sequence()
    },
    async deliveriesOf(resellerId) {
      const { rows } = await database.query<DeliveryRow>(
        `select reseller_id, stream, id, event_id, status, attempts, attempts_made, error, response_status,
                sealed_response, url, completed_at
           from deliveries where reseller_id = $1 order by stream, id`,
        [resellerId],
      )
      return rows
    },
    openEngine(options = {}) {
      const own = bench.openAnother()
      const outbound = createOutbound({ allow: LOOPBACK })
      const engine = startDelivering({
        database: own,
        vault,
        outbound,
        reader: createEventReader({ database: own, vault }),
        timeoutMs: 30_000,
        nowMs: () => Date.now(),
        isBusy: () => false,
        leaseClock: STEADY_CLOCK,
        onFacts: () => {},
        onProblem: () => {},
        ...options,
      })
      toClose.push(async () => {
        await engine.stop()
        await outbound.close()
      })
      return engine
    },
    async withheld(resellerId, stream, work) {
      await database.query(
        `insert into delivery_lanes (reseller_id, stream, next_at, holder, leased_until)
         values ($1, $2, 'infinity', gen_random_uuid(), 'infinity')`,
        [resellerId, stream],
      )
      await work()
      await database.query(
        `update delivery_lanes set holder = null, leased_until = '-infinity', next_at = now()
          where reseller_id = $1 and stream = $2`,
        [resellerId, stream],
      )
    },
    advance: async (resellerId, seconds) =>
      void (await createTestClocks(database).advance(resellerId, seconds)),
    async close() {
      await Promise.all(toClose.map((close) => close()))
      await bench.close()
    },
  }
}
