import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { createFeed } from '../../modules/events/feed/feed.service.ts'
import { createEventReader } from '../../modules/events/messages/reader.service.ts'
import { sequenceFacts } from '../../modules/events/outbox/sequencer.sql.ts'
import type { EventRef, LoadedEvent, Stream } from '../../modules/events/types.ts'

export type ReceivedEvent = {
  readonly sequence: number
  readonly ref: EventRef
  readonly type: string
  readonly loaded: LoadedEvent
}

export type FeedSource = { readonly database: Database; readonly vault: Vault }

/** Reads the whole feed page by page, as a client gets it. */
export async function readFeed(
  { database, vault }: FeedSource,
  resellerId: bigint,
  limit = 1_000,
): Promise<ReceivedEvent[]> {
  const feed = createFeed({ database, reader: createEventReader({ database, vault }) })
  const heard: ReceivedEvent[] = []
  let after = 0n
  for (;;) {
    const page = await feed.list(resellerId, { after, limit })
    for (const { sequence, ref, event: loaded } of page.events) {
      if (loaded === undefined) throw new Error(`event ${sequence} tells nothing`)
      heard.push({ sequence: Number(sequence), ref, type: loaded.type, loaded })
    }
    if (!page.hasMore) return heard
    expect(page.events).toHaveLength(limit)
    after = page.next
  }
}

/** Numbers facts until there are none left. */
export async function sequenceAll(database: Database, factsMax = 100): Promise<void> {
  for (;;) {
    const sequenced = await sequenceFacts(database, factsMax)
    if (sequenced?.facts === 0) return
  }
}

export async function addEndpoint(
  database: Database,
  resellerId: bigint,
  stream: Stream,
  more: { types?: readonly string[]; isEnabled?: boolean; isPaused?: boolean } = {},
): Promise<void> {
  await database.query(
    `insert into event_endpoints (reseller_id, stream, url, method, is_enabled, types, sealed_secret, secret_last_four,
                                  secret_created_at, paused_at, created_at, updated_at)
     values ($1, $2, 'https://receiver.example/', 'POST', $3, $4, $5, 'abcd', now(), $6, now(), now())`,
    [
      resellerId,
      stream,
      more.isEnabled ?? true,
      more.types ?? [],
      randomBytes(8),
      more.isPaused === true ? new Date() : null,
    ],
  )
}

export async function addThreshold(database: Database, resellerId: bigint, amount: bigint): Promise<void> {
  await database.query('insert into balance_thresholds (reseller_id, amount) values ($1, $2)', [
    resellerId,
    amount,
  ])
}

// ── Is the feed true? ──

type Transfer = { kind: string; amount: bigint; balance_after: bigint; payment_id: bigint | null }
type Change = { payment_id: bigint; code: number }

/**
 * Expects a correct feed after everything is numbered: no gap and no duplicate; every entry of the wallet once and in
 * order; the states of every payment once and in order; a low balance exactly where it crossed a threshold.
 */
export async function expectTrueFeed(
  source: FeedSource,
  resellerId: bigint,
  limit = 1_000,
): Promise<ReceivedEvent[]> {
  const events = await readFeed(source, resellerId, limit)
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
  expect(events.map(({ ref }) => ref.eventId)).toEqual(
    events.map(({ sequence }) => `evt_${resellerId}_${sequence}`),
  )
  await expectEveryMovement(source.database, resellerId, events)
  await expectEveryState(source.database, resellerId, events)
  return events
}

