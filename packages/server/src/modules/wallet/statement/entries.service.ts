import type { Queryable } from '../../../db/database.ts'
import type { Entry } from '../balance/types.ts'
import type { EntryKey } from './entries.sql.ts'
import { listEntriesOfPayment, listRemarks } from './entries.sql.ts'
import { findStretch } from './statement.sql.ts'

/** Reads the remarks of entries of many wallets, in the order of the keys; undefined if there is no such entry. */
export async function readRemarks(
  connection: Queryable,
  keys: readonly EntryKey[],
): Promise<(string | undefined)[]> {
  if (keys.length === 0) return []
  const rows = await listRemarks(connection, keys)
  const found = new Map(rows.map((row) => [`${row.reseller_id} ${row.sequence}`, row.remarks]))
  return keys.map(({ resellerId, sequence }) => found.get(`${resellerId} ${sequence}`))
}

/** Time around a payment in which its debit is searched for. Both are written in one commit. */
const DEBIT_BEFORE_MS = 1_000
const DEBIT_AFTER_MS = 30_000

/** Reads the entries that a payment made: its debit, and its refund if there was one. */
export async function readEntriesOfPayment(
  connection: Queryable,
  payment: { readonly resellerId: bigint; readonly id: bigint; readonly createdAt: Date },
): Promise<Entry[]> {
  const { resellerId, id, createdAt } = payment
  const from = new Date(createdAt.getTime() - DEBIT_BEFORE_MS)
  const until = new Date(createdAt.getTime() + DEBIT_AFTER_MS)
  const stretch = await findStretch(connection, resellerId, from, until)
  return stretch === undefined ? [] : listEntriesOfPayment(connection, resellerId, id, stretch)
}
