import type { Client } from 'pg'

export const MILLION = 1_000_000
/** Days over which the payments are spread; the last one is yesterday. */
export const DAYS = 360
const PRODUCTS = ['NOVA', 'KITA', 'BAYU', 'RIMBA', 'VOLT'] as const
const REFUNDED_EVERY = 50_000
const FAILED_EVERY = 23
const DAY_MS = 86_400_000
const ZONE_MS = 8 * 3_600_000
const STEP_MS = (DAYS * DAY_MS) / MILLION
/** Beginning of today by GMT+8, at which the last payment has just been made. It stays when a test runs over midnight. */
const END_MS = Math.floor((Date.now() + ZONE_MS) / DAY_MS) * DAY_MS - ZONE_MS

/** Payment by its number, as the statement below writes it; the last one is the newest. */
export type PastPayment = {
  readonly refid: string
  readonly product: (typeof PRODUCTS)[number]
  readonly status: 'successful' | 'failed' | 'refunded'
  readonly account: string
  /** Days from its day until today, by GMT+8. */
  readonly daysAgo: number
}

export function pastPayment(number: number): PastPayment {
  return {
    refid: `past-${number}`,
    product: PRODUCTS[number % PRODUCTS.length] ?? 'NOVA',
    status:
      number % REFUNDED_EVERY === 7 ? 'refunded' : number % FAILED_EVERY === 8 ? 'failed' : 'successful',
    account: `601${String((number * 7919) % 100_000_000).padStart(8, '0')}`,
    daysAgo: Math.ceil(((MILLION - number) * STEP_MS) / DAY_MS),
  }
}

/** Returns the refids of a page of the payments that match, newest first. */
export function pageOf(matches: (payment: PastPayment) => boolean, offset = 0): string[] {
  const found: string[] = []
  for (let number = MILLION - 1; number >= 0 && found.length < offset + PAGE_ROWS; number -= 1) {
    const payment = pastPayment(number)
    if (matches(payment)) found.push(payment.refid)
  }
  return found.slice(offset)
}

const PAGE_ROWS = 50

/** Returns a day by GMT+8. */
export function dayAgo(days: number): string {
  return new Date(END_MS + ZONE_MS - days * DAY_MS).toISOString().slice(0, 10)
}

/**
 * Writes a million payments of one reseller with the sums of their days, as a year of service leaves them. What only
 * the wallet reads is left out. The table is not logged, and its indexes are built afterwards: this takes a third of the
 * time of inserting into them.
 */
export async function writeMillion(client: Client, account: string): Promise<void> {
  await client.query('begin')
  await client.query('set local jit = off')
  await client.query('alter table payments set unlogged')
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
      where tablename = 'payments' and indexname <> 'payments_pkey'`,
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query(INSERT_PAYMENTS, [
    account,
    MILLION,
    STEP_MS,
    PRODUCTS,
    REFUNDED_EVERY,
    FAILED_EVERY,
    END_MS,
  ])
  for (const { definition } of indexes) await client.query(definition)
  await client.query(INSERT_SUMS, [account])
  await client.query(INSERT_SUMMED_DAYS, [account])
  await client.query('commit')
  await client.query('vacuum (analyze) payments, payment_rollups, payment_rollup_days')
  await client.query("select pg_stat_reset_single_table_counters('payments'::regclass)")
}

const RESELLER = '(select id from resellers where account = $1)'

// The id begins with the millisecond of the payment. Some have failed, and very few were refunded.
const INSERT_PAYMENTS = `
  insert into payments (reseller_id, id, refid, product_code, product_name, account, amount, face_value, cost,
                        balance_after, code, remarks, failure, serial_number, expiry, note, sender, member_id,
                        provider, created_at, changed_at)
  select ${RESELLER}, (p.at_ms << 20) | (p.number & 1048575), 'past-' || p.number, p.product, initcap(p.product),
         '601' || lpad((p.number * 7919 % 100000000)::text, 8, '0'), p.amount, p.amount, p.amount * 97 / 100,
         0, p.code, '', case p.code when 48 then 'Rejected by the provider' end,
         case when p.code <> 48 then 'SIM' || p.number end, '', '', '203.0.113.7', '1', 'simulator', p.at, p.at
    from (
      select number, at_ms, timestamptz 'epoch' + at_ms * interval '1 millisecond' as at,
             ($4::text[])[1 + number % cardinality($4)] as product, 50000 * (1 + number % 10) as amount,
             case when number % $5 = 7 then 53 when number % $6 = 8 then 48 else 20 end as code
        from generate_series(0::bigint, $2::bigint - 1) as number
       cross join lateral (select $7::bigint - ($2 - number) * $3::bigint as at_ms) t
    ) p`

const INSERT_SUMS = `
  insert into payment_rollups (reseller_id, day, product_code, code, payments, face_value, cost)
  select reseller_id, (created_at at time zone 'Asia/Kuala_Lumpur')::date, product_code, code,
         count(*), sum(face_value), sum(cost)
    from payments where reseller_id = ${RESELLER} group by 1, 2, 3, 4`

const INSERT_SUMMED_DAYS = `
  insert into payment_rollup_days (reseller_id, day, is_current)
  select distinct reseller_id, day, true from payment_rollups where reseller_id = ${RESELLER}`
