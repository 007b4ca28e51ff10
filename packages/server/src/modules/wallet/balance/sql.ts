import type { Queryable, Tx } from '../../../db/database.ts'
import type { Amount } from '../../../lib/money.ts'
import type { Entry, HouseAccount, TransferKind } from './types.ts'

type EntryRow = {
  reseller_id: bigint
  sequence: bigint
  kind: TransferKind
  amount: bigint
  balance_after: bigint
  remarks: string
  created_at: Date
}

export async function lockWallet(
  tx: Tx,
  resellerId: bigint,
): Promise<{ balance: Amount; sequence: bigint } | undefined> {
  const { rows } = await tx.query<{ balance: bigint; sequence: bigint }>(
    'select balance, sequence from hold_wallet($1)',
    [resellerId],
  )
  return rows[0]
}

/** Lists the given wallets that are not locked at this moment. It does not wait, and leaves nothing locked. */
export async function listFreeWallets(
  connection: Queryable,
  resellerIds: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  const { rows } = await connection.query<{ reseller_id: bigint }>(
    'select reseller_id from wallets where reseller_id = any ($1::bigint[]) for no key update skip locked',
    [resellerIds],
  )
  return new Set(rows.map((row) => row.reseller_id))
}

/** Returns a moment, in milliseconds, before which everything is dated that moved the wallet until now. */
export async function readDividingMoment(tx: Tx, resellerId: bigint): Promise<bigint> {
  const { rows } = await tx.query<{ moment: bigint }>(`select dividing_moment($1) as moment`, [resellerId])
  const [row] = rows
  if (row === undefined) throw new Error('the wallet has no moment')
  return row.moment
}

export type NewEntry = {
  resellerId: bigint
  sequence: bigint
  kind: TransferKind
  houseAccount: HouseAccount
  amount: Amount
  balanceAfter: Amount
  remarks: string
  reference: string | undefined
}

const ENTRY = 'reseller_id, sequence, kind, amount, balance_after, remarks, created_at'

/**
 * Writes the transfer, the wallet's new row and the fact about it. The caller holds the wallet's lock. An entry is
 * never dated before the one it follows, even if the clock was set back.
 */
export async function insertEntry(tx: Tx, entry: NewEntry): Promise<Entry> {
  await tx.query(
    `update wallets set balance = $2, sequence = $3, last_entry_at = greatest(statement_timestamp(), last_entry_at)
      where reseller_id = $1`,
    [entry.resellerId, entry.balanceAfter, entry.sequence],
  )
  const { rows } = await tx.query<EntryRow>(
    `with wallet as (select last_entry_at from wallets where reseller_id = $1)
     insert into transfers
       (reseller_id, sequence, kind, house_account, amount, balance_after, remarks, reference, created_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, last_entry_at from wallet
     returning ${ENTRY}`,
    [
      entry.resellerId,
      entry.sequence,
      entry.kind,
      entry.houseAccount,
      entry.amount,
      entry.balanceAfter,
      entry.remarks,
      entry.reference ?? null,
    ],
  )
  const row = rows[0]
  if (row === undefined) throw new Error('an insert with returning gave no row')
  await tx.query(
    `select append_facts(
       p_source => 'entry', p_resellers => array[$1::bigint], p_subjects => array[$2::bigint], p_codes => null,
       p_amounts => array[$3::bigint], p_balances => array[$4::bigint], p_spans => null, p_type => $5,
       p_data => null, p_at => $6)`,
    [row.reseller_id, row.sequence, row.amount, row.balance_after, row.kind, row.created_at],
  )
  return entryOf(row)
}

export async function findEntryByReference(
  connection: Queryable,
  resellerId: bigint,
  reference: string,
): Promise<Entry | undefined> {
  const { rows } = await connection.query<EntryRow>(
    `select ${ENTRY} from transfers where reseller_id = $1 and reference = $2`,
    [resellerId, reference],
  )
  return rows[0] && entryOf(rows[0])
}

function entryOf(row: EntryRow): Entry {
  return {
    resellerId: row.reseller_id,
    sequence: row.sequence,
    kind: row.kind,
    amount: row.amount,
    balanceAfter: row.balance_after,
    remarks: row.remarks,
    createdAt: row.created_at,
  }
}

/**
 * Finds the last entry at or before an instant. A wallet's entries are dated in the order of their sequence, which has
 * no gaps. A binary search on the sequence finds it through the primary key in about twenty steps, so the entries need
 * no index on the time.
 */
const AS_OF = {
  name: 'wallet_entry_as_of',
  text: `
    with recursive search (low, high) as (
      select 0::bigint, sequence from wallets where reseller_id = $1
      union all
      select case when t.created_at <= i.instant then t.sequence else s.low end,
             case when t.created_at <= i.instant then s.high else t.sequence - 1 end
        from search s
        cross join (select timestamptz 'epoch' + $2::bigint * interval '1 microsecond' as instant) i
        join transfers t on t.reseller_id = $1 and t.sequence = (s.low + s.high + 1) / 2
       where s.low < s.high
    )
    select t.balance_after as balance, t.sequence, (extract(epoch from t.created_at) * 1000000)::bigint as at_micros
      from search s join transfers t on t.reseller_id = $1 and t.sequence = s.low
     where s.low = s.high`,
}

export async function findEntryAsOf(
  connection: Queryable,
  resellerId: bigint,
  instantMicros: bigint,
): Promise<{ balance: Amount; sequence: bigint; atMicros: bigint } | undefined> {
  const { rows } = await connection.query<{ balance: bigint; sequence: bigint; at_micros: bigint }>(AS_OF, [
    resellerId,
    instantMicros,
  ])
  const row = rows[0]
  return row && { balance: row.balance, sequence: row.sequence, atMicros: row.at_micros }
}

const BALANCES = {
  name: 'wallet_balances',
  text: 'select reseller_id, balance from wallets where reseller_id = any($1::bigint[])',
}

/** Reads the balances of many wallets in one statement. */
export async function listBalances(
  connection: Queryable,
  resellerIds: readonly bigint[],
): Promise<Map<bigint, Amount>> {
  const { rows } = await connection.query<{ reseller_id: bigint; balance: bigint }>(BALANCES, [resellerIds])
  return new Map(rows.map((row) => [row.reseller_id, row.balance]))
}
