import { plainArray } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'
import type { TransferKind } from '../balance/types.ts'
import type { Movement } from './periods.types.ts'

const HEADS = {
  name: 'wallet_period_heads',
  text: `select reseller_id, sequence from wallets
          where reseller_id > $1 order by reseller_id limit $2`,
}

export async function listWalletRows(
  connection: Queryable,
  page: { readonly after: bigint; readonly limit: number },
): Promise<{ reseller_id: bigint; sequence: bigint }[]> {
  const { rows } = await connection.query<{ reseller_id: bigint; sequence: bigint }>(HEADS, [
    page.after,
    page.limit,
  ])
  return rows
}

const TIMES = {
  name: 'wallet_period_times',
  text: `select t.reseller_id, t.created_at from unnest($1::bigint[], $2::bigint[]) as k (reseller_id, sequence)
           join lateral (
             select reseller_id, created_at from transfers
              where reseller_id = k.reseller_id and sequence = k.sequence limit 1
           ) t on true`,
}

export async function listTimes(
  connection: Queryable,
  keys: readonly { readonly resellerId: bigint; readonly sequence: bigint }[],
): Promise<{ reseller_id: bigint; created_at: Date }[]> {
  const { rows } = await connection.query<{ reseller_id: bigint; created_at: Date }>(TIMES, [
    plainArray(keys.map(({ resellerId }) => resellerId)),
    plainArray(keys.map(({ sequence }) => sequence)),
  ])
  return rows
}

const SUMS = {
  name: 'wallet_period_sums',
  text: `select kind, count(*) as count, sum(amount)::bigint as amount from transfers
          where reseller_id = $1 and sequence > $2 and sequence <= $3 group by kind`,
}

/** Sums by reading every entry, payments too: for a check, which must not rely on the code it checks. */
export async function sumEntryRows(
  connection: Queryable,
  resellerId: bigint,
  range: { readonly before: bigint; readonly last: bigint },
): Promise<Map<TransferKind, Movement>> {
  const { rows } = await connection.query<{ kind: TransferKind; count: bigint; amount: bigint }>(SUMS, [
    resellerId,
    range.before,
    range.last,
  ])
  return new Map(rows.map(({ kind, count, amount }) => [kind, { count, amount }]))
}