async function expectEveryMovement(
  database: Database,
  resellerId: bigint,
  events: readonly ReceivedEvent[],
): Promise<void> {
  const { rows: transfers } = await database.query<Transfer>(
    'select kind, amount, balance_after, payment_id from transfers where reseller_id = $1 order by sequence',
    [resellerId],
  )
  const { rows: thresholds } = await database.query<{ amount: bigint }>(
    'select amount from balance_thresholds where reseller_id = $1 order by amount desc',
    [resellerId],
  )
  const expected = transfers.flatMap(({ kind, amount, balance_after: balance, payment_id: paymentId }) => {
    const before = balance - amount
    const crossed = thresholds.filter((each) => before >= each.amount && balance < each.amount)
    return [
      { type: typeOf(kind, amount), amount: absolute(amount), balance, paymentId },
      ...crossed.map((each) => ({ type: 'balance.low', amount: each.amount, balance, paymentId: null })),
    ]
  })
  const loaded = events
    .filter(({ type }) => type.startsWith('balance.'))
    .map(({ type, ref, loaded: { data } }) => ({
      type,
      amount: units(data.amount),
      balance: units(data.balance),
      paymentId: data.transactionId === undefined ? null : BigInt(String(data.transactionId)),
      isOf: ref.resellerId,
    }))
  expect(loaded).toEqual(expected.map((each) => ({ ...each, isOf: resellerId })))
}

function typeOf(kind: string, amount: bigint): string {
  if (kind === 'refund') return 'balance.refunded'
  return amount > 0n ? 'balance.added' : 'balance.deducted'
}

function absolute(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}

function units(value: unknown): bigint {
  return BigInt(Math.round(Number(value) * 10_000))
}

async function expectEveryState(
  database: Database,
  resellerId: bigint,
  events: readonly ReceivedEvent[],
): Promise<void> {
  const { rows: payments } = await database.query<{ id: bigint }>(
    'select id from payments where reseller_id = $1 order by id',
    [resellerId],
  )
  const { rows: changes } = await database.query<Change>(
    `select payment_id, code from payment_changes where reseller_id = $1 and kind = 'state' order by payment_id, id`,
    [resellerId],
  )
  const expected = payments.map(({ id }) => ({
    id: String(id),
    codes: [0, ...changes.filter((change) => change.payment_id === id).map(({ code }) => code)],
  }))
  const loaded = payments.map(({ id }) => ({
    id: String(id),
    codes: events
      .filter(
        ({ type, loaded: { data } }) => type.startsWith('payment.') && data.transaction_id === String(id),
      )
      .map(({ loaded: { data } }) => data.statusCode),
  }))
  expect(loaded).toEqual(expected)
  expect(events.filter(({ type }) => type.startsWith('payment.'))).toHaveLength(
    payments.length + changes.length,
  )
}

// ── Deliveries ──

export type DeliveryRow = {
  stream: Stream
  event_id: string
  status: string
  source: string
  code: number | null
  error: string
  is_queued: boolean
}

export async function deliveriesOf(database: Database, resellerId: bigint): Promise<DeliveryRow[]> {
  const { rows } = await database.query<DeliveryRow>(
    `select d.stream, d.event_id, d.status, d.source, d.code, d.error,
            exists (select from delivery_work w
                     where w.reseller_id = d.reseller_id and w.stream = d.stream and w.delivery_id = d.id) as is_queued
       from deliveries d where d.reseller_id = $1 order by d.stream, d.created_at, d.id`,
    [resellerId],
  )
  return rows
}

/** Expects a delivery for each event that the streams send, in the order of the feed, and for no other event. */
export async function expectDeliveries(
  database: Database,
  resellerId: bigint,
  events: readonly ReceivedEvent[],
  streams: Partial<Record<Stream, readonly string[]>>,
): Promise<void> {
  const rows = await deliveriesOf(database, resellerId)
  for (const stream of ['balance', 'callback'] as const) {
    const types = streams[stream] ?? []
    const expected = events.filter(({ type }) => types.includes(type)).map(({ ref }) => ref.eventId)
    const made = rows.filter((row) => row.stream === stream)
    expect(made.map((row) => row.event_id)).toEqual(expected)
    expect(made.every((row) => row.status === 'pending' && row.is_queued)).toBe(true)
  }
}
