import { plainArray, textArray } from '../../../db/arrays.ts'
import type { Queryable, Tx } from '../../../db/database.ts'
import type { ClaimTerms } from '../../../db/leases.ts'
import { defineLease } from '../../../db/leases.ts'
import type { FailureCode } from '../../../lib/failure-codes.ts'
import type { PaymentRow } from '../core/sql.ts'

/** Payment that needs work, with the fields that its order needs. */
export type WorkRow = Pick<
  PaymentRow,
  | 'refid'
  | 'product_code'
  | 'account'
  | 'amount'
  | 'face_value'
  | 'code'
  | 'biller_code'
  | 'ref2'
  | 'sealed_input'
> & {
  reseller_id: bigint
  payment_id: bigint
  plan_code: string | null
  provider: string
  attempt: number
  questions: number
  submitted_at: Date
  /** Milliseconds that the account's test clock was moved since. */
  ahead_ms: bigint
  /**
   * Milliseconds since the present attempt was, or may have been, sent the last time; by the database's clock as far as
   * it is trusted.
   */
  submitted_ms_ago: number
  /** Number of the lease that the claim took. */
  lease: number
  /** True: the holder before did not give the work back, and its lease ended. */
  was_leased?: boolean
  /** Number of times that the present attempt was sent again under the same reference. */
  repeats: number
  /** True: the present attempt certainly was not sent, and never will be. */
  is_unsent: boolean
  /** True: orders that were sent for it after a moment were forgotten by a restore. It is asked about, never sent. */
  is_ask_only: boolean
  /** Failure of the present attempt that its provider reported while another attempt was undecided; null: none. */
  held_code: FailureCode | null
  held_failure: string | null
  /** The form of the reference that the provider got; null: the usual one. */
  supplier_reference: string | null
  /** The provider's own id of the order; null: it gave none yet. */
  supplier_id: string | null
  /** Request that made the payment; null: it has none, left out: it is not read. */
  request_id?: string | null
}

/**
 * Columns that an order needs, of the work `w`, its payment `p` and the names `s` that its provider has for it. Suppliers
 * get the canonical number of the account, whichever spelling was sent.
 */
export const ORDER_COLUMNS = `
  w.reseller_id, w.payment_id, w.attempt, w.questions, w.submitted_at, w.ahead_ms, w.lease,
  extract(epoch from least(now(), $3) - w.submitted_at)::float8 * 1000 as submitted_ms_ago,
  p.refid, p.product_code, coalesce(p.canonical_account, p.account) as account, p.amount, p.face_value, p.code, p.biller_code, p.ref2, p.sealed_input, p.plan_code,
  s.reference as supplier_reference, s.supplier_id`

/** Join of the work with its payment and those names, row by row: the plan is kept, and may have been made when the tables were empty. */
export const JOIN_PAYMENT = `
  join lateral (
    select * from payments p where p.reseller_id = w.reseller_id and p.id = w.payment_id limit 1
  ) p on true
  left join lateral (
    select * from payment_supplier_references s
     where s.reseller_id = w.reseller_id and s.payment_id = w.payment_id and s.attempt = w.attempt limit 1
  ) s on true`

const LEASE = defineLease({
  table: 'payment_work',
  key: ['reseller_id', 'payment_id'],
  nextAt: 'next_at',
  mark: { kind: 'number' },
})

const claim = LEASE.claim<WorkRow>({
  name: 'payment_work_claim',
  columns: `w.was_leased, w.is_unsent, w.is_ask_only, w.repeats, w.held_code, w.held_failure, w.request_id, p.provider, ${ORDER_COLUMNS}`,
  joins: JOIN_PAYMENT,
})

/** Claims payments that no node holds: questions that are due, and leases that ended. */
export async function claimWork(connection: Queryable, terms: ClaimTerms): Promise<readonly WorkRow[]> {
  return (await claim(connection, terms)).rows
}

/** Further attempt at a payment, or only a note about the present one. */
export type AttemptCommand = {
  readonly resellerId: bigint
  readonly paymentId: bigint
  /** Number of the present attempt: if another was begun meanwhile, this command does nothing. */
  readonly attempt: number
  /** Number of the holder's lease; null: the attempt alone decides. */
  readonly lease: number | null
  /** Provider of the next attempt; null: the provider of the present one. */
  readonly provider: string | null
  readonly reason: string
  /** False: there is no next attempt, and only the reason is written. */
  readonly isBegun: boolean
  /** True: the present attempt is sent again, under the same reference and to the same provider. */
  readonly isRepeat?: boolean
  /** True: that sending is a question, so that the provider's own id stays. */
  readonly isQuestion?: boolean
}

export type BegunRow = { /** Place, from 1 */ command: number; submitted_at: Date; lease: number }

// Statement that locks the rows of the work in lock order. The statement after it sees every attempt that was opened by a
// commit for which this one waited.
const LOCK_WORK = `
  select from unnest($1::bigint[], $2::bigint[]) as c (reseller_id, payment_id)
    join payment_work w on w.reseller_id = c.reseller_id and w.payment_id = c.payment_id
   order by w.reseller_id, w.payment_id for update of w`

