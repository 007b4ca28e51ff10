import type { Queryable, Tx } from '../../db/database.ts'
import type { SavedFilter } from './types.ts'

/** Keeps a shop's filters from changing until the transaction ends. */
export async function lockFilters(tx: Tx, resellerId: bigint): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('saved_filters', $1) # lock_mark())`, [
    resellerId,
  ])
}

type FilterRow = { id: bigint; member_id: bigint | null; name: string; query: string }

const COLUMNS = 'id, member_id, name, query'

/** Lists the filters that a member sees: one's own first, then the shop's. */
export async function listFilterRows(
  connection: Queryable,
  resellerId: bigint,
  memberId: bigint,
  limit: number,
): Promise<SavedFilter[]> {
  const { rows } = await connection.query<FilterRow>(
    `select ${COLUMNS} from counter_saved_filters
      where reseller_id = $1 and (member_id is null or member_id = $2)
      order by member_id nulls last, id limit $3`,
    [resellerId, memberId, limit],
  )
  return rows.map(toFilter)
}

export async function insertFilter(
  tx: Tx,
  resellerId: bigint,
  { memberId, name, query }: Omit<SavedFilter, 'id'>,
): Promise<SavedFilter> {
  const { rows } = await tx.query<FilterRow>(
    `insert into counter_saved_filters (reseller_id, member_id, name, query) values ($1, $2, $3, $4)
     returning ${COLUMNS}`,
    [resellerId, memberId, name, query],
  )
  const [row] = rows
  if (row === undefined) throw new Error('the filter was not saved')
  return toFilter(row)
}

/** Deletes a filter that the member sees. */
export async function deleteFilter(
  tx: Tx,
  resellerId: bigint,
  memberId: bigint,
  id: bigint,
): Promise<SavedFilter | undefined> {
  const { rows } = await tx.query<FilterRow>(
    `delete from counter_saved_filters
      where reseller_id = $1 and id = $3 and (member_id is null or member_id = $2) returning ${COLUMNS}`,
    [resellerId, memberId, id],
  )
  return rows[0] && toFilter(rows[0])
}

function toFilter({ member_id: memberId, ...filter }: FilterRow): SavedFilter {
  return { ...filter, memberId }
}
