import { plainArray } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'
import type { AuditedEntry, HouseBalance, WalletState } from './audit.types.ts'
import type { EntryRow } from './chain.sql.ts'
import { chainedEntryOf, ENTRY_COLUMNS } from './chain.sql.ts'

export async function listWallets(
  connection: Queryable,
  resellerIds: readonly bigint[],
): Promise<Map<bigint, WalletState>> {
  const { rows } = await connection.query<{ reseller_id: bigint; balance: bigint; sequence: bigint }>(
    'select reseller_id, balance, sequence from wallets where reseller_id = any($1::bigint[])',
    [plainArray(resellerIds)],
  )
  return new Map(rows.map(({ reseller_id: id, balance, sequence }) => [id, { balance, sequence }]))
}

const ENTRIES = {
  name: 'wallet_audit_entries',
  text: `select ${ENTRY_COLUMNS} from transfers t
          where t.reseller_id = $1 and t.sequence > $2 order by t.reseller_id, t.sequence limit $3`,
}

// The hashes are read apart from the entries: for a join the planner may read all hashes of all wallets for each page.
const HASHES = {
  name: 'wallet_audit_hashes',
  text: `select sequence, hash from transfer_chain
          where reseller_id = $1 and sequence > $2 and sequence <= $3`,
}

export async function listAuditedEntries(
  connection: Queryable,
  resellerId: bigint,
  page: { after: bigint; limit: number },
): Promise<AuditedEntry[]> {
  const { rows } = await connection.query<EntryRow>(ENTRIES, [resellerId, page.after, page.limit])
  const last = rows.at(-1)
  if (last === undefined) return []
  const hashes = await connection.query<{ sequence: bigint; hash: Buffer }>(HASHES, [
    resellerId,
    page.after,
    last.sequence,
  ])
  const bySequence = new Map(hashes.rows.map((row) => [row.sequence, row.hash]))
  return rows.map((row) => ({ ...chainedEntryOf(row), hash: bySequence.get(row.sequence) }))
}

const FIRST_HASH = {
  name: 'wallet_audit_first_hash',
  text: `select sequence from transfer_chain
          where reseller_id = $1 and sequence > $2 order by reseller_id, sequence limit 1`,
}

export async function findHashAfter(
  connection: Queryable,
  resellerId: bigint,
  sequence: bigint,
): Promise<bigint | undefined> {
  const { rows } = await connection.query<{ sequence: bigint }>(FIRST_HASH, [resellerId, sequence])
  return rows[0]?.sequence
}

export type OddPayment = {
  readonly sequence: bigint
  readonly paymentId: bigint
  readonly payments: bigint
  readonly refunds: bigint
  readonly balance: string
}

const ODD_PAYMENT = {
  name: 'wallet_audit_odd_payment',
  text: `
    select min(sequence) as sequence, payment_id, count(*) filter (where kind = 'payment') as payments,
           count(*) filter (where kind = 'refund') as refunds, sum(amount)::text as balance
      from transfers
     where reseller_id = $1 and kind in ('payment', 'refund')
     group by payment_id
    having count(*) filter (where kind = 'payment') <> 1
        or count(*) filter (where kind = 'refund') > 1
        or (count(*) = 2 and (sum(amount) <> 0 or max(sequence) filter (where kind = 'payment') <> min(sequence)))
     order by 1 limit 1`,
}

/**
 * Finds the first payment that was not charged exactly once, was refunded more than once, was refunded with another
 * amount, or was refunded before its charge.
 */
export async function findInconsistentPayment(
  connection: Queryable,
  resellerId: bigint,
): Promise<OddPayment | undefined> {
  const { rows } = await connection.query<Omit<OddPayment, 'paymentId'> & { payment_id: bigint }>(
    ODD_PAYMENT,
    [resellerId],
  )
  const row = rows[0]
  if (row === undefined) return undefined
  const { payment_id: paymentId, ...rest } = row
  return { ...rest, paymentId }
}

// ── The whole ledger ──

/** Sums the house accounts. They have no row: they hold what the wallets' entries took from them. */
export async function listHouseBalances(connection: Queryable): Promise<HouseBalance[]> {
  const { rows } = await connection.query<{ house_account: string; entries: bigint; balance: string }>(
    `select house_account, count(*) as entries, (-sum(amount))::text as balance
       from transfers group by house_account order by house_account`,
  )
  return rows.map((row) => ({
    houseAccount: row.house_account,
    entries: row.entries,
    balance: BigInt(row.balance),
  }))
}

export async function sumWallets(connection: Queryable): Promise<{ count: number; balance: bigint }> {
  const { rows } = await connection.query<{ count: number; balance: string }>(
    'select count(*)::integer as count, coalesce(sum(balance), 0)::text as balance from wallets',
  )
  return { count: rows[0]?.count ?? 0, balance: BigInt(rows[0]?.balance ?? 0) }
}

export async function findEntryWithoutWallet(
  connection: Queryable,
): Promise<{ resellerId: bigint; sequence: bigint } | undefined> {
  const { rows } = await connection.query<{ reseller_id: bigint; sequence: bigint }>(
    `select t.reseller_id, t.sequence from transfers t
      where not exists (select from wallets w where w.reseller_id = t.reseller_id)
      order by t.reseller_id, t.sequence limit 1`,
  )
  const row = rows[0]
  return row && { resellerId: row.reseller_id, sequence: row.sequence }
}
