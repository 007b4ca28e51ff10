import { plainArray } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'

export type EntryKey = { readonly resellerId: bigint; readonly sequence: bigint }
export type RemarksRow = { reseller_id: bigint; sequence: bigint; remarks: string }

const LIST_REMARKS = {
  name: 'wallet_list_remarks',
  text: `select t.* from unnest($1::bigint[], $2::bigint[]) as k (reseller_id, sequence)
           join lateral (
             select reseller_id, sequence, remarks from transfers
              where reseller_id = k.reseller_id and sequence = k.sequence limit 1
           ) t on true`,
}

/** Lists the remarks of the entries that exist, in any order. */
export async function listRemarks(connection: Queryable, keys: readonly EntryKey[]): Promise<RemarksRow[]> {
  const { rows } = await connection.query<RemarksRow>(LIST_REMARKS, [
    plainArray(keys.map((key) => key.resellerId)),
    plainArray(keys.map((key) => key.sequence)),
  ])
  return rows
}
