import type { Queryable } from '../../../db/database.ts'
import type { Amount } from '../../../lib/money.ts'
import type { EntryOfPayment, TransferKind } from '../balance/types.ts'
import type { Stretch, Total } from './statement.rules.ts'

// A statement reads entries that never change, in a wallet whose entries have no gaps and are dated in their order.
// Once the stretch is known, later statements see the same, even if entries are added meanwhile.

/**
 * Finds the entries between two instants, the second one excluded. A binary search on the sequence finds each end in
 * about twenty lookups in the primary key; no index on the time is needed.
 */
const STRETCH = {
  name: 'statement_stretch',
  text: `
    with recursive ends (which, instant) as (
      values (1, $2::timestamptz), (2, $3::timestamptz)
    ), search (which, instant, low, high) as (
      -- The last entry before the instant is at low or above, and at high or below.
      select ends.which, ends.instant, 0::bigint, w.sequence from ends cross join wallets w where w.reseller_id = $1
      union all
      select s.which, s.instant, case when t.created_at < s.instant then t.sequence else s.low end,
             case when t.created_at < s.instant then s.high else t.sequence - 1 end
        from search s
        join transfers t on t.reseller_id = $1 and t.sequence = (s.low + s.high + 1) / 2
       where s.low < s.high
    ), found as (
      select which, low as sequence from search where low = high
    )
    select f.sequence as before, l.sequence as last, coalesce(ft.balance_after, 0) as balance_before,
           coalesce(lt.balance_after, 0) as balance_last
      from found f
      join found l on l.which = 2
      left join transfers ft on ft.reseller_id = $1 and ft.sequence = f.sequence
      left join transfers lt on lt.reseller_id = $1 and lt.sequence = l.sequence
     where f.which = 1`,
}

type StretchRow = { before: bigint; last: bigint; balance_before: bigint; balance_last: bigint }

export async function findStretch(
  connection: Queryable,
  resellerId: bigint,
  from: Date,
  until: Date,
): Promise<Stretch | undefined> {
  const { rows } = await connection.query<StretchRow>(STRETCH, [resellerId, from, until])
  const row = rows[0]
  return (
    row && {
      before: row.before,
      last: row.last,
      balanceBefore: row.balance_before,
      balanceLast: row.balance_last,
    }
  )
}

const OTHERS = {
  name: 'statement_others',
  text: `select kind, count(*) as count, sum(amount)::bigint as amount from transfers
          where reseller_id = $1 and sequence > $2 and sequence <= $3 and kind <> 'payment'
          group by kind`,
}

/** Sums everything but payments, by kind. */
export async function sumOthers(
  connection: Queryable,
  resellerId: bigint,
  { before, last }: Stretch,
): Promise<Map<TransferKind, Total>> {
  const { rows } = await connection.query<{ kind: TransferKind; count: bigint; amount: bigint }>(OTHERS, [
    resellerId,
    before,
    last,
  ])
  return new Map(rows.map(({ kind, count, amount }) => [kind, { count, amount }]))
}

// ── Pages, newest first ──

type EntryRow = {
  sequence: bigint
  kind: TransferKind
  amount: bigint
  balance_after: bigint
  remarks: string
  payment_id: bigint | null
  created_at: Date
}

const COLUMNS = 'sequence, kind, amount, balance_after, remarks, payment_id, created_at'

const DOWN_FROM = {
  name: 'statement_down_from',
  text: `select ${COLUMNS} from transfers where reseller_id = $1 and sequence > $2 and sequence <= $3
          order by sequence desc limit $4`,
}

/** Lists the entries at and below a place. The start of a page is computed, because entries have no gaps. */
export async function listDownFrom(
  connection: Queryable,
  resellerId: bigint,
  { before }: Stretch,
  first: bigint,
  limit: number,
): Promise<EntryOfPayment[]> {
  const { rows } = await connection.query<EntryRow>(DOWN_FROM, [resellerId, before, first, limit])
  return rows.map((row) => toEntry(resellerId, row))
}

/**
 * Lists payments alone. If all entries were payments, the page would begin `passOver` below the end. It begins lower by
 * the number of other entries above it; the entries that this adds are counted again, until there are no more. Every
 * other entry above the page is counted once, and no payment above it is read.
 */
const PAYMENTS = {
  name: 'statement_payments',
  text: `
    with recursive step (above, place, others) as (
      select $3::bigint + 1, $3::bigint - $4::bigint, 1::bigint
      union all
      select s.place, s.place - o.others, o.others
        from step s
        cross join lateral (
          select count(*) as others from transfers
           where reseller_id = $1 and sequence >= s.place and sequence < s.above and kind <> 'payment'
        ) o
       where s.others > 0
    )
    select ${COLUMNS} from transfers
     where reseller_id = $1 and sequence > $2 and sequence <= (select min(place) from step) and kind = 'payment'
     order by sequence desc limit $5`,
}

export async function listPayments(
  connection: Queryable,
  resellerId: bigint,
  { before, last }: Stretch,
  passOver: bigint,
  limit: number,
): Promise<EntryOfPayment[]> {
  const values = [resellerId, before, last, passOver, limit]
  const { rows } = await connection.query<EntryRow>(PAYMENTS, values)
  return rows.map((row) => toEntry(resellerId, row))
}

const OF_KINDS = {
  name: 'statement_of_kinds',
  text: `select ${COLUMNS} from transfers
          where reseller_id = $1 and sequence > $2 and sequence <= $3 and kind <> 'payment' and kind = any($4)
          order by sequence desc offset $5 limit $6`,
}

/** Lists kinds other than payment. There are few of them, so the skipped ones are walked through. */
export async function listOfKinds(
  connection: Queryable,
  resellerId: bigint,
  { before, last }: Stretch,
  page: { kinds: readonly TransferKind[]; passOver: bigint; limit: number },
): Promise<EntryOfPayment[]> {
  const { rows } = await connection.query<EntryRow>(OF_KINDS, [
    resellerId,
    before,
    last,
    page.kinds,
    page.passOver,
    page.limit,
  ])
  return rows.map((row) => toEntry(resellerId, row))
}

function toEntry(resellerId: bigint, row: EntryRow): EntryOfPayment {
  return {
    resellerId,
    sequence: row.sequence,
    kind: row.kind,
    amount: row.amount as Amount,
    balanceAfter: row.balance_after,
    remarks: row.remarks,
    paymentId: row.payment_id,
    createdAt: row.created_at,
  }
}
