import type { Column } from '../../../db/calls.ts'
import { defineBatchCall } from '../../../db/calls.ts'
import type { Queryable, Tx } from '../../../db/database.ts'
import type { ClaimTerms } from '../../../db/leases.ts'
import { defineLease } from '../../../db/leases.ts'
import { assert } from '../../../lib/errors.ts'
import type { OrderKey, OrderState } from '../core/types.ts'
import type { UnitNote } from './units.rules.ts'

/** Order that a node has to see to: it may have expired, or its payments are due. */
export type OrderWork = OrderKey & {
  /** Looks at the payments before this one. */
  readonly looks: number
  /** Id of the claim, by which its holder knows that it still has the work. */
  readonly holder: string
}

type WorkRow = { reseller_id: bigint; order_id: bigint; looks: number }

const LEASE = defineLease({
  table: 'order_work',
  key: ['reseller_id', 'order_id'],
  nextAt: 'next_at',
  mark: { kind: 'holder', column: 'holder' },
})

const claim = LEASE.claim<WorkRow>({
  name: 'order_work_claim',
  columns: 'w.reseller_id, w.order_id, w.looks',
})

/** Claims orders that no node holds and that are due, and those whose lease ended. */
export async function claimOrders(connection: Queryable, terms: ClaimTerms): Promise<OrderWork[]> {
  const { rows, holder } = await claim(connection, terms)
  return rows.map(({ reseller_id: resellerId, order_id: id, looks }) => ({ resellerId, id, looks, holder }))
}

const LOOK_LATER = LEASE.postpone('looks = looks + 1, failing_since = null')
const LOOK_AGAIN = LEASE.postpone('looks = looks + 1, failing_since = least(failing_since, now())')

/** Schedules the next look. It does nothing if another node has the work by now. */
export async function lookLater(
  connection: Queryable,
  { resellerId, id, holder }: OrderWork,
  afterMs: number,
): Promise<void> {
  await connection.query(LOOK_LATER, [resellerId, id, holder, afterMs])
}

/** Schedules the next look after one that failed, and notes since when looks fail. */
export async function lookAgain(
  connection: Queryable,
  { resellerId, id, holder }: OrderWork,
  afterMs: number,
): Promise<void> {
  await connection.query(LOOK_AGAIN, [resellerId, id, holder, afterMs])
}

const AWAIT_EXPIRY = {
  name: 'order_work_await_expiry',
  text: `update order_work w set next_at = o.expires_at, holder = null, failing_since = null from orders o
          where w.reseller_id = $1 and w.order_id = $2 and w.holder = $3
            and o.reseller_id = w.reseller_id and o.id = w.order_id`,
}

/** Gives an open order back until its expiry. */
export async function awaitExpiry(
  connection: Queryable,
  { resellerId, id, holder }: OrderWork,
): Promise<void> {
  await connection.query(AWAIT_EXPIRY, [resellerId, id, holder])
}

const LOOK_NOW = {
  name: 'order_work_look_now',
  text: `update order_work set next_at = now()
          where reseller_id = $1 and order_id = $2 and holder is null and next_at > now()`,
}

/** Makes an order due at once, because one of its payments moved. */
export async function lookNow(connection: Queryable, { resellerId, id }: OrderKey): Promise<void> {
  await connection.query(LOOK_NOW, [resellerId, id])
}

const COLUMNS: readonly Column<UnitNote>[] = [
  ['p_lines', 'smallint[]', ({ line }) => line],
  ['p_numbers', 'smallint[]', ({ number }) => number],
  ['p_states', 'text[]', ({ state }) => state],
  ['p_payments', 'bigint[]', ({ paymentId }) => paymentId],
  ['p_errors', 'text[]', ({ error }) => error],
]

const NOTE = defineBatchCall<UnitNote>()(
  { name: 'order_units_note', text: 'select note_order_units(...) as verdict' },
  COLUMNS,
  { p_reseller: 'bigint', p_order: 'bigint', p_holder: 'uuid' },
)

/** Writes notes about units; with the last of them the order becomes final. `lost`: another node has the work. */
export async function noteUnits(
  tx: Tx,
  { resellerId, id, holder }: OrderWork,
  notes: readonly UnitNote[],
): Promise<OrderState | 'lost'> {
  const values = NOTE.valuesOf(notes, { p_reseller: resellerId, p_order: id, p_holder: holder })
  const { rows } = await tx.query<{ verdict: OrderState | 'lost' }>(NOTE.statement, values)
  assert(rows[0] !== undefined, 'note_order_units gives a verdict')
  return rows[0].verdict
}
