import type { Queryable } from '../../../db/database.ts'

/** Finds the event sets of an account for a change, in order; undefined: it has none, or they were deleted. */
export async function findSetIds(
  connection: Queryable,
  resellerId: bigint,
  version: bigint,
): Promise<readonly string[] | undefined> {
  const { rows } = await connection.query<{ set_ids: string[] }>(
    'select set_ids from account_catalog_events where reseller_id = $1 and version = $2',
    [resellerId, version],
  )
  return rows[0]?.set_ids
}

export type SetPart = {
  readonly setId: string
  /** Selects deletions; false: creations and updates. */
  readonly isGoing: boolean
  readonly after: number
}

export type FoundPosition = { readonly part: number; readonly position: number }

/** Lists at most `limit` positions of each part, and in all; the parts in their order. */
export async function listPositions(
  connection: Queryable,
  version: bigint,
  parts: readonly SetPart[],
  limit: number,
): Promise<readonly FoundPosition[]> {
  const { rows } = await connection.query<FoundPosition>(
    `select part.number::integer - 1 as part, found.position
     from unnest($2::uuid[], $3::boolean[], $4::integer[]) with ordinality as part (set_id, is_going, after, number)
     cross join lateral (
       select event.position from catalog_events event
       where event.version = $1 and event.set_id = part.set_id and event.position > part.after
         and (event.data is null) = part.is_going
       order by event.position limit $5
     ) found
     order by part.number, found.position
     limit $5`,
    [
      version,
      parts.map((part) => part.setId),
      parts.map((part) => part.isGoing),
      parts.map((part) => part.after),
      limit,
    ],
  )
  return rows
}
