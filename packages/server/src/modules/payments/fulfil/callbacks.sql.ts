import type { Queryable } from '../../../db/database.ts'
import type { Reference } from '../core/schedule.rules.ts'
import type { PaymentCode, TimelineKind } from '../core/types.ts'
import type { Called } from './callbacks.rules.ts'
import { findAttemptProvider } from './work.sql.ts'

const FIND = {
  name: 'provider_callbacks_find',
  text: 'select digest from provider_callbacks where provider = $1 and id = $2',
}

/** Finds the digest of the callback that came with this id. */
export async function findCallback(
  connection: Queryable,
  provider: string,
  id: Buffer,
): Promise<Buffer | undefined> {
  const { rows } = await connection.query<{ digest: Buffer }>(FIND, [provider, id])
  return rows[0]?.digest
}

const INSERT = {
  name: 'provider_callbacks_insert',
  text: `insert into provider_callbacks (provider, id, digest, received_at) values ($1, $2, $3, now())
         on conflict (provider, id) do update set digest = excluded.digest
          where provider_callbacks.digest <> excluded.digest`,
}

/** Remembers a callback; false when the same one was remembered before. */
export async function rememberCallback(
  connection: Queryable,
  provider: string,
  id: Buffer,
  digest: Buffer,
): Promise<boolean> {
  return (await connection.query(INSERT, [provider, id, digest])).rowCount > 0
}

export type ReferencedPayment = Called & {
  readonly resellerId: bigint
  readonly id: bigint
  readonly attempt: number
  readonly code: PaymentCode
  readonly productCode: string
}

type CalledRow = {
  reseller_id: bigint
  code: PaymentCode
  amount: bigint
  face_value: bigint
  product_code: string
}

const FIND_CALLED = {
  name: 'payments_find_called',
  text: `select c.reseller_id, c.code, c.amount, c.face_value,
                (select p.product_code from payments p where p.reseller_id = c.reseller_id and p.id = $1 limit 1)
           from find_called_payment($1) c`,
}

/** Finds a payment by our own reference only, for any reseller. */
export async function findCalledPayment(
  connection: Queryable,
  { paymentId: id, attempt }: Reference,
): Promise<ReferencedPayment | undefined> {
  const { rows } = await connection.query<CalledRow>(FIND_CALLED, [id])
  const [row] = rows
  if (row === undefined) return undefined
  const payment = { resellerId: row.reseller_id, id }
  return {
    ...payment,
    attempt,
    code: row.code,
    productCode: row.product_code,
    amount: row.amount,
    faceValue: row.face_value,
    attemptProvider: (await findAttemptProvider(connection, payment, attempt)) ?? null,
  }
}

const FIND_BY_REFERENCE = {
  name: 'payment_supplier_references_find',
  text: `select payment_id as "paymentId", attempt from payment_supplier_references
          where provider = $1 and reference = $2`,
}

/** Finds the attempt that a provider got under a reference of its own form. */
export async function findByReference(
  connection: Queryable,
  provider: string,
  reference: string,
): Promise<Reference | undefined> {
  // PostgreSQL refuses a text with this character, and no reference has it.
  if (reference.includes('\0')) return undefined
  const { rows } = await connection.query<Reference>(FIND_BY_REFERENCE, [provider, reference])
  return rows[0]
}

type AttemptName = Pick<ReferencedPayment, 'resellerId' | 'id' | 'attempt'>

const IS_WATCHED = {
  name: 'payment_attempt_is_watched',
  text: `select exists (select from payment_work where reseller_id = $1 and payment_id = $2 and attempt = $3)
             or exists (select from payment_open_attempts where reseller_id = $1 and payment_id = $2 and attempt = $3)
             as is_watched`,
}

/** Tells whether the provider is asked about an attempt: it is the present one, or is open. */
export async function isWatched(
  connection: Queryable,
  { resellerId, id, attempt }: AttemptName,
): Promise<boolean> {
  const { rows } = await connection.query<{ is_watched: boolean }>(IS_WATCHED, [resellerId, id, attempt])
  return rows[0]?.is_watched === true
}

const ASK_NOW = {
  name: 'payment_attempt_ask_now',
  text: `with asked as (
           update payment_work set next_at = greatest(now(), later(submitted_at, $4 * interval '1 millisecond'))
            where reseller_id = $1 and payment_id = $2 and attempt = $3 and not is_leased
              and next_at > greatest(now(), later(submitted_at, $4 * interval '1 millisecond'))
         )
         update payment_open_attempts set next_at = now()
          where reseller_id = $1 and payment_id = $2 and attempt = $3 and not is_leased and next_at > now()`,
}

/**
 * Makes the next question about an attempt due, at the earliest `afterMs` after the present one was sent. One under a
 * lease is left alone: its holder asks by itself.
 */
export async function askNow(
  connection: Queryable,
  { resellerId, id, attempt }: AttemptName,
  afterMs: number,
): Promise<void> {
  await connection.query(ASK_NOW, [resellerId, id, attempt, afterMs])
}

const NOTE = {
  name: 'payment_changes_note',
  text: `with noted as (
           select count(*) as times from payment_changes
            where reseller_id = $1 and payment_id = $2 and kind = $3 and detail = $6
         )
         insert into payment_changes (reseller_id, payment_id, kind, code, attempt, detail, at)
         select $1, $2, $3, $4, $5, $6, clock_timestamp() from noted where times = 0`,
}

/** Notes a detail on a payment's timeline. The same detail is noted once. */
export async function notePayment(
  connection: Queryable,
  payment: Pick<ReferencedPayment, 'resellerId' | 'id' | 'code'> & { readonly attempt: number | null },
  kind: TimelineKind,
  detail: string,
): Promise<void> {
  await connection.query(NOTE, [payment.resellerId, payment.id, kind, payment.code, payment.attempt, detail])
}

const SWEEP = {
  name: 'provider_callbacks_sweep',
  text: `delete from provider_callbacks where (provider, id) in (
           select provider, id from provider_callbacks
            where received_at < now() - make_interval(days => $1) order by received_at limit $2)`,
}

/** Deletes old callbacks; returns how many. */
export async function sweepCallbacks(
  connection: Queryable,
  keptDays: number,
  limit: number,
): Promise<number> {
  return (await connection.query(SWEEP, [keptDays, limit])).rowCount
}
