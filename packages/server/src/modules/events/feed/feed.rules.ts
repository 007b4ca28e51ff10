import { readFields } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { SEQUENCE } from '../../../lib/input/ids.ts'
import { count, optional } from '../../../lib/input/parameters.ts'
import type { EventColumns } from '../messages/refs.rules.ts'
import { refOf } from '../messages/refs.rules.ts'
import type { EventRef, TakenRef } from '../types.ts'

// ── Parameters ──

export const PAGE_SIZE_MAX = 1_000
const PAGE_SIZE = 100

export type FeedQuery = { readonly after: bigint; readonly limit: number }

export const FEED_RULES = {
  after: optional(SEQUENCE, 0n),
  limit: optional(count(1, PAGE_SIZE_MAX), PAGE_SIZE),
}

export function readFeedParameters(query: QueryParameters): FeedQuery {
  return readFields(FEED_RULES, { after: query.after, limit: query.limit })
}

// ── Pages ──

/** A row of the feed: `span` events, of which `sequence` is the first. */
export type FeedEntry = EventColumns & {
  readonly resellerId: bigint
  readonly sequence: bigint
  readonly span: number
}

export type SequencedRef = { readonly sequence: bigint; readonly ref: EventRef }

export type RefPage = { readonly refs: readonly SequencedRef[]; readonly hasMore: boolean }

/** Takes the first `limit` events after `after` from rows in order; `hasMore`: the rows hold more of them. */
export function pageOf(entries: readonly FeedEntry[], { after, limit }: FeedQuery): RefPage {
  const refs: SequencedRef[] = []
  for (const entry of entries) {
    const passed = after - entry.sequence + 1n
    for (let index = passed > 0n ? Number(passed) : 0; index < entry.span; index += 1) {
      if (refs.length === limit) return { refs, hasMore: true }
      refs.push(refAt(entry, index))
    }
  }
  return { refs, hasMore: false }
}

/**
 * Returns the number before the first of the last `limit` events before `end`. `rows` begin before it, newest first; as
 * many as events are enough.
 */
export function startOfPage(
  rows: readonly Pick<FeedEntry, 'sequence' | 'span'>[],
  end: bigint,
  limit: number,
): bigint {
  let left = BigInt(limit)
  let after = end - 1n
  for (const { sequence, span } of rows) {
    const behind = sequence + BigInt(span)
    const last = behind < end ? behind : end
    if (last - sequence >= left) return last - left - 1n
    left -= last - sequence
    after = sequence - 1n
  }
  return after
}

/** Equals the SQL function event_id: deliveries and the feed must name an event alike. */
export function eventIdOf(resellerId: bigint, sequence: bigint): string {
  return `evt_${resellerId}_${sequence}`
}

/** The two events of a payment that was taken, in the order of their sequences. */
const TAKEN_TYPES: readonly TakenRef['type'][] = ['payment.accepted', 'balance.deducted']

function refAt(entry: FeedEntry, index: number): SequencedRef {
  const { resellerId } = entry
  const sequence = entry.sequence + BigInt(index)
  const ref = refOf(entry, {
    resellerId,
    eventId: eventIdOf(resellerId, sequence),
    takenType: TAKEN_TYPES[index] ?? 'balance.deducted',
    location: { kind: 'order', position: index + 1 },
  })
  return { sequence, ref }
}
