import type { Database } from '../../../../packages/server/dist/db/database.js'
import { withLongStatements } from '../../../../packages/server/dist/db/long-statements.js'
import { dayOf, startOfDayMs } from '../../../../packages/server/dist/lib/dates.js'
import type { Print } from '../measure.ts'
import type { Credentials } from '../signed.ts'

export const FILL_DAYS = 365

/** Account whose payments are filled; a payer among them has a key. */
export type Wallet = { id: bigint; credentials: Credentials | undefined }

type Year = { resellers: bigint[]; startMs: number; everyMs: number }
type Index = { name: string; is_key: boolean; table_name: string; definition: string }

/** Payments filled in one transaction, so that each of its statements ends within its time limit. */
const STEP_PAYMENTS = 70_000
const DAY_MS = 86_400_000
const CHAIN_POLL_MS = 1_000

/**
 * Fills a year of payments that ends yesterday, in the order of time and spread over the wallets, as a year of service
 * would have written it: payments, entries and wallets, sums of days, and the chain of the entries. Only timelines are
 * left out. No work is left for the service's own jobs, which would disturb the next measurement.
 */
export async function fillPayments(database: Database, wallets: Wallet[], rows: number, print: Print) {
  await fillYear(database, wallets, rows, print)
  await untilChained(database, (behind) =>
    print(`  ${behind.toLocaleString('en')} entries are not chained yet`),
  )
  await settle(database)
}

/**
 * Fills in a tenth of the time: indexes are built afterwards, which makes them denser than indexes that grew, and the
 * heads of the chain are moved without hashes. No service may run meanwhile.
 */
export async function fillPaymentsAtOnce(database: Database, wallets: Wallet[], rows: number, print: Print) {
  const { rows: indexes } = await database.query<Index>(INDEXES)
  for (const { name, is_key: isKey, table_name: table } of indexes)
    await database.query(isKey ? `alter table ${table} drop constraint ${name}` : `drop index ${name}`)
  await fillYear(database, wallets, rows, print)
  const long = withLongStatements(database)
  for (const { name, is_key: isKey, table_name: table, definition } of indexes) {
    print(`  builds ${name}`)
    await long.query(isKey ? `alter table ${table} add constraint ${name} ${definition}` : definition)
  }
  await database.query(CHAIN_AS_IF)
  await settle(long)
}

async function settle(database: Database) {
  await database.query('vacuum (analyze) payments, transfers, wallets, transfer_chain, payment_rollups')
  await database.query('checkpoint')
}

async function fillYear(database: Database, wallets: Wallet[], rows: number, print: Print) {
  const long = withLongStatements(database)
  const resellers = wallets.map(({ id }) => id)
  const year = {
    resellers,
    startMs: startOfDayMs(dayOf(Date.now()) - FILL_DAYS),
    everyMs: (FILL_DAYS * DAY_MS) / (rows / wallets.length),
  }
  const startedAt = performance.now()
  const seconds = () => `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`
  await long.transaction((tx) => tx.query(DEPOSIT, [resellers, year.startMs]))
  const stepDays = Math.max(1, Math.floor((STEP_PAYMENTS / rows) * FILL_DAYS))
  let filled = 0
  let told = 0
  for (let day = 0; day < FILL_DAYS; day += stepDays) {
    filled += await fillDays(long, year, day, Math.min(day + stepDays, FILL_DAYS))
    if (filled - told < rows / 10) continue
    told = filled
    print(`  filled ${filled.toLocaleString('en')} of ${rows.toLocaleString('en')} payments, ${seconds()}`)
  }
  print(`  filled with ${filled.toLocaleString('en')} payments in ${seconds()}`)
}

function fillDays(
  database: Database,
  { resellers, startMs, everyMs }: Year,
  fromDay: number,
  untilDay: number,
) {
  return database.transaction(async (tx) => {
    await tx.query('set local jit = off')
    const fromMs = startMs + fromDay * DAY_MS
    const untilMs = startMs + untilDay * DAY_MS
    await tx.query(MAKE_TABLE)
    await tx.query(MAKE, [resellers, startMs, everyMs, fromMs, untilMs])
    await tx.query(MOVE)
    const { rowCount } = await tx.query(INSERT_PAYMENTS)
    await tx.query(INSERT_TRANSFERS)
    await tx.query(UPDATE_WALLETS)
    await tx.query(INSERT_ROLLUPS)
    await tx.query(INSERT_ROLLUP_DAYS)
    return rowCount
  })
}

/** Waits until the service's own job has chained all entries. */
async function untilChained(database: Database, tell: (behind: number) => void) {
  let told = Number.POSITIVE_INFINITY
  for (;;) {
    const { rows } = await database.query<{ behind: bigint }>(BEHIND)
    const behind = Number(rows[0]?.behind)
    if (behind === 0) return
    if (behind < told * 0.8) {
      tell(behind)
      told = behind
    }
    await new Promise((resolve) => setTimeout(resolve, CHAIN_POLL_MS))
  }
}

const BEHIND = `
  select coalesce(sum(w.sequence - coalesce(h.sequence, 0)), 0)::bigint as behind
    from wallets w left join chain_heads h on h.reseller_id = w.reseller_id`

