import { plainArray } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'
import type { PaymentCode, SellerKind } from './types.ts'

export type PaymentRow = {
  reseller_id: bigint
  id: bigint
  refid: string
  product_code: string
  product_name: string
  account: string
  canonical_account: string | null
  amount: bigint
  face_value: bigint
  cost: bigint
  balance_after: bigint
  code: PaymentCode
  subproduct_code: string | null
  biller_code: string | null
  ref2: string | null
  sealed_input: Buffer | null
  remarks: string
  failure: string | null
  serial_number: string | null
  expiry: string | null
  note: string | null
  sealed_output: Buffer | null
  sender: string
  member_id: string
  seller: SellerKind | null
  created_at: Date
  changed_at: Date
}

/** Column `seller`: members' and keys' ids are numbers alike. A payment without a category is older than purposes of keys. */
export const SELLER = `case when purpose_id is not null then 'key' when member_id !~ '^[0-9]+$' then 'order'
  when category is not null then 'member' end as seller`

const COLUMNS = `reseller_id, id, refid, product_code, product_name, account, canonical_account, amount, face_value, cost,
  balance_after, code, subproduct_code, biller_code, ref2, sealed_input, remarks, failure, serial_number, expiry, note,
  sealed_output, sender, member_id, ${SELLER}, created_at, changed_at`

const FIND_BY_REFID = {
  name: 'payments_find_by_refid',
  text: `select ${COLUMNS} from payments where reseller_id::text || '/' || refid = $1::bigint::text || '/' || $2`,
}

export async function findPaymentRow(
  connection: Queryable,
  resellerId: bigint,
  refid: string,
): Promise<PaymentRow | undefined> {
  const { rows } = await connection.query<PaymentRow>(FIND_BY_REFID, [resellerId, refid])
  return rows[0]
}

const FIND_BY_ID = {
  name: 'payments_find_by_id',
  text: `select ${COLUMNS} from payments where reseller_id = $1 and id = $2`,
}

export async function findPaymentRowById(
  connection: Queryable,
  resellerId: bigint,
  id: bigint,
): Promise<PaymentRow | undefined> {
  const { rows } = await connection.query<PaymentRow>(FIND_BY_ID, [resellerId, id])
  return rows[0]
}

const LIST_BY_IDS = {
  name: 'payments_list_by_ids',
  text: `select p.* from unnest($1::bigint[], $2::bigint[]) as k (reseller_id, id)
           join lateral (
             select ${COLUMNS} from payments where reseller_id = k.reseller_id and id = k.id limit 1
           ) p on true`,
}

/** Returns one row per key that exists, in any order. A key that is given twice gives its payment twice. */
export async function listPaymentRows(
  connection: Queryable,
  keys: readonly { readonly resellerId: bigint; readonly id: bigint }[],
): Promise<PaymentRow[]> {
  const { rows } = await connection.query<PaymentRow>(LIST_BY_IDS, [
    plainArray(keys.map((key) => key.resellerId)),
    plainArray(keys.map((key) => key.id)),
  ])
  return rows
}

export type ChangeRow = { kind: string; code: PaymentCode; detail: string; at: Date }

const LIST_CHANGES = {
  name: 'payment_changes_list',
  text: `select kind, code, detail, at from payment_changes
          where reseller_id = $1 and payment_id = $2 order by at, id limit $3`,
}

/** A payment's timeline, oldest first. */
export async function listChanges(
  connection: Queryable,
  resellerId: bigint,
  id: bigint,
  limit: number,
): Promise<ChangeRow[]> {
  const { rows } = await connection.query<ChangeRow>(LIST_CHANGES, [resellerId, id, limit])
  return rows
}

export type StuckRow = {
  reseller_id: bigint
  payment_id: bigint
  refid: string
  product_code: string
  cost: bigint
  code: PaymentCode
  provider: string
  attempt: number
  questions: number
  created_at: Date
  due_at: Date
  next_at: Date
}

