import { plainArray, textArray } from '../../../db/arrays.ts'
import { defineCall } from '../../../db/calls.ts'
import type { Queryable } from '../../../db/database.ts'
import type { Amount } from '../../../lib/money.ts'
import { CUSTOMER } from '../read/lines.sql.ts'

export type QuoteRow = {
  reseller_id: bigint
  id: string
  product_code: string
  product_name: string
  account: string
  amount: bigint
  subproduct_code: string | null
  biller_code: string | null
  ref2: string | null
  plan_code: string | null
  sealed_input: Buffer | null
  face_value: bigint
  cost: bigint
  expires_at: Date
  is_expired: boolean
  payment_id: bigint | null
}

const LIST = {
  name: 'quotes_list',
  text: `select a.place::integer as place, q.*
           from unnest($1::bigint[], $2::uuid[]) with ordinality as a (reseller_id, id, place)
          cross join lateral (
            select reseller_id, id, product_code, product_name, account, amount, subproduct_code, biller_code, ref2,
                   plan_code, sealed_input, face_value, cost, expires_at,
                   expires_at <= clock_timestamp() as is_expired, payment_id
              from quotes where reseller_id = a.reseller_id and id = a.id limit 1) q`,
}

export type QuoteKey = { readonly resellerId: bigint; readonly id: string }

/** Reads quotes by their keys, in the order of the keys; undefined: there is none. */
export async function listQuoteRows(
  connection: Queryable,
  keys: readonly QuoteKey[],
): Promise<(QuoteRow | undefined)[]> {
  const { rows } = await connection.query<QuoteRow & { place: number }>(LIST, [
    plainArray(keys.map(({ resellerId }) => resellerId)),
    plainArray(keys.map(({ id }) => id)),
  ])
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  return keys.map((_, index) => byPlace.get(index + 1))
}

export const KEEP = defineCall(
  { name: 'quotes_keep', text: 'select keep_quote(...) as expires_at' },
  {
    p_reseller: 'bigint',
    p_id: 'uuid',
    p_product: 'text',
    p_product_name: 'text',
    p_account: 'text',
    p_amount: 'bigint',
    p_subproduct: 'text',
    p_biller: 'text',
    p_ref2: 'text',
    p_plan: 'text',
    p_sealed_input: 'bytea',
    p_face_value: 'bigint',
    p_cost: 'bigint',
    p_seconds: 'integer',
    p_open_max: 'integer',
  },
)

/** Keeps a quote: see functions/payments/keep_quote.sql. Returns when it expires. */
export async function keepQuoteRow(
  connection: Queryable,
  values: Parameters<typeof KEEP.valuesOf>[0],
): Promise<Date> {
  const { rows } = await connection.query<{ expires_at: Date }>(KEEP.statement, KEEP.valuesOf(values))
  const [row] = rows
  if (row === undefined) throw new Error('keep_quote returned no row')
  return row.expires_at
}

const SWEEP = {
  name: 'quotes_sweep',
  text: `delete from quotes
          where (reseller_id, id) in (
            select reseller_id, id from quotes
             where payment_id is null and expires_at < now() - make_interval(days => $2)
             order by expires_at limit $1 for update skip locked)`,
}

/** Deletes up to `limit` quotes that nobody paid and that expired longer than `keptDays` ago; returns how many. */
export async function sweepQuoteRows(
  connection: Queryable,
  limit: number,
  keptDays: number,
): Promise<number> {
  const { rowCount } = await connection.query(SWEEP, [limit, keptDays])
  return rowCount
}

/** Age of a payment by the test clock of its reseller, in seconds. */
const AGE = `(extract(epoch from clock_timestamp() - p.created_at) + coalesce((
                  select sum(m.seconds) from test_clock_moves m
                   where m.reseller_id = $1 and m.at > p.created_at), 0))`

/**
 * A test clock only makes payments older, so none before the window counts. An account to which everything is sold, such as
 * that of PINs, has many payments: the others are not read.
 */
const SINCE = `p.id >= (floor(extract(epoch from now()) * 1000)::bigint - ceil($5::numeric)::bigint * 1000) << 20`

/** A stretch of ids is the part of them above these bits: see the index payments_of_customer. */
const FIND_SAME = {
  name: 'payments_find_same',
  text: `select w.place::integer as place, p.id, p.refid, p.seconds
           from unnest($2::text[], $3::text[], $4::bigint[]) with ordinality as w (account, product, amount, place)
          cross join lateral (
            select id, refid, floor(${AGE})::integer as seconds from payments p
             where (id >> 52)::smallint = any ($6::smallint[]) and ${CUSTOMER} = w.account
               and reseller_id + 0 = $1 and ${SINCE}
               and product_code = w.product and amount = w.amount and code in (0, 1, 20) and ${AGE} < $5::numeric
             order by id desc limit 1) p`,
}

/** Payment that would be made, for an account in its canonical form. */
export type WantedPayment = {
  readonly productCode: string
  readonly account: string
  readonly amount: Amount
}

/** Payment that another one repeats; `place` counts the others from 1. */
export type RepeatedPayment = { place: number; id: bigint; refid: string; seconds: number }

/**
 * Finds, for each of several, the latest payment of the same product, account and amount that is not older, and neither
 * failed nor voided.
 */
export async function findSamePayments(
  connection: Queryable,
  resellerId: bigint,
  payments: readonly WantedPayment[],
  withinSeconds: number,
  nowMs: number,
): Promise<RepeatedPayment[]> {
  const { rows } = await connection.query<RepeatedPayment>(FIND_SAME, [
    resellerId,
    textArray(payments.map(({ account }) => account)),
    textArray(payments.map(({ productCode }) => productCode)),
    plainArray(payments.map(({ amount }) => amount)),
    withinSeconds,
    stretchesOf(withinSeconds, nowMs),
  ])
  return rows
}

function stretchesOf(withinSeconds: number, nowMs: number): number[] {
  const stretches = [nowMs - withinSeconds * 1_000, nowMs].map((ms) => Math.floor(ms / 2 ** 32))
  return [...new Set(stretches)]
}
