import type { Queryable } from '../../../db/database.ts'

const REFIDS = {
  name: 'payment_refids',
  text: 'select id, refid from payments where reseller_id = $1 and id = any($2::bigint[])',
}

/** Lists the refids of one reseller's payments, by payment id. */
export async function listRefids(
  connection: Queryable,
  resellerId: bigint,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  const { rows } = await connection.query<{ id: bigint; refid: string }>(REFIDS, [resellerId, ids])
  return new Map(rows.map(({ id, refid }) => [id, refid]))
}
