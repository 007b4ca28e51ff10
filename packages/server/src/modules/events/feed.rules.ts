import type { Rule } from '../../lib/input/fields.ts'
import { readFields } from '../../lib/input/fields.ts'
import type { QueryParameters } from '../../lib/input/forms.ts'
import { count, optional } from '../../lib/input/parameters.ts'
import type { Amount } from '../../lib/money.ts'
import type { PaymentCode } from '../payments/payment/types.ts'
import type { EventRef, EventSource } from './types.ts'

// ── What is asked for ──

export const PAGE_SIZE_MAX = 1_000
const PAGE_SIZE = 100

export type FeedQuery = { readonly after: bigint; readonly limit: number }

/** Sequences are numbers on the wire, so they stay where numbers are exact. */
const SEQUENCE: Rule<bigint> = {
  words: 'must be a whole number from 0 on',
  schema: { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 },
  read: (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? BigInt(value) : undefined),
}

export const FEED_RULES = {
  after: optional(SEQUENCE, 0n),
  limit: optional(count(1, PAGE_SIZE_MAX), PAGE_SIZE),
}

export function readFeedParameters(query: QueryParameters): FeedQuery {
  return readFields(FEED_RULES, { after: query.after, limit: query.limit })
}

// ── Rows and their events ──

/** A row of the feed: `span` events, of which `sequence` is the first. */
export type FeedEntry = {
  readonly resellerId: bigint
  readonly sequence: bigint
  readonly span: number
  readonly source: EventSource
  readonly subject: bigint
  readonly code: PaymentCode | null
  readonly amount: Amount | null
  readonly balance: Amount | null
  readonly type: string | null
  readonly data: Readonly<Record<string, unknown>> | null
  readonly at: Date
}

export type SequencedRef = { readonly sequence: bigint; readonly ref: EventRef }

export type RefPage = { readonly refs: readonly SequencedRef[]; readonly hasMore: boolean }

/** The first `limit` events after `after` of rows in their order, and whether they hold more. */
export function pageOf(entries: readonly FeedEntry[], { after, limit }: FeedQuery): RefPage {
  const refs: SequencedRef[] = []
  for (const entry of entries) {
    const passed = after - entry.sequence + 1n
    for (let place = passed > 0n ? Number(passed) : 0; place < entry.span; place += 1) {
      if (refs.length === limit) return { refs, hasMore: true }
      refs.push(refAt(entry, place))
    }
  }
  return { refs, hasMore: false }
}

/** As SQL's event_id says it. */
export function eventIdOf(resellerId: bigint, sequence: bigint): string {
  return `evt_${resellerId}_${sequence}`
}

const TAKEN_TYPES = ['payment.accepted', 'balance.deducted']

function refAt(entry: FeedEntry, place: number): SequencedRef {
  const { resellerId, source, subject, code, amount, balance, type, data, at } = entry
  const sequence = entry.sequence + BigInt(place)
  const ref: EventRef = {
    resellerId,
    eventId: eventIdOf(resellerId, sequence),
    source,
    subject,
    code,
    amount,
    balance,
    type: source === 'taken' ? (TAKEN_TYPES[place] ?? null) : type,
    data,
    position: source === 'catalog' ? place + 1 : null,
    catalogSet: null,
    at,
  }
  return { sequence, ref }
}