// An order that is sent again may get another id: under the earlier one the provider would not know it.
// Statement of its own, because it begins whole batches and keeps the lease that its caller may have; see ADR 0017. It is
// not prepared: a plan that was made while the tables were small would be kept. It locks a payment only after its work,
// as all other code does. Nothing is sent while another attempt of the payment is undecided: that one may still be
// carried out.
const BEGIN_ATTEMPTS = `
  with asked as (
    select * from unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::text[], $5::text[], $6::boolean[], $8::boolean[],
                         $9::integer[], $10::boolean[])
      with ordinality
      as c (reseller_id, payment_id, attempt, provider, reason, is_begun, is_repeat, lease, is_question, command)
  ), locked as materialized (
    select c.* from (select * from asked order by reseller_id, payment_id) c
     cross join lateral (
       select 1 from payment_work w
        where w.reseller_id = c.reseller_id and w.payment_id = c.payment_id and w.attempt = c.attempt
          and w.lease = coalesce(c.lease, w.lease)
        limit 1 for update
     ) w
  ), held as materialized (
    select l.*, p.provider as provider_before, p.code
      from locked l join payments p on p.reseller_id = l.reseller_id and p.id = l.payment_id
  ), begun as (
    update payment_work w
       set attempt = w.attempt + (not h.is_repeat)::integer,
           repeats = case when h.is_repeat then w.repeats + 1 else 0 end, lease = w.lease + 1,
           submitted_at = now(), ahead_ms = 0, is_unsent = false, held_code = null, held_failure = null,
           next_at = now() + $7 * interval '1 millisecond', is_leased = true
      from held h
     where h.is_begun and w.reseller_id = h.reseller_id and w.payment_id = h.payment_id and w.attempt = h.attempt
       and not exists (
         select from payment_open_attempts o
          where o.reseller_id = h.reseller_id and o.payment_id = h.payment_id and o.attempt <> h.attempt)
    returning h.command, h.reseller_id, h.payment_id, w.attempt, w.submitted_at, w.lease, h.provider_before, h.code,
              h.reason, h.is_repeat, h.is_question, coalesce(h.provider, h.provider_before) as provider
  ), moved as (
    update payments p set provider = b.provider
      from begun b where p.reseller_id = b.reseller_id and p.id = b.payment_id and p.provider <> b.provider
  ), renamed as (
    update payment_supplier_references s set supplier_id = null
      from begun b
     where b.is_repeat and not b.is_question and s.reseller_id = b.reseller_id and s.payment_id = b.payment_id and s.attempt = b.attempt
       and s.supplier_id is not null
  ), notes as (
    select reseller_id, payment_id, 'attempt' as kind, code, attempt, provider, provider_before,
           'attempt ' || attempt
             || case when provider = provider_before then '' else ' at ' || provider || ' instead of ' || provider_before end
             || ': ' || reason as detail, submitted_at as at
      from begun where not is_repeat
    union all
    select reseller_id, payment_id, 'repeat', code, attempt, null, null,
           'attempt ' || attempt || ' again, under the same reference: ' || reason, submitted_at
      from begun where is_repeat
    union all
    select h.reseller_id, h.payment_id, 'route', h.code, h.attempt, null, null, h.reason, now()
      from held h
     where not h.is_begun and not exists (
       select from payment_changes n
        where n.reseller_id = h.reseller_id and n.payment_id = h.payment_id and n.kind = 'route'
          and n.attempt = h.attempt and n.detail = h.reason)
  ), noted as (
    insert into payment_changes (reseller_id, payment_id, kind, code, attempt, provider, provider_before, detail, at)
    select * from notes
  )
  select command::integer, submitted_at, lease from begun`

/**
 * Begins attempts in one commit, before they are sent. A command has no row if another one was faster, or if an earlier
 * attempt is undecided. The same reason is noted once.
 */
export async function beginAttempts(
  tx: Tx,
  commands: readonly AttemptCommand[],
  leaseMs: number,
): Promise<BegunRow[]> {
  const payments = [
    plainArray(commands.map(({ resellerId }) => resellerId)),
    plainArray(commands.map(({ paymentId }) => paymentId)),
  ]
  await tx.query(LOCK_WORK, payments)
  const { rows } = await tx.query<BegunRow>(BEGIN_ATTEMPTS, [
    ...payments,
    plainArray(commands.map(({ attempt }) => attempt)),
    textArray(commands.map(({ provider }) => provider)),
    textArray(commands.map(({ reason }) => reason)),
    plainArray(commands.map(({ isBegun }) => String(isBegun))),
    leaseMs,
    plainArray(commands.map(({ isRepeat = false }) => String(isRepeat))),
    plainArray(commands.map(({ lease }) => lease)),
    plainArray(commands.map(({ isQuestion = false }) => String(isQuestion))),
  ])
  return rows
}

