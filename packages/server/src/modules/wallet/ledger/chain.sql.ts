import { byteaArray, plainArray } from '../../../db/arrays.ts'
import type { Queryable, Tx } from '../../../db/database.ts'
import type { ChainedEntry, EntryHash, Head } from './chain.types.ts'

// ── The key ──

export async function findSealedKey(connection: Queryable): Promise<Buffer | undefined> {
  const { rows } = await connection.query<{ sealed_key: Buffer }>('select sealed_key from chain_keys')
  return rows[0]?.sealed_key
}

/** Inserts the key. Nodes that start at once on an empty database agree on the first one's key. */
export async function insertSealedKey(tx: Tx, sealed: Buffer): Promise<void> {
  await tx.query('insert into chain_keys (sealed_key) values ($1) on conflict do nothing', [sealed])
}

export async function hasHashes(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>(
    'select exists (select from chain_heads where sequence > 0) or exists (select from transfer_chain) as found',
  )
  return rows[0]?.found === true
}

// ── Chaining ──

const IS_BEHIND = {
  name: 'wallet_chain_is_behind',
  text: `
    select exists (select from wallets w left join chain_heads h on h.reseller_id = w.reseller_id
                    where w.sequence > coalesce(h.sequence, 0)) as found`,
}

/** Returns true if some wallet has an entry that is not chained. */
export async function isBehind(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>(IS_BEHIND)
  return rows[0]?.found === true
}

/**
 * Makes a head for every wallet that has its first entry. They are made in order, so that two nodes do not deadlock.
 */
export async function openHeads(connection: Queryable, startHash: Buffer): Promise<void> {
  await connection.query(
    `with headless as (
       select w.reseller_id from wallets w
        where w.sequence > 0 and not exists (select from chain_heads h where h.reseller_id = w.reseller_id)
     )
     insert into chain_heads (reseller_id, sequence, hash, chained_at)
     select reseller_id, 0, $1, now() from headless order by reseller_id
     on conflict do nothing`,
    [startHash],
  )
}

type HeadRow = { reseller_id: bigint; sequence: bigint; hash: Buffer }

const headOf = (row: HeadRow): Head => ({
  resellerId: row.reseller_id,
  sequence: row.sequence,
  hash: row.hash,
})

/**
 * Locks wallets with entries that are not chained, by reseller. Wallets that another node has locked are skipped. A
 * head that is behind its own hashes was set back by somebody.
 */
const LOCK_BEHIND = {
  name: 'wallet_chain_lock_behind',
  text: `
    select h.reseller_id, h.sequence, h.hash,
           exists (select from transfer_chain c
                    where c.reseller_id = h.reseller_id and c.sequence > h.sequence) as is_overtaken
      from chain_heads h join wallets w on w.reseller_id = h.reseller_id
     where w.sequence > h.sequence and h.reseller_id > $1
     order by h.reseller_id limit $2
       for update of h skip locked`,
}

export type HeadBehind = Head & { readonly isOvertaken: boolean }

export async function lockHeadsBehind(tx: Tx, page: { after: bigint; limit: number }): Promise<HeadBehind[]> {
  const { rows } = await tx.query<HeadRow & { is_overtaken: boolean }>(LOCK_BEHIND, [page.after, page.limit])
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    sequence: row.sequence,
    hash: row.hash,
    isOvertaken: row.is_overtaken,
  }))
}

export type EntryRow = {
  reseller_id: bigint
  sequence: bigint
  kind: string
  house_account: string
  amount: bigint
  balance_after: bigint
  payment_id: bigint | null
  reference: string | null
  remarks: string
  created_at_micros: bigint
}

export const ENTRY_COLUMNS = `t.reseller_id, t.sequence, t.kind, t.house_account, t.amount, t.balance_after,
  t.payment_id, t.reference, t.remarks, (extract(epoch from t.created_at) * 1000000)::bigint as created_at_micros`

export function chainedEntryOf(row: EntryRow): ChainedEntry {
  return {
    resellerId: row.reseller_id,
    sequence: row.sequence,
    kind: row.kind,
    houseAccount: row.house_account,
    amount: row.amount,
    balanceAfter: row.balance_after,
    paymentId: row.payment_id,
    reference: row.reference,
    remarks: row.remarks,
    createdAtMicros: row.created_at_micros,
  }
}

const AFTER_HEADS = {
  name: 'wallet_chain_after_heads',
  text: `
    select ${ENTRY_COLUMNS}
      from unnest($1::bigint[], $2::bigint[]) as h (reseller_id, sequence)
     cross join lateral (
       select * from transfers e
        where e.reseller_id = h.reseller_id and e.sequence > h.sequence
        order by e.reseller_id, e.sequence limit $3
     ) t
     order by t.reseller_id, t.sequence`,
}

/** Lists the entries after each head in order, at most `limitEach` for each wallet. */
export async function listEntriesAfter(
  connection: Queryable,
  heads: readonly Head[],
  limitEach: number,
): Promise<ChainedEntry[]> {
  const { rows } = await connection.query<EntryRow>(AFTER_HEADS, [
    plainArray(heads.map((head) => head.resellerId)),
    plainArray(heads.map((head) => head.sequence)),
    limitEach,
  ])
  return rows.map(chainedEntryOf)
}

const INSERT_HASHES = {
  name: 'wallet_chain_insert_hashes',
  text: `
    insert into transfer_chain (reseller_id, sequence, hash)
    select * from unnest($1::bigint[], $2::bigint[], $3::bytea[])`,
}

export async function insertHashes(tx: Tx, hashes: readonly EntryHash[]): Promise<void> {
  await tx.query(INSERT_HASHES, columnsOf(hashes))
}

const SAVE_HEADS = {
  name: 'wallet_chain_save_heads',
  text: `
    update chain_heads h set sequence = n.sequence, hash = n.hash, chained_at = statement_timestamp()
      from unnest($1::bigint[], $2::bigint[], $3::bytea[]) as n (reseller_id, sequence, hash)
     where h.reseller_id = n.reseller_id`,
}

export async function saveHeads(tx: Tx, heads: readonly Head[]): Promise<void> {
  await tx.query(SAVE_HEADS, columnsOf(heads))
}

function columnsOf(hashes: readonly EntryHash[]): string[] {
  return [
    plainArray(hashes.map((each) => each.resellerId)),
    plainArray(hashes.map((each) => each.sequence)),
    byteaArray(hashes.map((each) => each.hash)),
  ]
}

// ── Reads ──

export type DatedHead = Head & { readonly chainedAt: Date }

export async function listHeads(
  connection: Queryable,
  resellerIds: readonly bigint[],
): Promise<Map<bigint, DatedHead>> {
  const { rows } = await connection.query<HeadRow & { chained_at: Date }>(
    'select reseller_id, sequence, hash, chained_at from chain_heads where reseller_id = any($1::bigint[])',
    [plainArray(resellerIds)],
  )
  return new Map(rows.map((row) => [row.reseller_id, { ...headOf(row), chainedAt: row.chained_at }]))
}
