import type { Queryable } from '../../../db/database.ts'
import type { LogKey } from './log.sql.ts'
import type { ClosedState, ReplayRefusal } from './replay.types.ts'

export type ReplayRow = {
  place: number
  outcome: 'replayed' | ReplayRefusal | ClosedState
  new_id: string | null
  event_id: string | null
}

/** Returns one row per id, in their order. */
export async function replayDeliveries(
  connection: Queryable,
  { resellerId, stream }: LogKey,
  ids: readonly string[],
  replaysMax: number,
): Promise<ReplayRow[]> {
  const { rows } = await connection.query<ReplayRow>(
    'select place, outcome, new_id, event_id from replay_deliveries($1, $2, $3, $4) order by place',
    [resellerId, stream, ids, replaysMax],
  )
  return rows
}