// Statement about attempts of which the answer to their commit was lost. The number of the attempt and that of the lease
// are each one higher than the command knows, and only its own commit can have raised both: another node raises the lease
// alone when it claims the payment, before it can begin an attempt. The attempt was not sent, so its time begins anew.
const RESUME_ATTEMPTS = `
  update payment_work w set submitted_at = now(), next_at = now() + $5 * interval '1 millisecond'
    from unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::integer[]) with ordinality
      as c (reseller_id, payment_id, attempt, lease, command)
   where w.reseller_id = c.reseller_id and w.payment_id = c.payment_id and w.attempt = c.attempt + 1
     and w.lease = c.lease + 1 and w.is_leased and not w.is_unsent
  returning c.command::integer, w.submitted_at, w.lease`

/** Command for a new attempt under a lease. */
export type LeasedCommand = AttemptCommand & { readonly lease: number }

/**
 * Finds attempts that an earlier run of the same commands has begun and not sent. The transaction has locked their work
 * by `beginAttempts`. A command has no row if it was not committed before, or another node has taken the attempt over.
 */
export async function resumeAttempts(
  tx: Tx,
  commands: readonly LeasedCommand[],
  leaseMs: number,
): Promise<BegunRow[]> {
  const { rows } = await tx.query<BegunRow>(RESUME_ATTEMPTS, [
    plainArray(commands.map(({ resellerId }) => resellerId)),
    plainArray(commands.map(({ paymentId }) => paymentId)),
    plainArray(commands.map(({ attempt }) => attempt)),
    plainArray(commands.map(({ lease }) => lease)),
    leaseMs,
  ])
  return rows
}

const FIND_ATTEMPT_PROVIDER = {
  name: 'payment_attempt_provider',
  text: 'select attempt_provider($1, $2, $3::smallint) as provider',
}

/** Finds the provider of an attempt of a payment; undefined: there is no such attempt. */
export async function findAttemptProvider(
  connection: Queryable,
  payment: { readonly resellerId: bigint; readonly id: bigint },
  attempt: number,
): Promise<string | undefined> {
  const values = [payment.resellerId, payment.id, attempt]
  const { rows } = await connection.query<{ provider: string | null }>(FIND_ATTEMPT_PROVIDER, values)
  return rows[0]?.provider ?? undefined
}

/** Lists the providers that the payment was moved away from. */
export async function listProvidersBefore(
  connection: Queryable,
  { reseller_id, payment_id }: Pick<WorkRow, 'reseller_id' | 'payment_id'>,
): Promise<string[]> {
  const { rows } = await connection.query<{ provider: string }>(
    `select distinct provider_before as provider from payment_changes
      where reseller_id = $1 and payment_id = $2 and kind = 'attempt' and provider_before <> provider`,
    [reseller_id, payment_id],
  )
  return rows.map(({ provider }) => provider)
}

/** Returns the milliseconds since an attempt was, or may have been, sent the first time; by the database's clock. */
export async function readFirstSentMsAgo(
  connection: Queryable,
  { reseller_id, payment_id, attempt }: Pick<WorkRow, 'reseller_id' | 'payment_id' | 'attempt'>,
): Promise<number> {
  const { rows } = await connection.query<{ ago: number }>(
    `select extract(epoch from now() - coalesce(
              (select min(c.at) from payment_changes c
                where c.reseller_id = p.reseller_id and c.payment_id = p.id and c.kind = 'attempt' and c.attempt = $3),
              p.created_at))::float8 * 1000 as ago
       from payments p where p.reseller_id = $1 and p.id = $2`,
    [reseller_id, payment_id, attempt],
  )
  return rows[0]?.ago ?? Number.POSITIVE_INFINITY
}

/** Counts payments whose present attempt is with the provider and not final, or that have an open attempt there. */
export async function countUnfinishedPayments(connection: Queryable, provider: string): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    `select ((select count(*) from payment_work w
               join payments p on p.reseller_id = w.reseller_id and p.id = w.payment_id
              where p.provider = $1)
            + (select count(*) from payment_open_attempts where provider = $1))::integer as count`,
    [provider],
  )
  return rows[0]?.count ?? 0
}

/** Limit of the count: above it no reader needs the exact figure. */
const STUCK_COUNTED_MAX = 10_000

/** Counts payments past their due time. The queue holds only payments that are not final, and stays small. */
export async function readStuck(
  connection: Queryable,
): Promise<{ readonly count: number; readonly oldestSeconds: number }> {
  const { rows } = await connection.query<{ count: number; oldest: number | null }>(
    `select count(*)::integer as count, extract(epoch from clock_timestamp() - min(due_at))::float8 as oldest
       from (select due_at from payment_work where due_at < clock_timestamp() limit ${STUCK_COUNTED_MAX}) w`,
  )
  return { count: rows[0]?.count ?? 0, oldestSeconds: Math.max(0, rows[0]?.oldest ?? 0) }
}