const LIST_STUCK = {
  name: 'payments_list_stuck',
  text: `select w.reseller_id, w.payment_id, p.refid, p.product_code, p.cost, p.code, p.provider, w.attempt,
                w.questions, p.created_at, w.due_at, w.next_at
           from payment_work w join payments p on p.reseller_id = w.reseller_id and p.id = w.payment_id
          where w.due_at < now() order by w.due_at limit $1`,
}

/** Lists payments past their due time, longest overdue first. */
export async function listStuckRows(connection: Queryable, limit: number): Promise<StuckRow[]> {
  const { rows } = await connection.query<StuckRow>(LIST_STUCK, [limit])
  return rows
}

/** Counts them. Work that is not final is few rows, and each looks up its payment by the primary key. */
const COUNT_STUCK = {
  name: 'payments_count_stuck',
  text: `select count(*)::integer as payments, min(w.due_at) as "oldestDueAt", coalesce(sum(p.cost), 0)::bigint as cost
           from payment_work w join payments p on p.reseller_id = w.reseller_id and p.id = w.payment_id
          where w.due_at < now()`,
}

export type StuckCountRow = { payments: number; oldestDueAt: Date | null; cost: bigint }

export async function countStuckRows(connection: Queryable): Promise<StuckCountRow> {
  const { rows } = await connection.query<StuckCountRow>(COUNT_STUCK)
  return rows[0] ?? { payments: 0, oldestDueAt: null, cost: 0n }
}

const ADVANCE = {
  name: 'test_clock_advance',
  text: `with held as (
           select reseller_id, payment_id from payment_work where reseller_id = $1
            order by payment_id for no key update
         ), moved as (
           update payment_work w
              set due_at = later(w.due_at, -make_interval(secs => $2)),
                  next_at = case when w.is_leased then w.next_at
                                 else later(w.next_at, -make_interval(secs => $2)) end,
                  submitted_at =
                    case when w.is_leased then w.submitted_at
                         else later(w.submitted_at, -make_interval(secs => $2)) end,
                  ahead_ms = case when w.is_leased then w.ahead_ms + $2::bigint * 1000 else w.ahead_ms end
             from held where w.reseller_id = held.reseller_id and w.payment_id = held.payment_id
         ), reopened as (
           update payment_open_attempts
              set next_at = later(next_at, -make_interval(secs => $2)),
                  submitted_at = later(submitted_at, -make_interval(secs => $2))
            where reseller_id = $1 and not is_leased
         ), quoted as (
           update quotes set expires_at = later(expires_at, -make_interval(secs => $2))
            where reseller_id = $1 and payment_id is null and expires_at > now()
         ), noted as (
           insert into test_clock_moves (reseller_id, at, seconds) values ($1, clock_timestamp(), $2)
         ), advanced as (
           insert into test_clocks (reseller_id, advanced_seconds) values ($1, $2)
           on conflict (reseller_id) do update
              set advanced_seconds = test_clocks.advanced_seconds + excluded.advanced_seconds
           returning advanced_seconds
         )
         select advanced_seconds, advance_deliveries($1, $2::integer), advance_cases($1, $2::integer),
                advance_orders($1, $2::integer), advance_keys($1, $2::integer)
           from advanced`,
}

/**
 * Brings an account's outstanding times nearer; returns by how many seconds in total. For work under a lease it moves
 * only the due time and the age that the provider sees: the times that measure a lease and a proof of absence do not
 * move.
 */
export async function advanceClock(
  connection: Queryable,
  resellerId: bigint,
  seconds: number,
): Promise<bigint> {
  // A payment that is taken meanwhile counts before the move or after it, as its date says.
  await connection.query('select from hold_wallet($1)', [resellerId])
  const { rows } = await connection.query<{ advanced_seconds: bigint }>(ADVANCE, [resellerId, seconds])
  return rows[0]?.advanced_seconds ?? 0n
}

export async function findClock(connection: Queryable, resellerId: bigint): Promise<bigint> {
  const { rows } = await connection.query<{ advanced_seconds: bigint }>(
    'select advanced_seconds from test_clocks where reseller_id = $1',
    [resellerId],
  )
  return rows[0]?.advanced_seconds ?? 0n
}
