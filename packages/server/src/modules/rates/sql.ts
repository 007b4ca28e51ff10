import type { Queryable, Tx } from '../../db/database.ts'
import type { Rate } from '../../lib/rates.ts'
import { formatRate, parseRate } from '../../lib/rates.ts'
import type { CurrencyRate, NewRate, RateState, Rates } from './types.ts'

type Row = {
  id: bigint
  currency: string
  rate: string
  from_at: Date
  state: RateState
  reason: string
  set_by: string
  approved_by: string | null
  set_at: Date
}

const COLUMNS = `r.id, r.currency, r.rate::text as rate, r.from_at, r.reason, r.set_by, r.approved_by, r.set_at,
  case when r.id = (select id from currency_rates c where c.currency = r.currency and c.from_at <= clock_timestamp()
                     order by c.from_at desc, c.id desc limit 1) then 'in_force'
       when r.from_at > clock_timestamp()
        and not exists (select from currency_rates c
                         where c.currency = r.currency and c.from_at = r.from_at and c.id > r.id) then 'planned'
       else 'past' end as state`

function rateOf(row: Row): CurrencyRate {
  return {
    id: row.id,
    currency: row.currency,
    rate: stored(row.rate),
    fromAt: row.from_at,
    state: row.state,
    reason: row.reason,
    setBy: row.set_by,
    approvedBy: row.approved_by,
    setAt: row.set_at,
  }
}

function stored(text: string): Rate {
  const rate = parseRate(text)
  if (rate === undefined) throw new Error(`the database holds a rate that is none: ${text}`)
  return rate
}

/**
 * Keeps rates from changing until the transaction ends. A rate that is set later begins later than everything that this
 * transaction sees.
 */
export async function lockRates(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('currency rates', 0) # lock_mark())`)
}

export async function readTime(tx: Tx): Promise<Date> {
  const { rows } = await tx.query<{ at: Date }>('select clock_timestamp() as at')
  return rows[0]?.at ?? new Date(Number.NaN)
}

/** Finds the rate that was set last, also one that is still to come. */
export async function findLast(connection: Queryable, currency: string): Promise<CurrencyRate | undefined> {
  const { rows } = await connection.query<Row>(
    `select ${COLUMNS} from currency_rates r where r.currency = $1 order by r.set_at desc, r.id desc limit 1`,
    [currency],
  )
  return rows[0] && rateOf(rows[0])
}

export async function findRateAt(
  connection: Queryable,
  currency: string,
  at: Date,
): Promise<Rate | undefined> {
  const { rows } = await connection.query<{ rate: string | null }>(
    'select rate_at($1, $2::timestamptz)::text as rate',
    [currency, at.toISOString()],
  )
  const rate = rows[0]?.rate ?? null
  return rate === null ? undefined : stored(rate)
}

export async function insertRate(tx: Tx, wanted: NewRate): Promise<CurrencyRate> {
  const { currency, rate, fromAt, reason, setBy, approvedBy } = wanted
  const { rows } = await tx.query<Row>(
    `with r as (
       insert into currency_rates (currency, rate, from_at, reason, set_by, approved_by)
       values ($1, $2::numeric, $3::timestamptz, $4, $5, $6) returning *
     )
     select r.id, r.currency, r.rate::text as rate, r.from_at, r.reason, r.set_by, r.approved_by, r.set_at,
            case when r.from_at > clock_timestamp() then 'planned' else 'in_force' end as state from r`,
    [currency, formatRate(rate), fromAt.toISOString(), reason, setBy, approvedBy],
  )
  const [row] = rows
  if (row === undefined) throw new Error('the database did not return the rate')
  return rateOf(row)
}

/** Returns the earliest time at which the currency has a rate. */
export async function findFirstTime(connection: Queryable, currency: string): Promise<Date | undefined> {
  const { rows } = await connection.query<{ from_at: Date }>(
    'select from_at from currency_rates where currency = $1 order by from_at limit 1',
    [currency],
  )
  return rows[0]?.from_at
}

export async function readPresentRates(connection: Queryable): Promise<Rates> {
  const { rows } = await connection.query<{ currency: string; rate: string }>(
    `select distinct on (currency) currency, rate::text as rate from currency_rates
      where from_at <= clock_timestamp() order by currency, from_at desc, id desc`,
  )
  return new Map(rows.map(({ currency, rate }) => [currency, stored(rate)]))
}

export type RateFilter = {
  readonly currency: string | null
  readonly state: RateState | null
  readonly afterId: bigint | null
  readonly limit: number
}

/** Lists the rates by currency, the latest first, behind the one with the given id. */
export async function listRateRows(
  connection: Queryable,
  { currency, state, afterId, limit }: RateFilter,
): Promise<CurrencyRate[]> {
  const { rows } = await connection.query<Row>(
    `select * from (select ${COLUMNS} from currency_rates r) s
      where ($1::text is null or s.currency = $1) and ($2::text is null or s.state = $2)
        and ($3::bigint is null or exists (
          select from currency_rates c where c.id = $3
             and (s.currency > c.currency or (s.currency = c.currency and (s.from_at, s.id) < (c.from_at, c.id)))))
      order by s.currency, s.from_at desc, s.id desc limit $4`,
    [currency, state, afterId, limit],
  )
  return rows.map(rateOf)
}
