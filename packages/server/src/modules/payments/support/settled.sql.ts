import { plainArray, textArray } from '../../../db/arrays.ts'
import { defineBatchCall, defineCall } from '../../../db/calls.ts'
import type { Queryable } from '../../../db/database.ts'
import type { Reference } from '../core/schedule.rules.ts'
import type { PaymentCode } from '../core/types.ts'

export type AttemptPlace = Pick<AttemptRow, 'reseller_id' | 'payment_id' | 'attempt'>

export type AttemptRow = {
  reseller_id: bigint
  payment_id: bigint
  attempt: number
  /** Provider of the attempt; null: there was no such attempt. */
  attempt_provider: string | null
  code: PaymentCode
  amount: bigint
  face_value: bigint
  serial_number: string | null
  present_attempt: number | null
  succeeded_attempt: number | null
}

const FIND_ATTEMPTS = defineBatchCall<Reference>()(
  {
    name: 'payments_find_attempts',
    text: `select reseller_id, payment_id, attempt, attempt_provider, code, amount, face_value, serial_number,
                  present_attempt, succeeded_attempt
             from find_attempts(...)`,
  },
  [
    ['p_ids', 'bigint[]', ({ paymentId }) => paymentId],
    ['p_attempts', 'smallint[]', ({ attempt }) => attempt],
  ],
  {},
)

/** Finds these attempts; a payment that does not exist is left out. */
export async function findAttempts(
  connection: Queryable,
  references: readonly Reference[],
): Promise<AttemptRow[]> {
  const { rows } = await connection.query<AttemptRow>(
    FIND_ATTEMPTS.statement,
    FIND_ATTEMPTS.valuesOf(references, {}),
  )
  return rows
}

const LIST_SOLD = defineCall(
  { name: 'payments_list_sold', text: 'select payment_id, attempt from list_sold(...)' },
  { p_after: 'bigint', p_before: 'bigint', p_limit: 'integer' },
)

/** Lists attempts that succeeded, of all providers, in the order of the payments' ids. */
export async function listSoldReferences(
  connection: Queryable,
  range: { readonly afterId: bigint; readonly beforeId: bigint; readonly limit: number },
): Promise<Reference[]> {
  const { rows } = await connection.query<{ payment_id: bigint; attempt: number }>(
    LIST_SOLD.statement,
    LIST_SOLD.valuesOf({ p_after: range.afterId, p_before: range.beforeId, p_limit: range.limit }),
  )
  return rows.map((row) => ({ paymentId: row.payment_id, attempt: row.attempt }))
}

export type WorkState = { attempt: number; is_overdue: boolean }

export async function findWorkState(
  connection: Queryable,
  resellerId: bigint,
  id: bigint,
): Promise<WorkState | undefined> {
  const { rows } = await connection.query<WorkState>(
    `select attempt, due_at < now() as is_overdue from payment_work where reseller_id = $1 and payment_id = $2`,
    [resellerId, id],
  )
  return rows[0]
}

/** Lists the attempts of a payment that are undecided beside the present one. */
export async function listOpenAttempts(
  connection: Queryable,
  resellerId: bigint,
  id: bigint,
): Promise<number[]> {
  const { rows } = await connection.query<{ attempt: number }>(
    'select attempt from payment_open_attempts where reseller_id = $1 and payment_id = $2 order by attempt',
    [resellerId, id],
  )
  return rows.map(({ attempt }) => attempt)
}

/** Finds those of these attempts that are undecided beside the present one. */
export async function findOpenAttempts(
  connection: Queryable,
  rows: readonly AttemptPlace[],
): Promise<AttemptPlace[]> {
  const found = await connection.query<AttemptPlace>(
    `select reseller_id, payment_id, attempt
       from unnest($1::bigint[], $2::bigint[], $3::smallint[]) as k (reseller_id, payment_id, attempt)
       join payment_open_attempts using (reseller_id, payment_id, attempt)`,
    [
      plainArray(rows.map((row) => row.reseller_id)),
      plainArray(rows.map((row) => row.payment_id)),
      plainArray(rows.map((row) => row.attempt)),
    ],
  )
  return found.rows
}

export type CostRow = AttemptPlace & { amount: bigint; currency: string; rate: string | null }

/** Finds what providers took for these attempts, where they said it. */
export async function findCosts(connection: Queryable, rows: readonly AttemptPlace[]): Promise<CostRow[]> {
  const found = await connection.query<CostRow>(
    `select reseller_id, payment_id, attempt, c.amount, c.currency, c.rate::text as rate
       from unnest($1::bigint[], $2::bigint[], $3::smallint[]) as k (reseller_id, payment_id, attempt)
       join payment_supplier_costs c using (reseller_id, payment_id, attempt)`,
    [
      plainArray(rows.map((row) => row.reseller_id)),
      plainArray(rows.map((row) => row.payment_id)),
      plainArray(rows.map((row) => row.attempt)),
    ],
  )
  return found.rows
}

const BY_WORD = {
  ours: `select s.reference as word, s.payment_id, s.attempt from unnest($2::text[]) as k (word)
           join payment_supplier_references s on s.provider = $1 and s.reference = k.word`,
  theirs: `select s.supplier_id as word, min(s.payment_id) as payment_id, min(s.attempt) as attempt
             from unnest($2::text[]) as k (word)
             join payment_supplier_references s on s.supplier_id = k.word and s.provider = $1
            group by s.supplier_id having count(*) = 1`,
}

/**
 * Finds the attempts that a provider got under these references in its own form, or that have these ids of its own. An id
 * that two attempts have names neither.
 */
export async function findByWords(
  connection: Queryable,
  provider: string,
  of: keyof typeof BY_WORD,
  words: readonly string[],
): Promise<(Reference & { readonly reference: string })[]> {
  const { rows } = await connection.query<{ word: string; payment_id: bigint; attempt: number }>(
    BY_WORD[of],
    [provider, textArray([...new Set(words)])],
  )
  return rows.map((row) => ({ reference: row.word, paymentId: row.payment_id, attempt: row.attempt }))
}

export type Hold = { is_held: boolean; leased_until: Date }

/**
 * Takes a lease on the payment's work, as a node that sends it does, so that no node begins anything with it meanwhile.
 * `is_held` false: another node has the lease until then. undefined: there is no work any more.
 */
export async function holdWork(
  connection: Queryable,
  resellerId: bigint,
  id: bigint,
  leaseMs: number,
): Promise<Hold | undefined> {
  const { rows } = await connection.query<Hold>(
    `with held as (
       update payment_work set next_at = now() + $3 * interval '1 millisecond', is_leased = true, lease = lease + 1
        where reseller_id = $1 and payment_id = $2 and not (is_leased and next_at > now())
       returning next_at
     )
     select true as is_held, next_at as leased_until from held
     union all
     select false, next_at from payment_work
      where reseller_id = $1 and payment_id = $2 and not exists (select from held)`,
    [resellerId, id, leaseMs],
  )
  return rows[0]
}