const INDEXES = `
  select i.relname as name, t.relname as table_name, x.indisprimary as is_key,
         case when x.indisprimary then pg_get_constraintdef(c.oid) else pg_get_indexdef(i.oid) end as definition
    from pg_index x
    join pg_class i on i.oid = x.indexrelid
    join pg_class t on t.oid = x.indrelid
    left join pg_constraint c on c.conindid = i.oid and c.contype = 'p'
   where t.relname in ('payments', 'transfers')`

const CHAIN_AS_IF = `
  insert into chain_heads (reseller_id, sequence, hash, chained_at)
  select reseller_id, sequence, sha256(''), now() from wallets where sequence > 0
  on conflict (reseller_id) do update set sequence = excluded.sequence`

// ── One step ──

const DEPOSIT = `
  with posted as (
    insert into transfers (reseller_id, sequence, kind, house_account, amount, balance_after, remarks, created_at)
    select reseller_id, 1, 'deposit', 'bank', 100000000000, 100000000000, 'bench',
           timestamptz 'epoch' + $2::bigint * interval '1 millisecond'
      from unnest($1::bigint[]) as reseller_id
    returning reseller_id, balance_after
  )
  update wallets w set balance = p.balance_after, sequence = 1
    from posted p where w.reseller_id = p.reseller_id and w.sequence = 0`

const MAKE_TABLE = `
  create temporary table made (
    reseller_id bigint, number bigint, id bigint, at timestamptz, day date, product text, account text,
    amount bigint, cost bigint, code smallint, balance_before bigint, sequence_before bigint
  ) on commit drop`

// Payment k of a wallet gets a moment in the k-th part of the year; one in 25 fails.
const MAKE = `
  insert into made
  select w.reseller_id, p.number, (p.at_ms << 20) | ((p.number * cardinality($1::bigint[]) + r.place) & 1048575),
         timestamptz 'epoch' + p.at_ms * interval '1 millisecond',
         ((timestamptz 'epoch' + p.at_ms * interval '1 millisecond') at time zone 'Asia/Kuala_Lumpur')::date,
         (array['NOVA', 'KITA', 'BAYU', 'RIMBA', 'VOLT'])[1 + (p.number + r.place) % 5],
         '601' || lpad(((p.number * 7919 + r.place * 104729) % 100000000)::text, 8, '0'),
         50000 * (1 + (p.number + 3 * r.place) % 10), 48500 * (1 + (p.number + 3 * r.place) % 10),
         case when p.number % 25 = 7 then 48 else 20 end, w.balance, w.sequence
    from unnest($1::bigint[]) with ordinality as r (reseller_id, place)
    join wallets w on w.reseller_id = r.reseller_id
    cross join lateral (
      select number, ($2::float8 + $3::float8 * (number + (r.place * 0.618034) % 1))::bigint as at_ms
        from generate_series(greatest(floor(($4::float8 - $2::float8) / $3::float8) - 1, 0)::bigint,
                             ceil(($5::float8 - $2::float8) / $3::float8)::bigint) as number
    ) p
   where p.at_ms >= $4::float8 and p.at_ms < $5::float8`

// A failed payment is refunded two seconds later, before the wallet's next payment.
const MOVE = `
  create temporary table moved on commit drop as
  select m.reseller_id, m.id, m.product, m.account, e.kind, e.amount,
         m.at + case e.kind when 'refund' then interval '2 seconds' else interval '0' end as at,
         m.sequence_before + row_number() over one as sequence,
         m.balance_before + sum(e.amount) over one as balance
    from made m
    cross join lateral (
      select 'payment' as kind, -m.cost as amount
      union all
      select 'refund', m.cost where m.code <> 20
    ) e
  window one as (partition by m.reseller_id order by m.number, e.kind)`

const INSERT_PAYMENTS = `
  insert into payments (reseller_id, id, refid, product_code, product_name, account, amount, face_value, cost,
                        balance_after, code, remarks, failure, serial_number, expiry, note, sender, member_id,
                        provider, created_at, changed_at)
  select m.reseller_id, m.id, 'past-' || m.number, m.product, initcap(m.product), m.account, m.amount, m.amount,
         m.cost, l.balance, m.code, '', case when m.code <> 20 then 'Rejected by the provider' end,
         case when m.code = 20 then 'SIM' || upper(left(md5(m.id::text), 16)) end, case when m.code = 20 then '' end,
         case when m.code = 20 then '' end, '203.0.113.7', '1', 'simulator', m.at, m.at + interval '2 seconds'
    from made m
    join moved l on l.reseller_id = m.reseller_id and l.id = m.id
     and l.kind = case when m.code = 20 then 'payment' else 'refund' end
   order by m.at`

const INSERT_TRANSFERS = `
  insert into transfers (reseller_id, sequence, kind, house_account, amount, balance_after, payment_id, remarks,
                         created_at)
  select reseller_id, sequence, kind, 'provider_clearing', amount, balance, id, product || ' ' || account, at
    from moved order by at`

const UPDATE_WALLETS = `
  update wallets w set balance = l.balance, sequence = l.sequence
    from (select distinct on (reseller_id) reseller_id, balance, sequence from moved
           order by reseller_id, sequence desc) l
   where w.reseller_id = l.reseller_id`

const INSERT_ROLLUPS = `
  insert into payment_rollups (reseller_id, day, product_code, code, payments, face_value, cost)
  select reseller_id, day, product, code, count(*), sum(amount), sum(cost) from made group by 1, 2, 3, 4`

const INSERT_ROLLUP_DAYS = `
  insert into payment_rollup_days (reseller_id, day, is_current)
  select distinct reseller_id, day, true from made`
